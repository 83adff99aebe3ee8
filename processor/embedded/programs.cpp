#include "processor/embedded/programs.h"

#include "processor/embedded/launch.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace embedded {
namespace {

constexpr int kOldestMajor = 15;
constexpr const char* kDebianFolder = "/usr/lib/postgresql";

bool canRun(const std::string& path)
{
    return access(path.c_str(), X_OK) == 0;
}

int leadingNumber(const std::string& text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<std::string> searchPath()
{
    std::vector<std::string> folders;
    const char* path = std::getenv("PATH");
    std::istringstream parts{path ? path : ""};
    for (std::string folder; std::getline(parts, folder, ':');) {
        if (!folder.empty()) folders.push_back(folder);
    }
    // Daemons are often started with a PATH that lacks these.
    folders.insert(folders.end(), {"/usr/local/bin", "/usr/bin", "/usr/local/sbin", "/usr/sbin"});
    return folders;
}

std::optional<PostgresPrograms> inFolder(const std::string& folder, int major)
{
    PostgresPrograms found{major, folder + "/initdb", folder + "/postgres"};
    if (!canRun(found.initdb) || !canRun(found.postgres)) return std::nullopt;
    if (found.major != 0) return found;

    // "postgres (PostgreSQL) 16.4"
    const auto said
        = runToEnd({.argv = {found.postgres, "--version"}, .environment = plainEnvironment()}, "",
            std::chrono::seconds{10});
    if (!said) return std::nullopt;
    const auto space = said->find(") ");
    if (space == std::string::npos) return std::nullopt;
    found.major = leadingNumber(said->substr(space + 2));
    return found;
}

std::vector<PostgresPrograms> allInstalled()
{
    std::vector<PostgresPrograms> all;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{kDebianFolder, none}) {
        const int major = leadingNumber(entry.path().filename().string());
        if (major == 0) continue;
        if (auto found = inFolder(entry.path().string() + "/bin", major)) all.push_back(*found);
    }
    if (!all.empty()) return all;
    for (const auto& folder : searchPath()) {
        if (auto found = inFolder(folder, 0)) all.push_back(*found);
    }
    return all;
}

} // namespace

base::Result<PostgresPrograms> findPostgres(int major)
{
    auto all = allInstalled();
    std::erase_if(all, [major](const PostgresPrograms& one) {
        return major != 0 ? one.major != major : one.major < kOldestMajor;
    });
    if (all.empty()) {
        const auto wanted = major != 0
            ? "PostgreSQL " + std::to_string(major) + ", which made the data here,"
            : "PostgreSQL " + std::to_string(kOldestMajor) + " or later";
        return base::Error{base::ErrorKind::NotFound,
            wanted + " is not installed (looked in " + kDebianFolder + " and PATH)"};
    }
    return *std::max_element(all.begin(), all.end(),
        [](const auto& left, const auto& right) { return left.major < right.major; });
}

base::Result<std::string> findRedisServer()
{
    for (const char* name : {"redis-server", "valkey-server"}) {
        for (const auto& folder : searchPath()) {
            if (auto path = folder + "/" + name; canRun(path)) return path;
        }
    }
    return base::Error{base::ErrorKind::NotFound, "redis-server is not installed (not in PATH)"};
}

} // namespace embedded
