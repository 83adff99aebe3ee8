#include "tests/torture/arena.h"

#include "processor/embedded/private_file.h"
#include "tests/support/require.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace torture {
namespace {

// All of 127.0.0.0/8 is this machine: programs that run side by side do not meet.
std::string ownLoopback()
{
    const auto pid = static_cast<unsigned>(::getpid());
    return "127." + std::to_string(1 + pid / 65'536 % 250) + "." + std::to_string(pid / 256 % 256)
        + "." + std::to_string(1 + pid % 254);
}

std::vector<std::string> withTcp(
    std::vector<std::string> settings, const std::string& host, const std::string& rules)
{
    settings.insert(settings.begin(), {"listen_addresses=" + host, "hba_file=" + rules});
    return settings;
}

} // namespace

Arena::Arena(const std::vector<std::string>& postgresSettings)
    : m_tcpHost{ownLoopback()}
    , m_stack{withTcp(postgresSettings, m_tcpHost, writeAccessRules())}
{}

// The stack's own rules know the Unix socket only.
std::string Arena::writeAccessRules() const
{
    const std::string file = m_folder.file("pg_hba.conf");
    std::ofstream{file} << "local all all trust\nhost all all 127.0.0.0/8 trust\n";
    std::filesystem::permissions(file, std::filesystem::perms{0644});
    return file;
}

support::Database Arena::createDatabase(std::int64_t users)
{
    (void)m_stack.connectRedis(true);
    auto database = m_stack.createDatabase();
    database.addUsers(1, users);
    return database;
}

std::unique_ptr<support::Daemon> Arena::serve(
    const support::Database& database, support::DaemonPlan plan)
{
    if (plan.databaseUrl.empty()) plan.databaseUrl = database.url();
    if (plan.redisUrl.empty()) plan.redisUrl = m_stack.redisUrl();
    plan.secretFile = m_stack.secretFile();
    plan.arguments.insert(
        plan.arguments.begin(), {"--rate-limit-per-second", "0", "--rate-limit-per-minute", "0"});
    return support::require(support::Daemon::start(plan));
}

std::string Arena::socketFile()
{
    // The only place that knows it is the URL: …?host=FOLDER&port=5432
    const std::string url = m_stack.stores().databaseUrl();
    const auto from = url.find("host=") + 5;
    std::string folder = url.substr(from, url.find('&', from) - from);
    for (auto at = folder.find("%2F"); at != std::string::npos; at = folder.find("%2F")) {
        folder.replace(at, 3, "/");
    }
    return folder + "/.s.PGSQL.5432";
}

std::string Arena::urlAt(const support::Database& database, const std::string& host, int port)
{
    const std::string url = database.url();
    return url.substr(0, url.find('?')) + "?host=" + host + "&port=" + std::to_string(port);
}

std::string Arena::serverLog()
{
    const auto& folder = m_stack.stores().folder();
    const auto text = embedded::readFile(folder + "/postgres.log");
    return text ? *text : std::string{};
}

int Arena::serverLogged(const std::string& text)
{
    const std::string log = serverLog();
    int count = 0;
    for (auto at = log.find(text); at != std::string::npos; at = log.find(text, at + 1)) ++count;
    return count;
}

} // namespace torture
