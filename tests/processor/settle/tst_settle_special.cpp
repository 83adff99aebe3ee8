// The rare paths: refunds, transfers on a chain, unknown types, collisions and contradictions.
#include "tests/processor/settle/settle_bench.h"

#include <QTest>

class TestSettleSpecial : public QObject
{
    Q_OBJECT

private slots:
    void aRefundGivesBackPartOfItsDeposit();
    void refundsNeverExceedTheirDeposit();
    void aRefundWaitsForItsOriginalWithoutHoldingBackOthers();
    void theOlderARefundTheLongerItWaits();
    void aRefundWithoutOriginalFailsAfterFifteenMinutes();
    void strangersDepositsAreNotRefunded();
    void oneTransferCreditsOnceUnderTwoIds();
    void equalTransfersOfOneTransactionAreTakenOneByOne();
    void aLockedTransferDefersItsEvent();
    void anUnknownTypeFailsWhenNobodyKnowsIt();
    void anUnknownTypeIsLeftAloneWhileANewerVersionLives();
    void anOutcomeThatStandsBringsTheStateInLine_data();
    void anOutcomeThatStandsBringsTheStateInLine();
    void aJournalDuplicateWithoutOutcomeIsAlarmedAndEndsAsALetter();
    void aStateThatContradictsItsOutcomeGetsALetterOfItsOwnClass();
    void orphansAreTold_data();
    void orphansAreTold();

private:
    support::TestStack m_stack;
};

