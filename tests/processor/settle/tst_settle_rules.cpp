// The rules of settlement that need no database: remedies, causes, batch sizes, accounts set aside.
#include "processor/settle/batch_size.h"
#include "processor/settle/letter.h"
#include "processor/settle/lone_event.h"
#include "processor/settle/remedy.h"
#include "processor/settle/set_aside.h"

#include <QTest>

Q_DECLARE_METATYPE(base::ErrorKind)
Q_DECLARE_METATYPE(settle::Stage)
Q_DECLARE_METATYPE(settle::Remedy)

using base::ErrorKind;
using settle::Remedy;
using settle::Stage;

class TestSettleRules : public QObject
{
    Q_OBJECT

private slots:
    void remedies_data();
    void remedies();
    void causes_data();
    void causes();
    void differentTroubleHasDifferentCauses();
    void aLetterNamesTheSqlStateOrTheFailure();
    void batchSizesHalveToOneAndGrowBack();
    void accountsAreSetAsideForATime();
    void noMoreAccountsThanTheLimitAreRemembered();
};

void TestSettleRules::remedies_data()
{
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    QTest::addColumn<Stage>("stage");
    QTest::addColumn<int>("events");
    QTest::addColumn<Remedy>("remedy");
    const auto row
        = [](const char* name, ErrorKind kind, const char* code, Stage stage, int events,
              Remedy remedy) { QTest::newRow(name) << kind << code << stage << events << remedy; };
    row("a lost server is waited for", ErrorKind::Unavailable, "57P01", Stage::Write, 1,
        Remedy::Wait);
    row("a COMMIT of unknown end is run again", ErrorKind::Unknown, "08006", Stage::Commit, 1,
        Remedy::RunAgain);
    row("waiting for lanes or balances never counts", ErrorKind::Conflict, "55P03", Stage::Read, 1,
        Remedy::RunAgain);
    row("waiting for the log's tail never counts", ErrorKind::Conflict, "55P03", Stage::Commit, 1,
        Remedy::RunAgain);
    row("waiting for a merchant never counts", ErrorKind::Conflict, "55P03", Stage::Write, 1,
        Remedy::LetPass);
    row("one of many waits for a merchant", ErrorKind::Conflict, "55P03", Stage::Write, 2,
        Remedy::Halve);
    row("a deadlock of many halves", ErrorKind::Conflict, "40P01", Stage::Write, 2, Remedy::Halve);
    row("a deadlock of one counts", ErrorKind::Conflict, "40P01", Stage::Write, 1, Remedy::Count);
    row("wrong row counts of one count", ErrorKind::Conflict, "row_count", Stage::Write, 1,
        Remedy::Count);
    row("a data error of many halves", ErrorKind::Invalid, "22003", Stage::Write, 500,
        Remedy::Halve);
    row("a data error of one counts", ErrorKind::Invalid, "22003", Stage::Write, 1, Remedy::Count);
    row("a data error in the log counts", ErrorKind::Invalid, "22P02", Stage::Commit, 1,
        Remedy::Count);
    row("a missing partition condemns nobody", ErrorKind::Invalid, "23514", Stage::Write, 1,
        Remedy::Page);
    row("an unreadable batch is ours to mend", ErrorKind::Invalid, "22P02", Stage::Read, 0,
        Remedy::Page);
    row("broken SQL of many is narrowed down", ErrorKind::Corrupt, "42501", Stage::Write, 9,
        Remedy::Halve);
    row("broken SQL of one is never its fault", ErrorKind::Corrupt, "42501", Stage::Write, 1,
        Remedy::Page);
    row("a broken schema is ours to mend", ErrorKind::Corrupt, "42P01", Stage::Read, 0,
        Remedy::Page);
}

void TestSettleRules::remedies()
{
    QFETCH(ErrorKind, kind);
    QFETCH(QString, code);
    QFETCH(Stage, stage);
    QFETCH(int, events);
    QFETCH(Remedy, remedy);

    const base::Error error{kind, "settle_x: text", code.toStdString()};

    QCOMPARE(int(settle::remedyOf(error, stage, events)), int(remedy));
}

void TestSettleRules::causes_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::newRow("numbers") << "row 17 of 500"
                             << "row 4 of 81";
    QTest::newRow("quoted names") << "violates \"a\""
                                  << "violates \"b c\"";
    QTest::newRow("quoted values") << "invalid input 'x'"
                                   << "invalid input 'it is 9'";
    QTest::newRow("keys and values") << "Key (id)=(evt-1) exists"
                                     << "Key (id)=(other) exists";
    QTest::newRow("hashes") << "tx 0xab12 is gone"
                            << "tx 0xff00aa is gone";
    QTest::newRow("uuids") << "trace 0f8a-11 ended"
                           << "trace 1b9c-22 ended";
}

