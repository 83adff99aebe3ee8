#include "tests/support/stack.h"
#include "tests/support/wait.h"
#include "ui/data/database.h"

#include <QSignalSpy>
#include <QTest>
#include <csignal>

using namespace std::chrono_literals;
using ui::Answer;
using ui::Database;
using ui::Link;
using ui::Rows;
using ui::Session;

namespace {

constexpr ui::Statement kExact{"exact",
    "-- in: text\n"
    "SELECT $1::numeric::text, 9007199254740993::bigint,"
    " '2026-12-01 03:56:11.123456+02'::timestamptz::text, '\\x00ff'::bytea, NULL::text, true,"
    " current_setting('transaction_read_only')"};
constexpr ui::Statement kSleep{"sleep", "-- in: text\nSELECT pg_sleep($1::double precision)::text"};
constexpr ui::Statement kWord{"word", "-- in: text\nSELECT $1"};
constexpr ui::Statement kRefuse{"refuse", "SELECT * FROM refuse_with_code()"};
constexpr ui::Statement kWrite{"write", "INSERT INTO users (id) VALUES (4711)"};

} // namespace

class TstDatabase : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void valuesAreExact();
    void theLastWishWins();
    void aWishStopsAtItsDeadline();
    void aCancelledStatementStopsTheServerToo();
    void refusalsKeepTheirCodeAndSentence();
    void readingCannotWriteAndACommandDoes();
    void comesBackAfterPostgresRestarts();
    void hintsAreGathered();
    void nothingComesBackToAContextThatIsGone();
    void aSilentServerIsSaidWithinTheGrace();

private:
    quint64 askWord(const QString& subject, const QString& word);
    quint64 askSleep(
        const QString& subject, const QString& seconds, std::chrono::milliseconds limit);
    std::string sleepers();

    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_store;
    std::unique_ptr<Database> m_database;
    QStringList m_words; // answers of askWord, in order
    std::vector<base::Error> m_errors;
};

void TstDatabase::initTestCase()
{
    m_stack = std::make_unique<support::TestStack>();
}

void TstDatabase::init()
{
    m_words.clear();
    m_errors.clear();
    m_store = std::make_unique<support::Database>(m_stack->createDatabase());
    const auto address = ui::DatabaseAddress::fromUri(QString::fromStdString(m_store->url()));
    QVERIFY(address);
    m_database = std::make_unique<Database>(*address, base::Secret{});
    QTRY_COMPARE(m_database->link().state, Link::State::Up);
}

void TstDatabase::cleanup()
{
    m_database.reset();
}

quint64 TstDatabase::askWord(const QString& subject, const QString& word)
{
    return m_database->ask<QString>(
        this, subject, 5s,
        [word](Session& session) -> base::Result<QString> {
            const auto row = session.one(kWord, {word});
            if (!row) return row.error();
            return row->text(0);
        },
        [this](const Answer<QString>& answer) {
            if (answer.value) m_words << *answer.value;
            if (!answer.value) m_errors.push_back(answer.value.error());
        });
}

quint64 TstDatabase::askSleep(
    const QString& subject, const QString& seconds, std::chrono::milliseconds limit)
{
    return m_database->ask<Rows>(
        this, subject, limit,
        [seconds](Session& session) { return session.run(kSleep, {seconds}); },
        [this](const Answer<Rows>& answer) {
            if (answer.value) m_words << "slept";
            if (!answer.value) m_errors.push_back(answer.value.error());
        });
}

