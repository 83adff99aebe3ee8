#include "tests/demo/programs.h"

#include <fstream>
#include <utility>

namespace demo {
namespace {

using namespace std::chrono_literals;

constexpr auto kReadyLimit = 120s; // a first start makes the cluster, on a machine under load
constexpr auto kStopLimit = 60s;
constexpr const char* kRolesOfServer = "ingest,dispatch,replay,chain,notify,analytics,watch";

std::string endOf(const std::string& text)
{
    constexpr std::size_t kShown = 3'000;
    return text.size() <= kShown ? text : text.substr(text.size() - kShown);
}

} // namespace

base::Result<Programs> Programs::start(const std::string& folder)
{
    Programs programs;
    programs.m_folder = folder;
    auto server = support::Daemon::start(
        {.embeddedFolder = folder, .roles = kRolesOfServer, .logFile = folder + "/server.log"},
        kReadyLimit);
    if (!server) return server.error();
    programs.m_server = std::move(*server);
    programs.m_endpoints = {.http = programs.m_server->http(),
        .admin = programs.m_server->admin(),
        .databaseUrl = programs.m_server->databaseUrl(),
        .redisUrl = programs.m_server->redisUrl(),
        .secretFile = programs.m_server->secretFile()};
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
    const auto import = support::Process::start({.program = support::binFolder() + "/countersignd",
        .arguments = {"users", "import", csvFile},
        .environment = {"DATABASE_URL=" + m_endpoints.databaseUrl, "DATABASE_URL_FILE",
            "DATABASE_DIRECT_URL", "DATABASE_DIRECT_URL_FILE"}});
    if (!import) return import.error();
    if ((*import)->waitExit(kReadyLimit) == 0) return base::Done{};
    return base::Error{base::ErrorKind::Invalid, "users import: " + (*import)->errorOutput()};
}

base::Status Programs::startWorker()
{
    auto worker = support::Daemon::start(
        {.databaseUrl = m_endpoints.databaseUrl,
            .redisUrl = m_endpoints.redisUrl,
            .secretFile = m_endpoints.secretFile,
            .roles = "settle",
            .logFile = m_folder + "/worker" + std::to_string(++m_workers) + ".log"},
        kReadyLimit);
    if (!worker) return worker.error();
    m_worker = std::move(*worker);
    return base::Done{};
}

void Programs::killWorker()
{
    if (m_worker) m_worker->process().kill();
}

std::string Programs::whoEnded() const
{
    for (const auto* daemon : {&m_server, &m_worker}) {
        if (!*daemon || (*daemon)->process().isRunning()) continue;
        return (daemon == &m_server ? "the server ended:\n" : "the worker ended:\n")
            + endOf((*daemon)->process().errorOutput());
    }
    return {};
}

base::Status Programs::stop()
{
    std::string complaint;
    for (auto* daemon : {&m_worker, &m_server}) {
        if (!*daemon) continue;
        if ((*daemon)->process().terminate(kStopLimit) != 0) {
            complaint += daemon == &m_worker ? "the worker did not end with 0; "
                                             : "the server did not end with 0; ";
        }
        daemon->reset();
    }
    if (complaint.empty()) return base::Done{};
    return base::Error{base::ErrorKind::Corrupt, complaint + "their logs are in " + m_folder};
}

} // namespace demo
