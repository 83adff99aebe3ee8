#include "processor/embedded/account.h"

#include "processor/embedded/os_error.h"

#include <array>
#include <cerrno>
#include <grp.h>
#include <optional>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace embedded {
namespace {

constexpr const char* kStoreLogin = "postgres";

Account fromEntry(const passwd& entry)
{
    std::vector<gid_t> groups(64);
    int count = static_cast<int>(groups.size());
    if (getgrouplist(entry.pw_name, entry.pw_gid, groups.data(), &count) < 0) count = 0;
    groups.resize(static_cast<std::size_t>(count));
    return Account{entry.pw_uid, entry.pw_gid, std::move(groups), entry.pw_uid != geteuid()};
}

std::optional<Account> lookUp(const char* login)
{
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> text{};
    getpwnam_r(login, &entry, text.data(), text.size(), &found);
    if (!found) return std::nullopt;
    return fromEntry(entry);
}

std::optional<Account> lookUp(uid_t uid)
{
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> text{};
    getpwuid_r(uid, &entry, text.data(), text.size(), &found);
    if (!found) return std::nullopt;
    return fromEntry(entry);
}

std::vector<std::string> foldersOnTheWay(const std::string& folder)
{
    std::vector<std::string> way{"/"};
    for (std::size_t end = folder.find('/', 1); end != std::string::npos;
         end = folder.find('/', end + 1)) {
        way.push_back(folder.substr(0, end));
    }
    way.push_back(folder);
    return way;
}

} // namespace

base::Result<Account> chooseAccount(const std::string& storeFolder)
{
    if (geteuid() != 0) return Account{geteuid(), getegid(), {}, false};

    struct stat seen = {};
    if (lstat(storeFolder.c_str(), &seen) == 0 && seen.st_uid != 0) {
        if (auto owner = lookUp(seen.st_uid)) return *owner;
        return base::Error{base::ErrorKind::Invalid,
            storeFolder + " belongs to user id " + std::to_string(seen.st_uid)
                + ", which has no account on this machine"};
    }
    if (auto login = lookUp(kStoreLogin)) return *login;
    return base::Error{base::ErrorKind::Invalid,
        "root cannot run PostgreSQL and there is no user 'postgres' to hand it to: install "
        "PostgreSQL or start as an ordinary user"};
}

base::Status requireReachable(const Account& account, const std::string& folder)
{
    if (!account.isOther) return base::Done{};

    // The kernel is asked, as that account, because modes alone know nothing of ACLs.
    const auto way = foldersOnTheWay(folder);
    const pid_t child = fork();
    if (child < 0) {
        return osError("fork");
    }
    if (child == 0) {
        if (becomeAccount(account) != 0) _exit(255);
        for (std::size_t i = 0; i < way.size(); ++i) {
            if (access(way[i].c_str(), X_OK) != 0) _exit(static_cast<int>(i) + 1);
        }
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 255) {
        return base::Error{base::ErrorKind::Unavailable,
            "cannot change to user id " + std::to_string(account.uid)};
    }
    if (WEXITSTATUS(status) == 0) return base::Done{};
    return base::Error{base::ErrorKind::Invalid,
        "the stores run as user id " + std::to_string(account.uid) + " and cannot enter "
            + way[static_cast<std::size_t>(WEXITSTATUS(status)) - 1]
            + ": choose a folder outside it, or allow others to traverse it (chmod o+x)"};
}

int becomeAccount(const Account& account) noexcept
{
    // Raw calls: glibc's wrappers signal every thread of the process, which after a fork of a
    // program with threads is work for nothing and not promised to be async-signal-safe.
    if (syscall(SYS_setgroups, account.groups.size(), account.groups.data()) != 0) return errno;
    if (syscall(SYS_setresgid, account.gid, account.gid, account.gid) != 0) return errno;
    if (syscall(SYS_setresuid, account.uid, account.uid, account.uid) != 0) return errno;
    return 0;
}

} // namespace embedded
