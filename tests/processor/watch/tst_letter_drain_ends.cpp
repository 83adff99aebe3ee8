// What becomes of one copy of a dead letter, depending on where its event stands by then.

#include "tests/processor/watch/drain_bench.h"
#include "tests/support/require.h"

#include <QTest>
#include <functional>

using watch::Drained;

namespace {

class TestLetterDrainEnds : public QObject
{
    Q_OBJECT

private slots:
    void whatStandsDecides_data();
    void whatStandsDecides();
    void anExhaustedEventFailsWithItsLetter();
    void whatTheLetterSaysIsTheCopysWord();
    void anEndedEventKeepsItsEnd();
    void theSameLetterIsNotWrittenTwice();
    void aStartedAnewEventKeepsItsAttempt();
    void entriesOfOthersGoToQuarantine_data();
    void entriesOfOthersGoToQuarantine();
    void theSameForgeryOnlyCounts();

private:
    support::TestStack m_stack;
};

void TestLetterDrainEnds::whatStandsDecides_data()
{
    QTest::addColumn<QString>("meanwhile"); // $: the event's number
    QTest::addColumn<int>("ending");
    QTest::addColumn<QString>("state");

    const auto row
        = [](const char* name, const char* meanwhile, Drained ending, const char* state) {
              QTest::newRow(name) << meanwhile << static_cast<int>(ending) << state;
          };
    const char* wait = "DELETE FROM event_queue; INSERT INTO event_waits (event_no, user_id, lane,"
                       " reason, attempts, due_at) VALUES ($, 1, 1, '%1', 5, 'infinity')";
    row("still exhausted", "SELECT", Drained::Failed, "failed exhausted");
    row("its work row is gone", "DELETE FROM event_queue", Drained::Failed, "failed exhausted");
    row("more attempts since", "UPDATE event_queue SET attempts = 7", Drained::Failed,
        "failed exhausted");
    row("started anew", "UPDATE event_queue SET attempts = 0", Drained::GoesOn, "enqueued");
    row("one attempt left", "UPDATE event_queue SET attempts = 4", Drained::GoesOn, "enqueued");
    QTest::newRow("waits for its original") << QString{wait}.replace("%1", "original")
                                            << static_cast<int>(Drained::GoesOn) << "pending";
    QTest::newRow("waits for a replay")
        << QString{wait}.replace("%1", "replay") << static_cast<int>(Drained::GoesOn) << "pending";
    row("failed meanwhile",
        "UPDATE payment_events SET outcome = 'failed', failure = 'poison', settled_at = now();"
        " DELETE FROM event_queue",
        Drained::EndedBefore, "failed poison");
    row("settled meanwhile",
        "UPDATE payment_events SET outcome = 'confirmed', settled_at = now();"
        " DELETE FROM event_queue",
        Drained::EndedBefore, "confirmed");
}

void TestLetterDrainEnds::whatStandsDecides()
{
    QFETCH(QString, meanwhile);
    QFETCH(int, ending);
    QFETCH(QString, state);
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    const auto entry = bench.entryOf(bench.copyOf(no));
    bench.database().run(meanwhile.replace("$", QString::number(no)).toStdString());

    QCOMPARE(static_cast<int>(bench.bring(entry)), ending);

    QCOMPARE(bench.events().state(no), state.toStdString());
    QVERIFY(bench.list().empty());
    QVERIFY(bench.list(store::kDrainingList).empty());
    QCOMPARE(bench.quarantine(), std::string{});
}

void TestLetterDrainEnds::anExhaustedEventFailsWithItsLetter()
{
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    const auto entry = bench.entryOf(bench.copyOf(no));

    QVERIFY(bench.bring(entry) == Drained::Failed);

    QCOMPARE(bench.database().table("SELECT kind, detail->>'failure' FROM payment_log ORDER BY no"),
        std::string{"(payment.failed,exhausted)\n(payment.dead_lettered,exhausted)"});
    QCOMPARE(bench.database().value("SELECT kind FROM notifications"), std::string{"failed"});
    QCOMPARE(bench.events().complaints(), std::string{}); // all that settlement promises
}

void TestLetterDrainEnds::whatTheLetterSaysIsTheCopysWord()
{
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    auto copy = bench.copyOf(no);
    copy.failure = domain::Failure::Poison;

    QVERIFY(bench.bring(bench.entryOf(copy)) == Drained::Failed);

    QCOMPARE(bench.database().table("SELECT letter_uid, event_no, event_id, user_id, asset,"
                                    " trim_scale(amount), error, error_class, cause, attempt,"
                                    " trace_id, state FROM dead_letter_queue"),
        "(" + copy.uid + "," + std::to_string(no)
            + ",a,1,ETH,10,\"the disk was full\",23514,0123456789abcdef,6,trace-a,open)");
    QCOMPARE(bench.events().state(no), std::string{"failed poison"});
}

void TestLetterDrainEnds::anEndedEventKeepsItsEnd()
{
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    const auto entry = bench.entryOf(bench.copyOf(no));
    bench.events().settleAll(); // what was wrong is well again

    QVERIFY(bench.bring(entry) == Drained::EndedBefore);

    QCOMPARE(bench.events().state(no), std::string{"confirmed"});
    QCOMPARE(bench.database().table("SELECT state, error, attempt FROM dead_letter_queue"),
        std::string{"(resolved,\"already ended\",6)"});
    QCOMPARE(bench.database().balance(1), std::string{"10"});
}

void TestLetterDrainEnds::theSameLetterIsNotWrittenTwice()
{
    DrainBench bench{m_stack};
    const auto entry = bench.entryOf(bench.copyOf(bench.putExhausted("a")));
    QVERIFY(bench.bring(entry) == Drained::Failed);

    QVERIFY(bench.bring(entry) == Drained::WasThere);

    QCOMPARE(bench.events().count("dead_letter_queue"), 1);
    QCOMPARE(bench.events().complaints(), std::string{});
}

void TestLetterDrainEnds::aStartedAnewEventKeepsItsAttempt()
{
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    const auto entry = bench.entryOf(bench.copyOf(no));
    bench.database().run("UPDATE event_queue SET attempts = 0");

    QVERIFY(bench.bring(entry) == Drained::GoesOn);

    QCOMPARE(
        bench.database().table("SELECT attempt, error, error_class, cause FROM event_attempts"),
        std::string{"(6,\"the disk was full\",23514,0123456789abcdef)"});
    QCOMPARE(bench.events().count("dead_letter_queue"), 0);
}

void TestLetterDrainEnds::entriesOfOthersGoToQuarantine_data()
{
    QTest::addColumn<QString>("hand");
    QTest::addColumn<QString>("reason");

    QTest::newRow("not ours at all") << "garbage"
                                     << "dlq_entry_malformed";
    QTest::newRow("with a NUL in it") << "nul"
                                      << "dlq_entry_malformed";
    QTest::newRow("another amount under our signature") << "amount"
                                                        << "dlq_entry_forged";
    QTest::newRow("signed with another secret") << "secret"
                                                << "dlq_entry_forged";
    QTest::newRow("an event this database never had") << "number"
                                                      << "dlq_entry_unknown_event";
    QTest::newRow("the number of another event") << "event"
                                                 << "dlq_entry_unknown_event";
    QTest::newRow("another user's") << "user"
                                    << "dlq_entry_unknown_event";
}

void TestLetterDrainEnds::entriesOfOthersGoToQuarantine()
{
    QFETCH(QString, hand);
    QFETCH(QString, reason);
    DrainBench bench{m_stack};
    const auto no = bench.putExhausted("a");
    auto copy = bench.copyOf(no);
    if (hand == "number") copy.no = domain::EventNo{no + 1000};
    if (hand == "event") copy.eventId = "b";
    if (hand == "user") copy.user = domain::UserId{65}; // of the same lane
    std::string entry = bench.entryOf(copy);
    if (hand == "garbage") entry = "{\"letter\":1}";
    if (hand == "nul") entry = std::string{"a\0b", 3};
    if (hand == "amount") entry.replace(entry.find("\"10\""), 4, "\"99\"");
    if (hand == "secret") {
        entry = store::writeLetterCopy(
            copy, store::letterKey(base::Secret{"another secret of at least 32 chars"}));
    }

    QVERIFY(bench.bring(entry) == Drained::Quarantined);

    QCOMPARE(bench.quarantine(), "(" + reason.toStdString() + ",1)");
    QCOMPARE(bench.database().value("SELECT encode(body, 'hex') FROM quarantine"),
        QByteArray::fromStdString(entry).toHex().toStdString());
    QVERIFY(bench.list(store::kDrainingList).empty());
    // And no money, no event, no letter has moved.
    QCOMPARE(bench.events().state(no), std::string{"enqueued"});
    QCOMPARE(bench.events().count("dead_letter_queue"), 0);
}

void TestLetterDrainEnds::theSameForgeryOnlyCounts()
{
    DrainBench bench{m_stack};
    for (int i = 0; i < 3; ++i) bench.push("forged");
    QCOMPARE(bench.run().drained, 3);
    QCOMPARE(bench.quarantine(), std::string{"(dlq_entry_malformed,3)"});
}

} // namespace

QTEST_GUILESS_MAIN(TestLetterDrainEnds)
#include "tst_letter_drain_ends.moc"