void TestSettleSpecial::aRefundGivesBackPartOfItsDeposit()
{
    SettleBench bench{m_stack};
    bench.put({.id = "d", .amount = "10", .merchant = "shop"});
    bench.settleAll();
    const auto refund = bench.put(
        {.id = "r", .type = "refund", .amount = "4", .merchant = "shop", .original = "d"});

    const auto report = bench.settleAll();

    QCOMPARE(report.confirmed, 1);
    QCOMPARE(bench.state(refund), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"6"});
    QCOMPARE(bench.database().table("SELECT trim_scale(balance) FROM merchant_balances"),
        std::string{"(6)"});
    QCOMPARE(bench.database().table("SELECT kind FROM payment_log WHERE payment_id = 'r'"),
        std::string{"(payment.refunded)"});
    QCOMPARE(bench.database().table(
                 "SELECT kind FROM notifications WHERE event_no = " + std::to_string(refund)),
        std::string{"(refunded)"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::refundsNeverExceedTheirDeposit()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", "100");
    bench.put({.id = "d", .amount = "10"});
    const auto first = bench.put({.id = "r1", .type = "refund", .amount = "6", .original = "d"});
    const auto second = bench.put({.id = "r2", .type = "refund", .amount = "5", .original = "d"});
    bench.settleAll(); // original and refunds in one batch
    const auto third = bench.put({.id = "r3", .type = "refund", .amount = "4", .original = "d"});
    const auto fourth = bench.put({.id = "r4", .type = "refund", .amount = "1", .original = "d"});

    bench.settleAll();

    QCOMPARE(bench.state(first), std::string{"confirmed"});
    QCOMPARE(bench.state(second), std::string{"failed refund_exceeds_original"});
    QCOMPARE(bench.state(third), std::string{"confirmed"});
    QCOMPARE(bench.state(fourth), std::string{"failed refund_exceeds_original"});
    QCOMPARE(bench.database().balance(1), std::string{"100"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::aRefundWaitsForItsOriginalWithoutHoldingBackOthers()
{
    SettleBench bench{m_stack};
    const auto refund = bench.put({.id = "r", .type = "refund", .amount = "4", .original = "d"});
    const auto other = bench.put({.id = "other", .amount = "1"});

    const auto report = bench.settleAll();

    QCOMPARE(report.waiting, 1);
    QCOMPARE(bench.state(refund), std::string{"pending"});
    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.database().table("SELECT reason, attempts FROM event_waits"),
        std::string{"(original,0)"});

    bench.put({.id = "d", .amount = "10"});
    bench.settleAll();
    bench.makeDue(refund);
    bench.settleAll();
    QCOMPARE(bench.state(refund), std::string{"confirmed"});
    QCOMPARE(bench.database().balance(1), std::string{"7"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::theOlderARefundTheLongerItWaits()
{
    SettleBench bench{m_stack};
    const auto refund = bench.put({.id = "r", .type = "refund", .amount = "4", .original = "d"});
    const auto waits = [&](const std::string& from, const std::string& to) {
        return bench.database().value("SELECT due_at - clock_timestamp() BETWEEN interval '" + from
            + "' AND interval '" + to + "' FROM event_waits");
    };
    bench.settleAll();
    QCOMPARE(waits("0 s", "1 s"), std::string{"true"});

    bench.database().run("UPDATE payment_events SET received_at = received_at - interval '40 s'");
    bench.makeDue(refund);
    bench.settleAll();
    QCOMPARE(waits("15 s", "30 s"), std::string{"true"});

    bench.database().run("UPDATE payment_events SET received_at = received_at - interval '9 min'");
    bench.makeDue(refund);
    bench.settleAll();
    QCOMPARE(waits("50 s", "60 s"), std::string{"true"});
}

void TestSettleSpecial::aRefundWithoutOriginalFailsAfterFifteenMinutes()
{
    SettleBench bench{m_stack};
    const auto refund = bench.put({.id = "r", .type = "refund", .amount = "4", .original = "d"});
    bench.database().run("UPDATE payment_events SET received_at = received_at - interval '16 min'");

    bench.settleAll();

    QCOMPARE(bench.state(refund), std::string{"failed original_missing"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::strangersDepositsAreNotRefunded()
{
    SettleBench bench{m_stack};
    bench.database().addBalance(2, "ETH", "100");
    bench.put({.id = "d", .user = 1, .amount = "10"});
    bench.settleAll();
    const auto refund
        = bench.put({.id = "r", .type = "refund", .user = 2, .amount = "4", .original = "d"});

    bench.settleAll();

    QCOMPARE(bench.state(refund), std::string{"failed original_missing"});
    QCOMPARE(bench.database().balance(2), std::string{"100"});
}

void TestSettleSpecial::oneTransferCreditsOnceUnderTwoIds()
{
    SettleBench bench{m_stack};
    const auto first = bench.put({.id = "a", .txHash = "0xaa", .txPosition = "{3}"});
    const auto second = bench.put({.id = "b", .txHash = "0xaa", .txPosition = "{3}"});
    bench.settleAll();
    const auto third = bench.put({.id = "c", .txHash = "0xaa", .txPosition = "{3}"});

    bench.settleAll();

    QCOMPARE(bench.state(first), std::string{"confirmed"});
    QCOMPARE(bench.state(second), std::string{"failed duplicate_payment"});
    QCOMPARE(bench.state(third), std::string{"failed duplicate_payment"});
    QCOMPARE(bench.database().balance(1), std::string{"10"});
    QCOMPARE(bench.database().table("SELECT chain, tx_hash, ordinal, side, event_no, state"
                                    " FROM onchain_claims"),
        "(eip155:1,0xaa,{3},in," + std::to_string(first) + ",credited)");
    QCOMPARE(bench.database().table(
                 "SELECT detail FROM payment_log WHERE event_no = " + std::to_string(third)),
        "(\"{\"\"winner\"\": " + std::to_string(first)
            + ", \"\"failure\"\": \"\"duplicate_payment\"\"}\")");
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::equalTransfersOfOneTransactionAreTakenOneByOne()
{
    SettleBench bench{m_stack};
    bench.database().run("INSERT INTO onchain_claims (chain, tx_hash, ordinal, side, state, amount)"
                         " VALUES ('eip155:1', '0xbb', '{2}', 'in', 'seen', 10),"
                         " ('eip155:1', '0xbb', '{5}', 'in', 'seen', 10),"
                         " ('eip155:1', '0xbb', '{6}', 'in', 'seen', 11),"
                         " ('eip155:1', '0xbb', '{7}', 'out', 'seen', 10)");
    const auto first = bench.put({.id = "a", .txHash = "0xbb"});
    const auto second = bench.put({.id = "b", .txHash = "0xbb"});
    const auto third = bench.put({.id = "c", .txHash = "0xbb"});

    bench.settleAll();

    QCOMPARE(bench.state(first), std::string{"confirmed"});
    QCOMPARE(bench.state(second), std::string{"confirmed"});
    QCOMPARE(bench.state(third), std::string{"failed duplicate_payment"});
    QCOMPARE(bench.count("onchain_claims", "state = 'credited'"), 2);
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::aLockedTransferDefersItsEvent()
{
    SettleBench bench{m_stack};
    bench.database().run("INSERT INTO onchain_claims (chain, tx_hash, ordinal, side, state, amount)"
                         " VALUES ('eip155:1', '0xcc', '{2}', 'in', 'seen', 10)");
    auto holder = bench.database().connect();
    QVERIFY(holder.runScript("BEGIN; SELECT FROM onchain_claims FOR UPDATE"));
    const auto held = bench.put({.id = "a", .txHash = "0xcc"});
    const auto settler = bench.settler();

    QCOMPARE(settler->runOnce().deferred, 1);

    QVERIFY(holder.runScript("ROLLBACK"));
    QTRY_COMPARE_WITH_TIMEOUT(
        (settler->runOnce(), bench.state(held)), std::string{"confirmed"}, 5000);
}

void TestSettleSpecial::anUnknownTypeFailsWhenNobodyKnowsIt()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a", .type = "staking_reward"});
    const auto other = bench.put({.id = "b"});

    bench.settleAll();

    QCOMPARE(bench.state(no), std::string{"failed unknown_event_type"});
    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::anUnknownTypeIsLeftAloneWhileANewerVersionLives()
{
    SettleBench bench{m_stack};
    bench.database().run("INSERT INTO processor_instances (instance, host, boot_id, roles, version)"
                         " VALUES ('new', 'h', 'b', '{settle}', '1.10.0')");
    const auto unknown = bench.put({.id = "a", .type = "staking_reward", .user = 1});
    const auto behind = bench.put({.id = "b", .user = 1});
    const auto other = bench.put({.id = "c", .user = 2});
    bench.settleAll();
    QCOMPARE(bench.state(unknown), std::string{"enqueued"});
    QCOMPARE(bench.state(behind), std::string{"enqueued"});
    QCOMPARE(bench.state(other), std::string{"confirmed"});

    bench.database().run("UPDATE payment_events SET received_at = received_at - interval '16 min'"
                         " WHERE event_type = 'staking_reward'");
    bench.settleAll();
    bench.settleAll();

    QCOMPARE(bench.state(unknown), std::string{"failed unknown_event_type"});
    QCOMPARE(bench.state(behind), std::string{"confirmed"});
    QCOMPARE(bench.complaints(), std::string{});
}

void TestSettleSpecial::anOutcomeThatStandsBringsTheStateInLine_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<QString>("state");
    QTest::newRow("a credit that was settled") << "deposit"
                                               << "success"
                                               << "confirmed";
    QTest::newRow("a withdrawal that was refused") << "withdrawal"
                                                   << "insufficient_funds"
                                                   << "failed insufficient_funds";
}

void TestSettleSpecial::anOutcomeThatStandsBringsTheStateInLine()
{
    QFETCH(QString, type);
    QFETCH(QString, outcome);
    QFETCH(QString, state);
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a", .type = type.toStdString()});
    bench.settleAll();
    QCOMPARE(QString::fromStdString(bench.state(no)), state);
    const auto before = bench.database().balance(1);
    // As after a restore of one table: the event has forgotten its end.
    bench.database().run(
        "ALTER TABLE payment_events DISABLE TRIGGER USER;"
        "UPDATE payment_events SET outcome = NULL, failure = NULL, settled_at = NULL;"
        "ALTER TABLE payment_events ENABLE TRIGGER USER;"
        "INSERT INTO event_queue (event_no, user_id, lane) VALUES ("
        + std::to_string(no) + ", 1, 1)");

    const auto report = bench.settleAll();

    QCOMPARE(report.broughtInLine, 1);
    QCOMPARE(QString::fromStdString(bench.state(no)), state);
    QCOMPARE(bench.database().balance(1), before);
    QCOMPARE(bench.count("processed_events"), 1);
    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.database().brokenSums(), std::string{"0"});
    QVERIFY(bench.alertKeys().empty());
}

void TestSettleSpecial::aJournalDuplicateWithoutOutcomeIsAlarmedAndEndsAsALetter()
{
    SettleBench bench{m_stack};
    bench.put({.id = "a"});
    bench.settleAll();
    const auto twin = bench.put({.id = "a", .user = 2}); // the guard was lost
    const auto other = bench.put({.id = "b", .user = 3});
    for (int attempt = 1; attempt <= 5; ++attempt) {
        bench.settleAll();
        QCOMPARE(bench.state(twin), std::string{"pending"});
        bench.makeDue(twin);
    }

    bench.settleAll();

    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.state(twin), std::string{"failed state_contradiction"});
    QCOMPARE(bench.database().table("SELECT error_class, attempt FROM dead_letter_queue"),
        std::string{"(state_contradiction,6)"});
    QCOMPARE(bench.database().balance(2), std::string{"0"});
    QCOMPARE(bench.alertKeys(), std::vector<std::string>{"journal_duplicate"});
    QCOMPARE(bench.database().brokenSums(), std::string{"0"});
}

void TestSettleSpecial::aStateThatContradictsItsOutcomeGetsALetterOfItsOwnClass()
{
    SettleBench bench{m_stack};
    const auto no = bench.put({.id = "a"});
    bench.settleAll();
    bench.database().run("ALTER TABLE payment_events DISABLE TRIGGER USER;"
                         "UPDATE payment_events SET outcome = 'failed', failure = 'exhausted';"
                         "ALTER TABLE payment_events ENABLE TRIGGER USER;"
                         "INSERT INTO event_queue (event_no, user_id, lane) VALUES ("
        + std::to_string(no) + ", 1, 1)");
    for (int attempt = 1; attempt <= 5; ++attempt) {
        QCOMPARE(bench.settleAll().putOff, 1);
        bench.makeDue(no);
    }

    bench.settleAll();

    QCOMPARE(bench.state(no), std::string{"failed exhausted"}); // as it was
    QCOMPARE(bench.count("event_queue"), 0);
    QCOMPARE(bench.database().table("SELECT error_class, attempt FROM dead_letter_queue"),
        std::string{"(state_contradiction,6)"});
    QCOMPARE(bench.database().balance(1), std::string{"10"});
}

void TestSettleSpecial::orphansAreTold_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("opening");
    QTest::addColumn<QString>("key");
    QTest::newRow("of a deposit") << "deposit"
                                  << "0"
                                  << "orphan_deposit:a";
    QTest::newRow("of a withdrawal") << "withdrawal"
                                     << "10"
                                     << "orphan_withdrawal:a";
    QTest::newRow("of a refusal") << "withdrawal"
                                  << "0"
                                  << "orphan_withdrawal_insuf:a";
}

void TestSettleSpecial::orphansAreTold()
{
    QFETCH(QString, type);
    QFETCH(QString, opening);
    QFETCH(QString, key);
    SettleBench bench{m_stack};
    bench.database().addBalance(1, "ETH", opening.toStdString());
    const auto no = bench.put({.id = "a", .type = type.toStdString()});
    bench.settleAll();
    bench.database().run("DELETE FROM payment_events; INSERT INTO event_queue (event_no, user_id,"
                         " lane) VALUES ("
        + std::to_string(no) + ", 1, 1)");
    const auto other = bench.put({.id = "b", .user = 2});

    bench.settleAll();

    QCOMPARE(bench.alertKeys(), std::vector{key.toStdString()});
    QCOMPARE(bench.state(other), std::string{"confirmed"});
    QCOMPARE(bench.count("event_queue"), 0);
}

QTEST_GUILESS_MAIN(TestSettleSpecial)
#include "tst_settle_special.moc"
