#include "processor/embedded/postgres.h"

#include "processor/base/log.h"
#include "processor/embedded/leftover.h"
#include "processor/embedded/private_file.h"
#include "processor/embedded/programs.h"

#include <charconv>
#include <filesystem>
#include <sstream>

namespace embedded {
namespace {

using namespace std::chrono_literals;

constexpr auto kPostgresCreateLimit = 120s;
constexpr auto kPostgresStartLimit = 300s; // replay of a full max_wal_size on a slow disk
constexpr auto kPostgresStopLimit = 60s; // the shutdown checkpoint
constexpr const char* kPostgresPort = "5432"; // only a part of the socket's name

struct PostgresPaths
{
    std::string data;
    std::string draft;
    std::string pidFile;
    std::string socketLock;
    std::string log;
};

PostgresPaths pathsOf(const Folder& folder)
{
    const auto data = folder.postgres() + "/data";
    return PostgresPaths{data, folder.postgres() + "/data.new", data + "/postmaster.pid",
        folder.sockets() + "/.s.PGSQL." + kPostgresPort + ".lock", folder.path() + "/postgres.log"};
}

// 0 when there is no cluster yet.
int majorOf(const std::string& data)
{
    int major = 0;
    if (const auto version = readFile(data + "/PG_VERSION")) {
        std::from_chars(version->data(), version->data() + version->size(), major);
    }
    return major;
}

base::Status createCluster(const PostgresPrograms& programs, const Folder& folder, bool fsync)
{
    const auto paths = pathsOf(folder);
    std::error_code failure;
    std::filesystem::remove_all(paths.draft, failure); // of a first start that was killed

    Launch initdb{.argv = {programs.initdb, "--pgdata=" + paths.draft, "--username=postgres",
                      "--auth-local=trust", "--auth-host=reject", "--encoding=UTF8",
                      // Order by bytes (never changes with a libc update, which would break
                      // indexes), yet with letters known beyond ASCII.
                      "--lc-collate=C", "--lc-ctype=C.UTF-8", "--lc-messages=C", "--lc-monetary=C",
                      "--lc-numeric=C", "--lc-time=C", "--data-checksums"},
        .environment = plainEnvironment(),
        .account = folder.account(),
        .deathSignal = SIGKILL};
    if (!fsync) initdb.argv.push_back("--no-sync");
    if (const auto made = runToEnd(initdb, "", kPostgresCreateLimit); !made) return made.error();

    // Single-user mode: no server has to be started and found for one statement.
    const Launch single{.argv = {programs.postgres, "--single", "-D", paths.draft, "-c",
                            fsync ? "fsync=on" : "fsync=off", "-c", "exit_on_error=on", "postgres"},
        .environment = plainEnvironment(),
        .account = folder.account(),
        .deathSignal = SIGKILL};
    const auto created = runToEnd(single, "CREATE DATABASE countersign\n", kPostgresCreateLimit);
    if (!created) return created.error();

    // Only a finished cluster gets the name that later starts trust.
    std::filesystem::rename(paths.draft, paths.data, failure);
    if (failure) return base::Error{base::ErrorKind::Unavailable, paths.data + failure.message()};
    return base::Done{};
}

// Its lock files name a process by number. After a crash that number may belong to anyone, and
// PostgreSQL would refuse to start for ever; we hold the folder's lock and know better.
base::Status clearPostgresLeftovers(const PostgresPaths& paths)
{
    if (auto ended = awaitEnd(paths.pidFile, paths.data, SIGINT, kPostgresStopLimit); !ended)
        return ended;
    std::error_code none;
    std::filesystem::remove(paths.pidFile, none);
    std::filesystem::remove(paths.socketLock, none);
    return base::Done{};
}

// Line 1 is the process, line 8 its state.
bool saysReady(const std::string& pidFile, pid_t pid)
{
    const auto content = readFile(pidFile);
    if (!content || recordedPid(pidFile) != pid) return false;
    std::istringstream lines{*content};
    std::string line;
    for (int number = 1; number <= 8; ++number) {
        if (!std::getline(lines, line)) return false;
    }
    return line.starts_with("ready");
}

std::string percentEncoded(const std::string& text)
{
    std::string encoded;
    for (const char c : text) {
        const auto octet = static_cast<unsigned char>(c);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
            || c == '.' || c == '_' || c == '~') {
            encoded += c;
        } else {
            encoded += '%';
            encoded += "0123456789ABCDEF"[octet >> 4];
            encoded += "0123456789ABCDEF"[octet & 15];
        }
    }
    return encoded;
}

std::vector<std::string> settingsOf(const Folder& folder, const PostgresOptions& options)
{
    std::vector<std::string> settings{"listen_addresses=", std::string{"port="} + kPostgresPort,
        "unix_socket_directories=" + folder.sockets(), "unix_socket_permissions=0700",
        "max_connections=200", "timezone=UTC", "log_timezone=UTC", "log_line_prefix=%m [%p] ",
        "jit=off"}; // our statements are short; compiling them costs more than it saves
    if (!options.fsync) {
        settings.insert(settings.end(), {"fsync=off", "full_page_writes=off"});
    }
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    return settings;
}

} // namespace

base::Result<KeeperPlan> planPostgres(const Folder& folder, const PostgresOptions& options)
{
    const auto paths = pathsOf(folder);
    const int major = majorOf(paths.data);
    const auto programs = findPostgres(major);
    if (!programs) return programs.error();
    if (major == 0) {
        base::logInfo("creating a private PostgreSQL", {{"folder", paths.data}});
        if (auto made = createCluster(*programs, folder, options.fsync); !made) {
            return made.error();
        }
    }

    Launch launch{.argv = {programs->postgres, "-D", paths.data},
        .environment = plainEnvironment(),
        .account = folder.account(),
        .deathSignal = SIGINT, // fast shutdown; SIGTERM would wait for clients
        .outputFile = paths.log};
    for (const auto& setting : settingsOf(folder, options)) {
        launch.argv.insert(launch.argv.end(), {"-c", setting});
    }
    return KeeperPlan{.name = "PostgreSQL",
        .launch = std::move(launch),
        .stopSignal = SIGINT,
        .startLimit = kPostgresStartLimit,
        .stopLimit = kPostgresStopLimit,
        .clearLeftovers = [paths] { return clearPostgresLeftovers(paths); },
        .isReady = [paths](pid_t pid) { return saysReady(paths.pidFile, pid); }};
}

std::string postgresUrl(const Folder& folder, const std::string& database)
{
    return "postgresql://postgres@/" + percentEncoded(database)
        + "?host=" + percentEncoded(folder.sockets()) + "&port=" + kPostgresPort;
}

} // namespace embedded
