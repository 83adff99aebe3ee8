// Every way an event can end, row by row: balance, journal, outcome, log, letter, notification.
#include "tests/processor/settle/settle_bench.h"

#include <QTest>

class TestSettlePaths : public QObject
{
    Q_OBJECT

private slots:
    void aFirstCreditMovesOneBalanceOnce();
    void aBatchIsThreeRoundTrips();
    void withdrawals_data();
    void withdrawals();
    void aRefusedWithdrawalStaysRefusedWhenFundsCome();
    void twoWithdrawalsThatTogetherExceedTheBalance();
    void eventsOfAnAccountAreSettledInOrderOfReceipt();
    void overflowFailsWithALetterInOneTransaction();
    void aVanishedUserFailsWithALetter();
    void anEndedEventOnlyLosesItsWorkRow();
    void merchantsMoveWithConfirmedDeposits();
    void aMerchantWithoutRoomFailsTheDeposit();
    void aBatchOfLongIdsIsCutBeforeItFillsThePipe();
    void eventsFarFromTheLastOnesAreFound();

private:
    support::TestStack m_stack;
};

void TestSettlePaths::aFirstCreditMovesOneBalanceOnce()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a", .amount = "50.1"});

    const auto report = bench.settleAll();

    QCOMPARE(report.confirmed, 1);
    QCOMPARE(bench.state(no), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"50.1"});
    QCOMPARE(bench.database().table("SELECT user_id, asset, trim_scale(amount),"
                                    " trim_scale(balance_after), version, source_event_id,"
                                    " event_type FROM balance_events"),
        std::string{"(1,ETH,50.1,50.1,1,a,deposit)"});
    QCOMPARE(bench.database().table("SELECT kind, actor, trace_id, payment_id, event_type, user_id,"
                                    " asset, trim_scale(amount) FROM payment_log"),
        std::string{"(payment.confirmed,test,trace-a,a,deposit,1,ETH,50.1)"});
    QCOMPARE(bench.database().table("SELECT kind, target, state FROM notifications"),
        std::string{"(credited,default,waiting)"});
    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.complaints(), std::string{});
    QCOMPARE(bench.settledNumbers(), std::vector{no});
}