std::string TstDatabase::sleepers()
{
    return m_store->value("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
}

void TstDatabase::valuesAreExact()
{
    std::optional<Answer<Rows>> got;
    m_database->ask<Rows>(
        this, "exact", 5s,
        [](Session& session) {
            return session.run(kExact, {QString{"99999999999999999999.123456789012345678"}});
        },
        [&got](const Answer<Rows>& answer) { got.emplace(answer); });
    QTRY_VERIFY(got);
    QVERIFY2(got->value, got->value ? "" : got->value.error().message.c_str());
    const ui::Row& row = got->value->first();
    QCOMPARE(QString::fromStdString(row.amount(0).toNumeric()),
        QString{"99999999999999999999.123456789012345678"});
    QCOMPARE(row.integer(1), qint64{9007199254740993});
    QCOMPARE(row.moment(2).toText(), QString{"2026-12-01T01:56:11.123456Z"});
    QCOMPARE(row.bytes(3), (QByteArray{"\x00\xff", 2}));
    QVERIFY(row.isNull(4));
    QVERIFY(row.boolean(5));
    QCOMPARE(row.text(6), QString{"on"});
    QVERIFY(got->asOf);
}

void TstDatabase::theLastWishWins()
{
    askSleep("other", "0.3", 5s); // holds the thread while wishes come in
    for (const char* word : {"a", "b", "c"}) askWord("typing", word);
    QTRY_COMPARE(m_words, (QStringList{"slept", "c"}));

    askSleep("typing", "30", 60s);
    QTRY_COMPARE(sleepers(), std::string{"1"});
    askWord("typing", "d"); // stops what runs
    QTRY_COMPARE(m_words, (QStringList{"slept", "c", "d"}));
    QVERIFY(m_errors.empty());
}

void TstDatabase::aWishStopsAtItsDeadline()
{
    askSleep("slow", "30", 200ms);
    QTRY_COMPARE(m_errors.size(), std::size_t{1});
    QVERIFY(ui::isStopped(m_errors[0]));
    QCOMPARE(m_errors[0].kind, base::ErrorKind::Unavailable);
    askWord("slow", "next");
    QTRY_COMPARE(m_words, QStringList{"next"});
}

void TstDatabase::aCancelledStatementStopsTheServerToo()
{
    const auto ticket = askSleep("slow", "30", 60s);
    QTRY_COMPARE(sleepers(), std::string{"1"});
    m_database->cancel(ticket);
    QTRY_COMPARE(sleepers(), std::string{"0"});
    askWord("slow", "next");
    QTRY_COMPARE(m_words, QStringList{"next"});
    QVERIFY(m_errors.empty()); // what was cancelled is not answered
}

void TstDatabase::refusalsKeepTheirCodeAndSentence()
{
    m_store->run("CREATE FUNCTION refuse_with_code() RETURNS int LANGUAGE plpgsql AS $$ BEGIN "
                 "RAISE EXCEPTION 'another person has to decide' USING ERRCODE = 'CS002'; END $$");
    std::optional<base::Error> error;
    m_database->command<Rows>(
        this, 5s, [](Session& session) { return session.run(kRefuse); },
        [&error](const Answer<Rows>& answer) { error = answer.value.error(); });
    QTRY_VERIFY(error);
    QCOMPARE(error->code, std::string{"CS002"});
    QCOMPARE(error->message, std::string{"another person has to decide"});
    QCOMPARE(error->kind, base::ErrorKind::Invalid);
}

void TstDatabase::readingCannotWriteAndACommandDoes()
{
    std::optional<base::Error> error;
    m_database->ask<Rows>(
        this, "write", 5s, [](Session& session) { return session.run(kWrite); },
        [&error](const Answer<Rows>& answer) { error = answer.value.error(); });
    QTRY_VERIFY(error);
    QCOMPARE(error->code, std::string{"25006"});
    bool isDone = false;
    m_database->command<Rows>(
        this, 5s, [](Session& session) { return session.run(kWrite); },
        [&isDone](const Answer<Rows>& answer) { isDone = bool{answer.value}; });
    QTRY_VERIFY(isDone);
    QCOMPARE(m_store->value("SELECT count(*) FROM users WHERE id = 4711"), std::string{"1"});
}

void TstDatabase::comesBackAfterPostgresRestarts()
{
    QSignalSpy links{m_database.get(), &Database::linkChanged};
    m_stack->stores().hold(embedded::Store::Postgres);
    askWord("one", "lost");
    QTRY_COMPARE(m_errors.size(), std::size_t{1});
    QCOMPARE(m_errors[0].kind, base::ErrorKind::Unavailable);
    QCOMPARE(m_database->link().state, Link::State::Down);
    QVERIFY(!m_database->link().reason.isEmpty());
    QVERIFY(m_stack->stores().release(embedded::Store::Postgres));
    QTRY_COMPARE_WITH_TIMEOUT(m_database->link().state, Link::State::Up, 20000);
    askWord("one", "back");
    QTRY_COMPARE(m_words, QStringList{"back"});
    m_store = std::make_unique<support::Database>(m_store->url());
}

void TstDatabase::hintsAreGathered()
{
    QSignalSpy hints{m_database.get(), &Database::hinted};
    m_database->listen("countersign_work");
    askWord("one", "listening"); // the thread does one thing after the other
    QTRY_COMPARE(m_words, QStringList{"listening"});
    for (int i = 0; i < 20; ++i)
        m_store->run("NOTIFY countersign_work, '" + std::to_string(i) + "'");
    QTRY_VERIFY(!hints.isEmpty());
    QCOMPARE(hints[0][0].toStringList(), QStringList{"countersign_work"});
    QVERIFY(hints.size() < 10);
}

void TstDatabase::nothingComesBackToAContextThatIsGone()
{
    bool isCalled = false;
    auto context = std::make_unique<QObject>();
    m_database->ask<Rows>(
        context.get(), "gone", 5s, [](Session& session) { return session.run(kSleep, {"0.2"}); },
        [&isCalled](const Answer<Rows>&) { isCalled = true; });
    context.reset();
    askWord("after", "done");
    QTRY_COMPARE(m_words, QStringList{"done"});
    QVERIFY(!isCalled);
}

void TstDatabase::aSilentServerIsSaidWithinTheGrace()
{
    // A backend that is stopped keeps its socket open and says nothing, not even that it was late.
    const pid_t backend = static_cast<pid_t>(m_database->link().server.backend);
    QVERIFY(backend > 0);
    QCOMPARE(::kill(backend, SIGSTOP), 0);
    askWord("one", "late");
    QTRY_COMPARE_WITH_TIMEOUT(m_errors.size(), std::size_t{1}, 9000);
    const base::Error error = m_errors[0];
    QCOMPARE(::kill(backend, SIGCONT), 0);
    QCOMPARE(error.kind, base::ErrorKind::Unavailable);
    askWord("one", "again");
    QTRY_COMPARE(m_words, QStringList{"again"}); // the late answer was dropped
}

QTEST_GUILESS_MAIN(TstDatabase)
#include "tst_database.moc"
