#include "processor/daemon/doctor.h"

#include "processor/pg/migrator.h"
#include "sql/doctor.h"
#include "sql/migrations.h"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace processor {
namespace {

constexpr std::int64_t kVersionLeast = 150'000;
constexpr std::int64_t kClockMicrosMost = 1'000'000;

class Examination
{
public:
    explicit Examination(pg::Connection connection) : m_connection{std::move(connection)} {}

    std::vector<Diagnosis> run()
    {
        for (const auto step : {&Examination::server, &Examination::durability,
                 &Examination::schema, &Examination::session}) {
            if (const auto done = (this->*step)(); !done) {
                add("PostgreSQL", Grade::Wrong, done.error().message);
                break;
            }
        }
        return std::move(m_diagnoses);
    }

private:
    void add(std::string subject, Grade grade, std::string text)
    {
        m_diagnoses.push_back({std::move(subject), grade, std::move(text)});
    }

    base::Status server()
    {
        const auto before = std::chrono::system_clock::now();
        const auto rows = m_connection.run(sql::kDoctorServer);
        if (!rows) return rows.error();
        const auto after = std::chrono::system_clock::now();

        const std::string version{rows->text(0, 1)};
        const bool isNew = rows->bigint(0, 0) >= kVersionLeast;
        add("PostgreSQL version", isNew ? Grade::Fine : Grade::Wrong,
            version + (isNew ? "" : "; 15 is the oldest that can be used"));

        m_user = rows->text(0, 2);
        const bool isSuperuser = rows->boolean(0, 3);
        add("login", isSuperuser ? Grade::Warning : Grade::Fine,
            m_user
                + (isSuperuser
                        ? "; a superuser passes every check of the database: the daemon should "
                          "log in as countersign_processor"
                        : ""));
        if (rows->boolean(0, 4)) {
            add("server", Grade::Wrong, "is a standby and takes no writes");
        }
        clock(rows->timestampMicros(0, 6), before, after);
        return base::Done{};
    }

    void clock(std::int64_t theirs, std::chrono::system_clock::time_point before,
        std::chrono::system_clock::time_point after)
    {
        const auto middle = before + (after - before) / 2;
        const auto ours
            = std::chrono::duration_cast<std::chrono::microseconds>(middle.time_since_epoch());
        const std::int64_t apart = std::abs(theirs - ours.count());
        add("clock", apart <= kClockMicrosMost ? Grade::Fine : Grade::Warning,
            std::to_string(apart / 1'000) + " ms apart from this host"
                + (apart <= kClockMicrosMost ? "" : "; times in logs will not agree"));
    }

    base::Status durability()
    {
        const auto rows = m_connection.run(sql::kDoctorDurability);
        if (!rows) return rows.error();
        const std::string commit{rows->text(0, 2)};
        const std::string standbys{rows->text(0, 3)};
        const bool isSafe = rows->text(0, 0) == "on" && rows->text(0, 1) == "on" && commit != "off";
        add("durability", isSafe ? Grade::Fine : Grade::Wrong,
            "fsync=" + std::string{rows->text(0, 0)} + " full_page_writes="
                + std::string{rows->text(0, 1)} + " synchronous_commit=" + commit
                + (isSafe ? "" : "; a crash may lose what was answered 200"));
        if (standbys.empty()) {
            add("failover", Grade::Warning,
                "no synchronous standby is configured: a failover may lose the payments that were "
                "answered 200 within the standby's delay");
        } else if (commit == "local" || commit == "off") {
            add("failover", Grade::Warning,
                "synchronous_commit=" + commit
                    + " does not wait for the standby: a failover may lose answered payments");
        } else {
            add("failover", Grade::Fine, "commits wait for " + standbys);
        }
        return base::Done{};
    }

    base::Status schema()
    {
        pg::Migrator migrator{m_connection, sql::kMigrations};
        const auto plan = migrator.plan();
        if (!plan) {
            add("schema", Grade::Wrong, plan.error().message);
            return base::Done{};
        }
        m_hasSchema = plan->size() < sql::kMigrations.size();
        add("schema", plan->empty() ? Grade::Fine : Grade::Wrong,
            plan->empty() ? "current, " + std::to_string(sql::kMigrations.size()) + " migrations"
                          : std::to_string(plan->size())
                    + " migrations are missing; run: countersignd migrate");
        return base::Done{};
    }

    base::Status session()
    {
        if (!m_hasSchema) return base::Done{};
        const auto may = m_connection.run(sql::kDoctorCanWrite);
        if (!may) return may.error();
        const bool canWork = !may->isNull(0, 0) && may->boolean(0, 0);
        add("rights", canWork ? Grade::Fine : Grade::Wrong,
            m_user + (canWork ? " may do the daemon's work" : " may not do the daemon's work"));

        const auto rows = m_connection.run(sql::kDoctorSession);
        if (!rows) return rows.error();
        const bool isSet
            = rows->text(0, 0) == "10s" && rows->text(0, 1) == "off" && rows->text(0, 2) == "off";
        add("settings of the login", isSet ? Grade::Fine : Grade::Warning,
            isSet ? "as ALTER ROLE countersign_processor sets them"
                  : "those of countersign_processor are not in force: plans may turn slow, and a "
                    "frozen worker may keep its locks for longer than 15 s");
        return base::Done{};
    }

    pg::Connection m_connection;
    std::string m_user;
    bool m_hasSchema = false;
    std::vector<Diagnosis> m_diagnoses;
};

} // namespace

std::vector<Diagnosis> examineDatabase(const pg::ConnectOptions& options)
{
    auto connection = pg::Connection::open(options);
    if (!connection) return {{"PostgreSQL", Grade::Wrong, connection.error().message}};
    return Examination{std::move(*connection)}.run();
}

} // namespace processor
