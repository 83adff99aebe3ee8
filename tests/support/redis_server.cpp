#include "tests/support/redis_server.h"

#include "processor/embedded/programs.h"
#include "processor/redis/client.h"
#include "tests/support/wait.h"

#include <csignal>
#include <utility>

namespace support {

namespace {

constexpr std::chrono::seconds kStartLimit{20};

bool answers(const std::string& url)
{
    const auto reply = redis::Client{{.url = url}}.run({"PING"});
    return reply || !reply.error().code.empty();
}

} // namespace

RedisServer::RedisServer(std::vector<std::string> settings) : m_settings{std::move(settings)} {}

base::Result<std::unique_ptr<RedisServer>> RedisServer::start(std::vector<std::string> settings)
{
    std::unique_ptr<RedisServer> server{new RedisServer{std::move(settings)}};
    if (const auto launched = server->launch({}); !launched) return launched.error();
    return server;
}

base::Status RedisServer::launch(const std::vector<std::string>& more)
{
    const auto program = embedded::findRedisServer();
    if (!program) return program.error();

    ProcessPlan plan{.program = *program,
        .arguments = {"--port", "0", "--unixsocket", socketPath(), "--unixsocketperm", "700",
            "--dir", m_folder.path(), "--save", "", "--appendonly", "no"}};
    plan.arguments.insert(plan.arguments.end(), m_settings.begin(), m_settings.end());
    plan.arguments.insert(plan.arguments.end(), more.begin(), more.end());
    auto process = Process::start(std::move(plan));
    if (!process) return process.error();
    m_process = std::move(*process);

    const auto isSettled = [&] { return answers(url()) || !m_process->isRunning(); };
    if (!waitUntil(isSettled, kStartLimit) || !m_process->isRunning()) {
        return base::Error{base::ErrorKind::Unavailable,
            "redis-server did not start: " + m_process->output() + m_process->errorOutput()};
    }
    return base::Done{};
}

void RedisServer::kill()
{
    m_process->kill();
}

base::Status RedisServer::restart(const std::vector<std::string>& more)
{
    kill();
    return launch(more);
}

void RedisServer::freeze()
{
    m_process->signal(SIGSTOP);
}

void RedisServer::thaw()
{
    m_process->signal(SIGCONT);
}

} // namespace support
