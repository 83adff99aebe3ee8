#include "processor/daemon/schema.h"

#include "processor/pg/migrator.h"
#include "sql/demo_people.h"
#include "sql/doctor.h"
#include "sql/migrations.h"
#include "sql/roles.h"

#include <string_view>

namespace processor {
namespace {

std::vector<std::string> namesOf(const std::vector<pg::Migration>& migrations)
{
    constexpr std::size_t kDigits = 4;
    std::vector<std::string> names;
    for (const pg::Migration& migration : migrations) {
        const std::string number = std::to_string(migration.number);
        names.push_back(std::string(kDigits - number.size(), '0') + number + "_" + migration.name);
    }
    return names;
}

// A login that may not create roles can still migrate once the DBA has made them.
base::Status makeRoles(pg::Connection& direct, pg::Migrator& migrator)
{
    constexpr std::string_view kInsufficientPrivilege = "42501";
    const auto made = migrator.runScript(sql::kRoles);
    if (made || made.error().code != kInsufficientPrivilege) return made;
    const auto exist = direct.run(sql::kDoctorHasRoles);
    if (!exist) return exist.error();
    if (exist->boolean(0, 0)) return base::Done{};
    return base::Error{base::ErrorKind::Invalid,
        "this login may not create roles (" + made.error().message
            + "); ask the DBA to run this first:\n\n" + sql::kRoles};
}

} // namespace

std::int64_t schemaNumber()
{
    return sql::kMigrations.back().number;
}

base::Result<std::vector<std::string>> missingMigrations(pg::Connection& direct)
{
    const auto plan = pg::Migrator{direct, sql::kMigrations}.plan();
    if (!plan) return plan.error();
    return namesOf(*plan);
}

base::Result<std::vector<std::string>> migrate(pg::Connection& direct)
{
    pg::Migrator migrator{direct, sql::kMigrations};
    if (const auto made = makeRoles(direct, migrator); !made) return made.error();
    const auto applied = migrator.apply();
    if (!applied) return applied.error();
    return namesOf(*applied);
}

base::Status makeDemoPeople(pg::Connection& direct)
{
    return pg::Migrator{direct, sql::kMigrations}.runScript(sql::kDemoPeople);
}

} // namespace processor
