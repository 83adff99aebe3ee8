#include "tests/demo/programs.h"

#include "tests/support/json_text.h"

#include <fstream>
#include <iterator>
#include <string_view>

namespace demo {
namespace {

using namespace std::chrono_literals;

constexpr auto kReadyLimit = 120s; // a first start makes the cluster, on a machine under load
constexpr auto kStopLimit = 60s;
constexpr const char* kRolesOfServer
    = "--roles=ingest,dispatch,replay,chain,notify,analytics,watch";

std::string program()
{
    return support::binFolder() + "/countersignd";
}

std::string endOf(const std::string& text)
{
    constexpr std::size_t kShown = 3'000;
    return text.size() <= kShown ? text : text.substr(text.size() - kShown);
}

std::string logOf(support::Process& process, const std::string& file)
{
    std::ifstream in{file, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    return endOf(text.empty() ? process.errorOutput() : text);
}

} // namespace

base::Result<Programs> Programs::start(const std::string& folder)
{
    Programs programs;
    programs.m_folder = folder;
    auto server = support::Process::start({.program = program(),
        .arguments = {"serve", "--embedded", folder, kRolesOfServer, "--http", "127.0.0.1:0",
            "--admin", "127.0.0.1:0"},
        .errorFile = folder + "/server.log"});
    if (!server) return server.error();
    programs.m_server = std::move(*server);
    const auto ready = programs.m_server->waitLine("\"event\":\"ready\"", kReadyLimit);
    if (!ready) {
        return base::Error{ready.error().kind,
            ready.error().message + "\n" + logOf(*programs.m_server, folder + "/server.log")};
    }
    programs.m_endpoints = {.http = support::textMember(*ready, "http"),
        .admin = support::textMember(*ready, "admin"),
        .databaseUrl = support::textMember(*ready, "database_url"),
        .redisUrl = support::textMember(*ready, "redis_url"),
        .secretFile = support::textMember(*ready, "secret_file")};
    return programs;
}

base::Result<base::Secret> Programs::secret() const
{
    std::ifstream in{m_endpoints.secretFile};
    std::string line;
    if (!std::getline(in, line) || line.empty()) {
        return base::Error{base::ErrorKind::Invalid, "no secret in " + m_endpoints.secretFile};
    }
    return base::Secret{line};
}

base::Status Programs::importUsers(const std::string& csvFile)
{
    const auto import = support::Process::start({.program = program(),
        .arguments = {"users", "import", csvFile},
        .environment = {"DATABASE_URL=" + m_endpoints.databaseUrl}});
    if (!import) return import.error();
    const auto status = (*import)->waitExit(kReadyLimit);
    if (status == 0) return base::Done{};
    return base::Error{
        base::ErrorKind::Invalid, "users import: " + endOf((*import)->errorOutput())};
}

base::Status Programs::startWorker()
{
    const std::string log = m_folder + "/worker" + std::to_string(++m_workers) + ".log";
    auto worker = support::Process::start({.program = program(),
        .arguments = {"serve", "--roles=settle", "--admin", "127.0.0.1:0"},
        .environment = {"DATABASE_URL=" + m_endpoints.databaseUrl,
            "REDIS_URL=" + m_endpoints.redisUrl, "WEBHOOK_SECRET_FILE=" + m_endpoints.secretFile},
        .errorFile = log});
    if (!worker) return worker.error();
    m_worker = std::move(*worker);
    if (const auto ready = m_worker->waitLine("\"event\":\"ready\"", kReadyLimit); !ready) {
        return base::Error{
            ready.error().kind, ready.error().message + "\n" + logOf(*m_worker, log)};
    }
    return base::Done{};
}

void Programs::killWorker()
{
    if (m_worker) m_worker->kill();
}

std::string Programs::whoEnded()
{
    if (m_server && !m_server->isRunning()) {
        return "the server ended:\n" + logOf(*m_server, m_folder + "/server.log");
    }
    if (m_worker && !m_worker->isRunning()) {
        return "the worker ended:\n"
            + logOf(*m_worker, m_folder + "/worker" + std::to_string(m_workers) + ".log");
    }
    return {};
}

base::Status Programs::stop()
{
    std::string complaint;
    for (auto* process : {&m_worker, &m_server}) {
        if (!*process) continue;
        if ((*process)->terminate(kStopLimit) != 0) {
            complaint += process == &m_worker ? "the worker did not end with 0; "
                                              : "the server did not end with 0; ";
        }
        process->reset();
    }
    if (complaint.empty()) return base::Done{};
    return base::Error{base::ErrorKind::Corrupt, complaint + "their logs are in " + m_folder};
}

} // namespace demo