void TestSettlePaths::aBatchIsThreeRoundTrips()
{
    SettleBench bench{m_stack};
    bench.putDeposits("d", 100, 20);

    const auto report = bench.settler()->runOnce();

    QCOMPARE(report.confirmed, 100);
    QCOMPARE(report.roundTrips, 3);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::withdrawals_data()
{
    QTest::addColumn<QString>("opening");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("amount");
    QTest::addColumn<QString>("state");
    QTest::addColumn<QString>("left");
    QTest::newRow("with funds") << "100"
                                << "withdrawal"
                                << "30.5"
                                << "confirmed"
                                << "69.5";
    QTest::newRow("of everything") << "100"
                                   << "withdrawal"
                                   << "100"
                                   << "confirmed"
                                   << "0";
    QTest::newRow("of a fee") << "100"
                              << "withdrawal_fee"
                              << "0.000000000000000001"
                              << "confirmed"
                              << "99.999999999999999999";
    QTest::newRow("one wei too much") << "100"
                                      << "withdrawal"
                                      << "100.000000000000000001"
                                      << "failed insufficient_funds"
                                      << "100";
    QTest::newRow("of an empty account") << "0"
                                         << "withdrawal"
                                         << "1"
                                         << "failed insufficient_funds"
                                         << "0";
}

void TestSettlePaths::withdrawals()
{
    QFETCH(QString, opening);
    QFETCH(QString, type);
    QFETCH(QString, amount);
    QFETCH(QString, state);
    QFETCH(QString, left);
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", opening.toStdString());
    const auto no
        = bench.put({.id = "w", .type = type.toStdString(), .amount = amount.toStdString()});

    bench.settleAll();

    QCOMPARE(QString::fromStdString(bench.state(no)), state);
    QCOMPARE(QString::fromStdString(bench.database().balance(1)), left);
    QCOMPARE(bench.count("dead_letter_queue"), 0);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::aRefusedWithdrawalStaysRefusedWhenFundsCome()
{
    SettleBench bench{m_stack};
    const auto refused = bench.put({.id = "w", .type = "withdrawal", .amount = "5"});
    bench.settleAll();
    bench.put({.id = "d", .amount = "10"});
    bench.settleAll();
    // The work row comes back, whoever put it there.
    bench.database().run("INSERT INTO event_queue (event_no, user_id, lane) VALUES ("
        + std::to_string(refused) + ", 1, 1)");

    const auto report = bench.settleAll();

    QCOMPARE(report.endedBefore, 1);
    QCOMPARE(bench.state(refused), std::string{"failed insufficient_funds"});
    QCOMPARE(bench.database().balance(1), std::string{"10"});
    QCOMPARE(bench.database().table(
                 "SELECT kind FROM notifications WHERE event_no = " + std::to_string(refused)),
        std::string{"(insufficient_funds)"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::twoWithdrawalsThatTogetherExceedTheBalance()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "100");
    const auto first = bench.put({.id = "w1", .type = "withdrawal", .amount = "60"});
    const auto second = bench.put({.id = "w2", .type = "withdrawal", .amount = "60"});
    const auto third = bench.put({.id = "w3", .type = "withdrawal", .amount = "40"});

    const auto report = bench.settler()->runOnce();

    QCOMPARE(report.confirmed, 2);
    QCOMPARE(report.refused, 1);
    QCOMPARE(bench.state(first), std::string{"confirmed"});
    QCOMPARE(bench.state(second), std::string{"failed insufficient_funds"});
    QCOMPARE(bench.state(third), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"0"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::eventsOfAnAccountAreSettledInOrderOfReceipt()
{
    SettleBench bench{m_stack};
    for (int i = 0; i < 40; ++i) {
        const auto pair = std::to_string(i);
        bench.put({.id = "d" + pair, .user = 1 + i % 3, .amount = "7"});
        bench.put({.id = "w" + pair, .type = "withdrawal", .user = 1 + i % 3, .amount = "7"});
    }
    auto parts = bench.parts();
    parts.batchMost = 7; // so that pairs are torn apart

    const auto report = bench.settleAll(*std::make_unique<settle::Settler>(std::move(parts)));

    QCOMPARE(report.confirmed, 80);
    QCOMPARE(report.refused, 0);
    QCOMPARE(bench.database().value("SELECT count(*) FROM (SELECT event_no, lag(event_no) OVER"
                                    " (PARTITION BY user_id ORDER BY version) AS before"
                                    " FROM balance_events) j WHERE event_no < before"),
        std::string{"0"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::overflowFailsWithALetterInOneTransaction()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "99999999999999999999");
    const auto no = bench.put({.id = "big", .amount = "1"});
    const auto other = bench.put({.id = "small", .user = 2, .amount = "1"});

    const auto report = bench.settler()->runOnce();

    QCOMPARE(report.failed, 1);
    QCOMPARE(report.confirmed, 1);
    QCOMPARE(report.roundTrips, 3);
    QCOMPARE(bench.state(no), std::string{"failed balance_overflow"});
    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.database().table("SELECT event_id, error_class, attempt, state, trace_id,"
                                    " length(cause) FROM dead_letter_queue"),
        std::string{"(big,balance_overflow,1,open,trace-big,16)"});
    QCOMPARE(bench.database().table("SELECT kind, detail FROM payment_log WHERE event_no = "
                 + std::to_string(no) + " ORDER BY no"),
        std::string{"(payment.failed,\"{\"\"failure\"\": \"\"balance_overflow\"\"}\")\n"
                    "(payment.dead_lettered,\"{\"\"failure\"\": \"\"balance_overflow\"\"}\")"});
    QCOMPARE(bench.database().value("SELECT count(DISTINCT xmin::text) FROM ("
                                    "SELECT xmin FROM dead_letter_queue UNION ALL"
                                    " SELECT xmin FROM payment_events) rows"),
        std::string{"1"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::aVanishedUserFailsWithALetter()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "ghost", .user = 777});

    const auto report = bench.settleAll();

    QCOMPARE(report.failed, 1);
    QCOMPARE(bench.state(no), std::string{"failed user_vanished"});
    QCOMPARE(bench.count("balances"), 0);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::anEndedEventOnlyLosesItsWorkRow()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a"});
    bench.settleAll();
    bench.database().run("INSERT INTO event_queue (event_no, user_id, lane) VALUES ("
        + std::to_string(no) + ", 1, 1)");

    const auto report = bench.settleAll();

    QCOMPARE(report.endedBefore, 1);
    QCOMPARE(report.confirmed, 0);
    QCOMPARE(bench.database().balance(1), std::string{"10"});
    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.count("payment_log"), 1);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::merchantsMoveWithConfirmedDeposits()
{
    SettleBench bench{m_stack};
    bench.put({.id = "a", .user = 1, .amount = "10", .merchant = "shop"});
    bench.put({.id = "b", .user = 2, .amount = "2.5", .merchant = "shop"});
    bench.put({.id = "c", .user = 2, .amount = "1", .merchant = "other"});
    bench.put({.id = "d", .type = "withdrawal", .user = 2, .amount = "1", .merchant = "shop"});

    const auto report = bench.settler()->runOnce();
    bench.put({.id = "e", .user = 3, .amount = "0.5", .merchant = "shop"});
    bench.settleAll();

    QCOMPARE(report.roundTrips, 3);
    QCOMPARE(bench.database().table("SELECT merchant_id, asset, trim_scale(balance), version"
                                    " FROM merchant_balances ORDER BY 1"),
        std::string{"(other,ETH,1,1)\n(shop,ETH,13,2)"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::aMerchantWithoutRoomFailsTheDeposit()
{
    SettleBench bench{m_stack};
    bench.database().run("INSERT INTO merchant_balances (merchant_id, asset, balance, version)"
                         " VALUES ('rich', 'ETH', 99999999999999999999, 1)");
    const auto full = bench.put({.id = "full", .amount = "1", .merchant = "rich"});
    const auto other = bench.put({.id = "other", .user = 2, .merchant = "shop"});

    bench.settleAll();

    QCOMPARE(bench.state(full), std::string{"failed balance_overflow"});
    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"0"});
    QCOMPARE(bench.database().table("SELECT event_id, attempt, error_class FROM"
                                    " dead_letter_queue"),
        std::string{"(full,1,22003)"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::aBatchOfLongIdsIsCutBeforeItFillsThePipe()
{
    SettleBench bench{m_stack};
    bench.putDeposits(std::string(190, 'x'), 1000, 100);
    bench.database().run("UPDATE payment_events SET trace_id = repeat('t', 128)");
    const auto settler = bench.settler();

    const auto first = settler->runOnce();
    bench.settleAll(*settler);

    QVERIFY(first.confirmed > 0);
    QVERIFY2(std::size_t(first.confirmed) * (190 + 128) < base::kPipelineReadMax,
        qPrintable(QString::number(first.confirmed)));
    QCOMPARE(bench.count("balance_events"), 1000);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettlePaths::eventsFarFromTheLastOnesAreFound()
{
    SettleBench bench{m_stack};
    const auto settler = bench.settler();
    bench.database().run("SELECT setval('event_no_seq', 7000000)");
    bench.put({.id = "middle"});
    bench.settleAll(*settler);
    bench.database().run("SELECT setval('event_no_seq', 14000000)");
    const auto ahead = bench.put({.id = "far ahead"});
    bench.settleAll(*settler);
    bench.database().run("SELECT setval('event_no_seq', 10)");
    const auto behind = bench.put({.id = "far behind"});
    const auto again = bench.put({.id = "another", .user = 2});

    bench.settleAll(*settler);

    QCOMPARE(bench.state(ahead), std::string{"confirmed"});
    QCOMPARE(bench.state(behind), std::string{"confirmed"});
    QCOMPARE(bench.state(again), std::string{"confirmed"});
    QVERIFY(bench.alertKeys().empty());
    QCOMPARE(bench.complaints(), std::string{});
}

QTEST_GUILESS_MAIN(TestSettlePaths)
#include "tst_settle_paths.moc"