void TestSettleRules::causes()
{
    QFETCH(QString, one);
    QFETCH(QString, other);

    const auto first = settle::causeOf("23505", one.toStdString(), "settle_write_journal");
    const auto second = settle::causeOf("23505", other.toStdString(), "settle_write_journal");

    QCOMPARE(first, second);
    QCOMPARE(first.size(), std::size_t{16});
}

void TestSettleRules::differentTroubleHasDifferentCauses()
{
    const auto cause = settle::causeOf("23505", "duplicate key", "settle_write_journal");
    QVERIFY(cause != settle::causeOf("23514", "duplicate key", "settle_write_journal"));
    QVERIFY(cause != settle::causeOf("23505", "other key", "settle_write_journal"));
    QVERIFY(cause != settle::causeOf("23505", "duplicate key", "log_append"));
    // An apostrophe that never closes is text.
    QVERIFY(settle::causeOf("1", "it's a", "x") != settle::causeOf("1", "it's b", "x"));
}

void TestSettleRules::aLetterNamesTheSqlStateOrTheFailure()
{
    using domain::Failure;
    const base::Error refused{ErrorKind::Invalid, "settle_write_journal: no", "23514", "refused"};
    const base::Error twice{
        ErrorKind::Invalid, "settle_write_journal: twice", "23505", settle::kJournalSourceKey};
    const base::Error bare{ErrorKind::Invalid, "settle_x: no"};

    QCOMPARE(int(settle::failureOf(refused)), int(Failure::Exhausted));
    QCOMPARE(int(settle::failureOf(twice)), int(Failure::StateContradiction));
    const domain::EventNo no{7};
    QCOMPARE(
        settle::letterOfError(no, Failure::Exhausted, refused, 6).errorClass, std::string{"23514"});
    QCOMPARE(settle::letterOfError(no, Failure::StateContradiction, twice, 6).errorClass,
        std::string{"state_contradiction"});
    QCOMPARE(settle::letterOfError(no, Failure::Exhausted, bare, 6).errorClass,
        std::string{"exhausted"});
    QCOMPARE(settle::letterOfFailure(no, Failure::BalanceOverflow, 1).errorClass,
        std::string{"balance_overflow"});
}

void TestSettleRules::batchSizesHalveToOneAndGrowBack()
{
    settle::BatchSize size{500};
    size.failed(500);
    QCOMPARE(size.now(), 250);
    size.failed(3); // only three of them were decided
    QCOMPARE(size.now(), 1);
    size.failed(1);
    QCOMPARE(size.now(), 1);
    for (int i = 0; i < 20; ++i) size.succeeded();
    QCOMPARE(size.now(), 500);
}

void TestSettleRules::accountsAreSetAsideForATime()
{
    using namespace std::chrono_literals;
    const settle::SetAside::Clock::time_point start{};
    const domain::AccountId first{domain::UserId{1}, "ETH"};
    const domain::AccountId second{domain::UserId{1}, "USDC"};
    settle::SetAside aside;
    QVERIFY(!aside.nextEnd());

    QVERIFY(aside.add(first, start + 1s));
    QVERIFY(aside.add(second, start + 2s));
    QVERIFY(!aside.add(first, start + 500ms)); // the longer time stays

    QCOMPARE(aside.active(start).size(), std::size_t{2});
    QVERIFY(aside.nextEnd() == start + 1s);
    QVERIFY(aside.active(start + 1s) == std::vector{second});
    QVERIFY(aside.active(start + 2s).empty());
}

void TestSettleRules::noMoreAccountsThanTheLimitAreRemembered()
{
    using namespace std::chrono_literals;
    const settle::SetAside::Clock::time_point start{};
    settle::SetAside aside;
    const auto many = static_cast<std::int64_t>(settle::SetAside::kAccountsMax) + 1'000;
    for (std::int64_t user = 1; user <= many; ++user) {
        aside.add({domain::UserId{user}, "ETH"}, start + 1s);
    }
    QCOMPARE(aside.active(start).size(), settle::SetAside::kAccountsMax);
}

QTEST_APPLESS_MAIN(TestSettleRules)
#include "tst_settle_rules.moc"
