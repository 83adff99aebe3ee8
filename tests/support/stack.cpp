#include "tests/support/stack.h"

#include "processor/embedded/private_file.h"
#include "processor/pg/migrator.h"
#include "sql/demo_people.h"
#include "sql/migrations.h"
#include "sql/roles.h"
#include "tests/support/require.h"

namespace support {
namespace {

constexpr const char* kTemplate = "countersign"; // the stack's own database, which stays unused

std::unique_ptr<embedded::Stack> startStores(
    const TempFolder& folder, std::vector<std::string> settings)
{
    // Many test programs run side by side on small machines.
    settings.insert(settings.begin(), {"shared_buffers=64MB", "max_wal_size=256MB"});
    return require(embedded::Stack::start(
        {.folder = folder.file("stack"), .fsync = false, .postgresSettings = std::move(settings)}));
}

} // namespace

TestStack::TestStack(const std::vector<std::string>& postgresSettings)
    : m_stores{startStores(m_folder, postgresSettings)}
{
    makeTemplate();
}

void TestStack::makeTemplate()
{
    Database database{m_stores->databaseUrl(kTemplate)};
    database.run(sql::kRoles);
    auto connection = database.connect();
    require(pg::Migrator{connection, sql::kMigrations}.apply());
    database.run(sql::kDemoPeople);
}

Database TestStack::createDatabase()
{
    const auto name = "test_" + std::to_string(++m_databases);
    Database{m_stores->databaseUrl("postgres")}.run(
        "CREATE DATABASE " + name + " TEMPLATE " + kTemplate);
    return Database{m_stores->databaseUrl(name)};
}

redis::Client TestStack::connectRedis(bool clear) const
{
    redis::Client client{{.url = redisUrl()}};
    if (clear) require(client.run({"FLUSHALL"}));
    return client;
}

std::string TestStack::secret() const
{
    auto text = require(embedded::readFile(secretFile()));
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

} // namespace support
