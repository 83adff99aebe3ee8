#include "tests/support/daemon.h"

#include "tests/support/json_text.h"

namespace support {

base::Result<std::unique_ptr<Daemon>> Daemon::start(
    const DaemonPlan& plan, std::chrono::milliseconds limit)
{
    ProcessPlan program{.program = binFolder() + "/countersignd",
        .arguments = {"serve"},
        .errorFile = plan.logFile};
    // Whatever the developer has set for other purposes must not reach the program under test.
    for (const char* name : {"DATABASE_URL", "DATABASE_DIRECT_URL", "REDIS_URL",
             "REDIS_STREAMS_URL", "WEBHOOK_SECRET", "WEBHOOK_SECRET_FILE", "ETH_RPC_URL"}) {
        program.environment.emplace_back(name);
    }
    const auto set = [&program](const std::string& name, const std::string& value) {
        if (!value.empty()) program.environment.push_back(name + "=" + value);
    };
    set("DATABASE_URL", plan.databaseUrl);
    set("REDIS_URL", plan.redisUrl);
    set("WEBHOOK_SECRET_FILE", plan.secretFile);
    program.environment.insert(
        program.environment.end(), plan.environment.begin(), plan.environment.end());

    auto& arguments = program.arguments;
    if (!plan.embeddedFolder.empty()) {
        arguments.insert(arguments.end(), {"--embedded", plan.embeddedFolder});
    }
    arguments.insert(arguments.end(), {"--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"});
    if (!plan.roles.empty()) arguments.push_back("--roles=" + plan.roles);
    arguments.insert(arguments.end(), plan.arguments.begin(), plan.arguments.end());

    auto process = Process::start(std::move(program));
    if (!process) return process.error();
    auto line = (*process)->waitLine(R"("event":"ready")", limit);
    if (!line) return line.error();
    return std::unique_ptr<Daemon>{new Daemon{std::move(*process), std::move(*line)}};
}

Daemon::Daemon(std::unique_ptr<Process> process, std::string readyLine)
    : m_process{std::move(process)}
    , m_readyLine{std::move(readyLine)}
{}

std::string Daemon::field(std::string_view name) const
{
    return textMember(m_readyLine, name);
}

} // namespace support
