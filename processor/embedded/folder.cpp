#include "processor/embedded/folder.h"

#include "processor/embedded/os_error.h"
#include "processor/embedded/private_file.h"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace embedded {
namespace {

constexpr std::size_t kSocketPathMax = 107; // sockaddr_un holds 108 with the NUL
constexpr std::string_view kLongestSocketName = "/.s.PGSQL.5432";

base::Status makeFolder(const std::string& path, mode_t mode)
{
    if (mkdir(path.c_str(), mode) == 0) {
        if (chmod(path.c_str(), mode) != 0) return osError(path); // whatever the umask was
        return base::Done{};
    }
    if (errno == EEXIST) return base::Done{};
    return osError("cannot create " + path);
}

base::Result<std::string> makeWay(const std::string& wanted)
{
    std::error_code failure;
    const auto absolute = std::filesystem::absolute(wanted, failure).lexically_normal();
    if (failure || wanted.empty()) {
        return base::Error{base::ErrorKind::Invalid, "not a folder: '" + wanted + "'"};
    }
    // Root's stores run as another user, who must be able to pass through; nothing in the folder
    // itself is readable to others.
    const mode_t mode = geteuid() == 0 ? 0711 : 0700;
    std::filesystem::path way;
    for (const auto& part : absolute) {
        way /= part;
        if (std::filesystem::is_directory(way, failure)) continue;
        if (auto made = makeFolder(way.string(), mode); !made) return made.error();
    }
    auto resolved = std::filesystem::canonical(absolute, failure);
    if (failure)
        return base::Error{base::ErrorKind::Unavailable, wanted + ": " + failure.message()};
    return resolved.string();
}

base::Result<Descriptor> takeLock(const std::string& folder)
{
    const auto path = folder + "/lock";
    Descriptor lock{open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)};
    if (!lock.isOpen()) return osError("cannot open " + path);
    if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
        std::array<char, 32> holder{};
        const auto length = pread(lock.number(), holder.data(), holder.size() - 1, 0);
        return base::Error{base::ErrorKind::Conflict,
            folder + " is already served by process "
                + (length > 0 ? std::string{holder.data()} : std::string{"(unknown)"})
                + "; one serve at a time: join it by the URLs in its ready.json, or stop it first"};
    }
    const auto own = std::to_string(getpid());
    if (ftruncate(lock.number(), 0) != 0
        || pwrite(lock.number(), own.data(), own.size(), 0) != static_cast<ssize_t>(own.size())) {
        return osError("cannot write " + path);
    }
    return lock;
}

// A folder that only the stores' account (and root) can enter, made or corrected.
base::Status makePrivate(const std::string& path, const Account& account)
{
    if (auto made = makeFolder(path, 0700); !made) return made;
    const Descriptor folder{open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    if (!folder.isOpen()) return osError("cannot open " + path);
    if (account.isOther && fchown(folder.number(), account.uid, account.gid) != 0) {
        return osError("cannot hand " + path + " to user id " + std::to_string(account.uid));
    }
    if (fchmod(folder.number(), 0700) != 0) return osError(path);
    return base::Done{};
}

// The path ends up in lists (commas split libpq's host and PostgreSQL's own setting) and in URLs
// that readers decode differently, so only characters that mean nothing anywhere will do.
bool isFitForSockets(const std::string& folder)
{
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                        "0123456789/._-";
    return folder.size() + kLongestSocketName.size() <= kSocketPathMax
        && folder.find_first_not_of(kPlain) == std::string::npos;
}

bool isPrivateFolderOf(const std::string& path, const Account& account)
{
    struct stat seen = {};
    return lstat(path.c_str(), &seen) == 0 && S_ISDIR(seen.st_mode) && seen.st_uid == account.uid
        && (seen.st_mode & 0777) == 0700;
}

} // namespace

Folder::Folder(std::string path, Descriptor lock, Account account)
    : m_path{std::move(path)}
    , m_lock{std::move(lock)}
    , m_account{std::move(account)}
{}

base::Result<Folder> Folder::open(const std::string& path)
{
    auto resolved = makeWay(path);
    if (!resolved) return resolved.error();
    auto lock = takeLock(*resolved);
    if (!lock) return lock.error();
    auto account = chooseAccount(*resolved + "/pg");
    if (!account) return account.error();
    if (auto reachable = requireReachable(*account, *resolved); !reachable) {
        return reachable.error();
    }

    Folder folder{std::move(*resolved), std::move(*lock), std::move(*account)};
    for (const auto& owned : {folder.postgres(), folder.redis()}) {
        if (auto made = makePrivate(owned, folder.m_account); !made) return made.error();
    }
    if (auto made = folder.makeSocketFolder(); !made) return made.error();
    return folder;
}

base::Status Folder::makeSocketFolder()
{
    m_sockets = m_path + "/run";
    if (!isFitForSockets(m_sockets)) return makeShortSocketFolder();
    return makePrivate(m_sockets, m_account);
}

base::Status Folder::makeShortSocketFolder()
{
    // The one of last time, as a store that is still shutting down would be found there.
    const auto record = m_path + "/run.path";
    if (const auto recorded = readFile(record);
        recorded && isPrivateFolderOf(*recorded, m_account)) {
        m_sockets = *recorded;
        return base::Done{};
    }
    std::string made = "/tmp/countersign-XXXXXX";
    if (!mkdtemp(made.data())) return osError("cannot create " + made);
    if (auto owned = makePrivate(made, m_account); !owned) return owned;
    m_sockets = made;
    return writePrivateFile(record, made);
}

base::Status Folder::ensureSecret() const
{
    const auto existing = readFile(secretFile());
    if (existing) return base::Done{};
    if (existing.error().kind != base::ErrorKind::NotFound) return existing.error();

    std::array<unsigned char, 32> random{};
    if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
        return osError("getrandom");
    }
    std::string digits;
    for (const auto octet : random) {
        digits += "0123456789abcdef"[octet >> 4];
        digits += "0123456789abcdef"[octet & 15];
    }
    return writePrivateFile(secretFile(), digits + "\n");
}

} // namespace embedded
