#include "processor/embedded/redis_server.h"

#include "processor/embedded/descriptor.h"
#include "processor/embedded/leftover.h"
#include "processor/embedded/programs.h"

#include <array>
#include <filesystem>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>

namespace embedded {
namespace {

using namespace std::chrono_literals;

constexpr auto kRedisStartLimit = 120s; // loading a large append-only file
constexpr auto kRedisStopLimit = 20s;

// While it loads its file it answers -LOADING, and before that nobody listens.
bool answersPing(const std::string& socketPath)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    CHECK(socketPath.size() < sizeof address.sun_path);
    socketPath.copy(address.sun_path, socketPath.size());

    const Descriptor connection{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    if (!connection.isOpen()
        || connect(connection.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address)
            != 0) {
        return false;
    }
    constexpr std::string_view kPing = "PING\r\n";
    if (send(connection.number(), kPing.data(), kPing.size(), MSG_NOSIGNAL) < 0) return false;
    pollfd waited{connection.number(), POLLIN, 0};
    if (poll(&waited, 1, 1000) <= 0) return false;
    std::array<char, 64> answer{};
    const auto got = recv(connection.number(), answer.data(), answer.size(), 0);
    return got > 0 && std::string_view{answer.data(), static_cast<std::size_t>(got)} == "+PONG\r\n";
}

base::Status clearRedisLeftovers(const std::string& pidFile, const std::string& socketPath)
{
    auto ended = awaitEnd(pidFile, socketPath, SIGTERM, kRedisStopLimit);
    // Two on one append-only file would ruin it; a Redis that hangs is worth nothing to us.
    if (!ended) ended = awaitEnd(pidFile, socketPath, SIGKILL, kRedisStopLimit);
    if (!ended) return ended;
    std::error_code none;
    std::filesystem::remove(pidFile, none);
    return base::Done{};
}

} // namespace

base::Result<KeeperPlan> planRedis(const Folder& folder, const std::vector<std::string>& settings)
{
    const auto program = findRedisServer();
    if (!program) return program.error();

    const auto socketPath = redisSocket(folder);
    const auto pidFile = folder.redis() + "/redis.pid";
    Launch launch{
        .argv = {*program, "--port", "0", "--unixsocket", socketPath, "--unixsocketperm", "700",
            "--dir", folder.redis(), "--pidfile", pidFile, "--save", "", "--appendonly", "yes",
            "--appendfsync", "everysec", "--maxmemory-policy", "noeviction"},
        .environment = plainEnvironment(),
        .account = folder.account(),
        .deathSignal = SIGTERM,
        .outputFile = folder.path() + "/redis.log"};
    for (const auto& setting : settings) {
        const auto space = setting.find(' ');
        CHECK(space != std::string::npos);
        launch.argv.insert(
            launch.argv.end(), {"--" + setting.substr(0, space), setting.substr(space + 1)});
    }
    return KeeperPlan{.name = "Redis",
        .launch = std::move(launch),
        .stopSignal = SIGTERM,
        .startLimit = kRedisStartLimit,
        .stopLimit = kRedisStopLimit,
        .clearLeftovers = [=] { return clearRedisLeftovers(pidFile, socketPath); },
        .isReady = [=](pid_t) { return answersPing(socketPath); }};
}

std::string redisSocket(const Folder& folder)
{
    return folder.sockets() + "/redis.sock";
}

} // namespace embedded
