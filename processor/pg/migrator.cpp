#include "processor/pg/migrator.h"

#include "processor/base/log.h"
#include "processor/pg/deadline.h"
#include "sql/migrator.h"

#include <string>
#include <string_view>
#include <utility>

namespace pg {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kOutsideMark = "-- migrate: no transaction\n";
constexpr std::string_view kPieceMark = "\n-- migrate: next\n";

base::Error refuse(std::string why)
{
    return {base::ErrorKind::Corrupt, "migrations: " + std::move(why)};
}

std::string labelOf(std::int64_t number, std::string_view name)
{
    const std::string digits = std::to_string(number);
    const std::string zeros(digits.size() < 4 ? 4 - digits.size() : 0, '0');
    return zeros + digits + "_" + std::string{name};
}

// What is missing, after everything recorded has been found to be the beginning of what we know.
base::Result<std::vector<Migration>> compare(std::span<const Migration> known, const Rows& applied)
{
    for (int row = 0; row < applied.size(); ++row) {
        const auto number = applied.bigint(row, 0);
        const std::string label = labelOf(number, applied.text(row, 1));
        if (number != row + 1) return refuse(label + " is applied, but not the one before it");
        if (static_cast<std::size_t>(number) > known.size()) {
            return refuse("the database is newer than this program: it has " + label
                + ", the newest known here is " + std::to_string(known.size()));
        }
        const Migration& ours = known[static_cast<std::size_t>(row)];
        if (applied.text(row, 1) != ours.name || applied.text(row, 2) != ours.sha256) {
            return refuse(label + " was applied with SHA-256 " + std::string{applied.text(row, 2)}
                + ", but this program carries " + labelOf(ours.number, ours.name) + " with "
                + ours.sha256 + "; an applied migration must not be changed");
        }
    }
    const auto missing = known.subspan(static_cast<std::size_t>(applied.size()));
    return std::vector<Migration>{missing.begin(), missing.end()};
}

bool runsOutside(const Migration& migration)
{
    return std::string_view{migration.text}.starts_with(kOutsideMark);
}

std::vector<std::string> piecesOf(const Migration& migration)
{
    std::string_view rest = migration.text;
    if (!runsOutside(migration)) return {std::string{rest}};
    std::vector<std::string> pieces;
    for (;;) {
        const auto mark = rest.find(kPieceMark);
        pieces.emplace_back(rest.substr(0, mark));
        if (mark == std::string_view::npos) return pieces;
        rest.remove_prefix(mark + kPieceMark.size());
    }
}

// A migration may take hours; while the scope lasts a round trip has no limit of its own.
class Unlimited
{
public:
    explicit Unlimited(Connection& connection)
        : m_connection{connection}
        , m_before{connection.statementTimeout()}
    {
        connection.setStatementTimeout(milliseconds{0});
    }
    ~Unlimited() { m_connection.setStatementTimeout(m_before); }
    Unlimited(const Unlimited&) = delete;
    Unlimited& operator=(const Unlimited&) = delete;

private:
    Connection& m_connection;
    milliseconds m_before;
};

} // namespace

Migrator::Migrator(Connection& connection, std::span<const Migration> known, MigratorLimits limits)
    : m_connection{connection}
    , m_known{known}
    , m_limits{limits}
{
    for (std::size_t i = 0; i < known.size(); ++i) {
        CHECK(known[i].number == static_cast<int>(i) + 1);
    }
}

TransactionLimits Migrator::transactionLimits() const
{
    return {.statement = milliseconds{0}, .lock = m_limits.otherMigrator};
}

base::Result<std::vector<Migration>> Migrator::plan()
{
    const auto hasTable = m_connection.run(sql::kMigratorHasTable);
    if (!hasTable) return hasTable.error();
    if (!hasTable->boolean(0, 0)) return std::vector<Migration>{m_known.begin(), m_known.end()};
    const auto applied = m_connection.run(sql::kMigratorApplied);
    if (!applied) return applied.error();
    return compare(m_known, *applied);
}

base::Status Migrator::prepareTable()
{
    const auto hasTable = m_connection.run(sql::kMigratorHasTable);
    if (!hasTable) return hasTable.error();
    if (hasTable->boolean(0, 0)) return base::Done{};
    const auto created = m_connection.run(sql::kMigratorCreateTable);
    if (created) return base::Done{};
    // Two that create at once: IF NOT EXISTS still lets the loser fail on the catalogue's key.
    const auto looked = m_connection.run(sql::kMigratorHasTable);
    if (looked && looked->boolean(0, 0)) return base::Done{};
    return created.error();
}

base::Result<std::vector<Migration>> Migrator::apply()
{
    const Unlimited unlimited{m_connection};
    if (const auto prepared = prepareTable(); !prepared) return prepared.error();
    const auto missing = plan();
    if (!missing) return missing.error();

    std::vector<Migration> done;
    for (const Migration& migration : *missing) {
        const auto ran = applyOne(migration);
        if (!ran) return ran.error();
        if (*ran) done.push_back(migration);
    }
    return done;
}

// False when another migrator was faster.
base::Result<bool> Migrator::applyOne(const Migration& migration)
{
    if (!runsOutside(migration)) return applyUnderLock(migration, m_connection);
    // The lock needs a transaction, the migration must not be in one: two connections.
    auto worker = m_connection.openAnother();
    if (!worker) return worker.error();
    worker->setStatementTimeout(milliseconds{0});
    return applyUnderLock(migration, *worker);
}

// Answers what is applied, read once the lock is held.
base::Result<std::vector<Rows>> Migrator::lock(Transaction& transaction)
{
    transaction.add(sql::kMigratorLock).add(sql::kMigratorApplied);
    transaction.add(sql::kMigratorBodyLimits, Params{}.text(asMillis(m_limits.tableLock)));
    transaction.add(sql::kMigratorStayIdle);
    return transaction.send();
}

base::Result<bool> Migrator::applyUnderLock(const Migration& migration, Connection& worker)
{
    const std::string label = labelOf(migration.number, migration.name);
    Transaction transaction{m_connection, transactionLimits()};
    const auto locked = lock(transaction);
    if (!locked) return locked.error();
    const auto missing = compare(m_known, (*locked)[1]);
    if (!missing) return missing.error();
    if (missing->empty() || missing->front().number > migration.number) return false;

    base::logInfo("migration starts", {{"migration", label}});
    for (const std::string& piece : piecesOf(migration)) {
        if (const auto ran = worker.runScript(piece); !ran) {
            base::Error error = ran.error();
            error.message = "migration " + label + ": " + error.message;
            return error;
        }
    }
    if (m_connection.isIdle()) return refuse(label + " ended the transaction it ran in");
    if (&worker != &m_connection && !worker.isIdle()) {
        return refuse(label + " left a transaction open");
    }
    transaction.add(sql::kMigratorOwnRole);
    transaction.add(sql::kMigratorRecord,
        Params{}.integer(migration.number).text(migration.name).text(migration.sha256));
    if (const auto committed = transaction.commit(); !committed) return committed.error();
    return true;
}

base::Status Migrator::runScript(const std::string& script)
{
    const Unlimited unlimited{m_connection};
    if (const auto prepared = prepareTable(); !prepared) return prepared.error();
    Transaction transaction{m_connection, transactionLimits()};
    if (const auto locked = lock(transaction); !locked) return locked.error();
    if (const auto ran = m_connection.runScript(script); !ran) return ran.error();
    if (m_connection.isIdle()) return refuse("the script ended the transaction it ran in");
    if (const auto committed = transaction.commit(); !committed) return committed.error();
    return base::Done{};
}

} // namespace pg
