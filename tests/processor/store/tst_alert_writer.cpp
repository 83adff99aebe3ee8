#include "processor/store/alerts.h"
#include "tests/support/stack.h"
#include "tests/support/wait.h"

#include <QTest>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

namespace {

base::Alert alertOf(const std::string& key, const std::string& message,
    base::AlertLevel level = base::AlertLevel::Warning)
{
    return {key, level, message, "", "tr-1", std::chrono::system_clock::now(), 0};
}

} // namespace

// Raised alerts reach the table, whoever holds a row there.
class TstAlertWriter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database = std::make_unique<support::Database>(m_stack->createDatabase()); }
    void oneRowPerKey();
    void swallowedRepeatsCount();
    void resolvedOpensAnewAcknowledgedStays();
    void withoutKeyItGoesByItsText();
    void brokenDetailIsDropped();
    void rowHeldByAPersonHoldsUpNobodyElse();
    void databaseAwayKeepsThem();
    void lastOnesAreWrittenAtTheEnd();

private:
    pg::ConnectOptions connect() const
    {
        pg::ConnectOptions options;
        options.url = m_database->url();
        options.user = "countersign_processor";
        return options;
    }
    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

void TstAlertWriter::oneRowPerKey()
{
    auto connection = m_database->connect("countersign_processor");

    QVERIFY(store::writeAlert(connection, alertOf("dlq_flood", "first")));
    QVERIFY(
        store::writeAlert(connection, alertOf("dlq_flood", "second", base::AlertLevel::Critical)));
    QVERIFY(store::writeAlert(connection, alertOf("zombie_events", "other")));

    QCOMPARE(m_database->table(
                 "SELECT key, severity, message, count, state, detail FROM alerts ORDER BY key"),
        "(dlq_flood,CRITICAL,second,2,open,\"{\"\"trace_id\"\": \"\"tr-1\"\"}\")\n"
        "(zombie_events,WARNING,other,1,open,\"{\"\"trace_id\"\": \"\"tr-1\"\"}\")");
}

void TstAlertWriter::swallowedRepeatsCount()
{
    auto connection = m_database->connect("countersign_processor");
    auto alert = alertOf("dlq_flood", "text");
    alert.repeats = 41;
    alert.at -= 10s;

    QVERIFY(store::writeAlert(connection, alert));

    QCOMPARE(m_database->value("SELECT count FROM alerts"), "42");
    QCOMPARE(m_database->value("SELECT clock_timestamp() - first_at BETWEEN interval '9 s' AND "
                               "interval '60 s' FROM alerts"),
        "true");
}

void TstAlertWriter::resolvedOpensAnewAcknowledgedStays()
{
    auto connection = m_database->connect("countersign_processor");
    QVERIFY(store::writeAlert(connection, alertOf("a", "x")));
    QVERIFY(store::writeAlert(connection, alertOf("b", "x")));
    m_database->run(
        "UPDATE alerts SET state = 'resolved', first_at = '2020-01-01' WHERE key = 'a'; "
        "UPDATE alerts SET state = 'acknowledged' WHERE key = 'b'");

    QVERIFY(store::writeAlert(connection, alertOf("a", "x")));
    QVERIFY(store::writeAlert(connection, alertOf("b", "x")));

    QCOMPARE(
        m_database->table("SELECT key, state, first_at > '2021-01-01' FROM alerts ORDER BY key"),
        "(a,open,t)\n(b,acknowledged,t)");
}

void TstAlertWriter::withoutKeyItGoesByItsText()
{
    auto connection = m_database->connect("countersign_processor");
    const std::string longText = std::string(99, 'x') + "ёёё";

    QVERIFY(store::writeAlert(connection, alertOf("", longText)));
    QVERIFY(store::writeAlert(connection, alertOf("", longText)));
    QVERIFY(store::writeAlert(connection, alertOf("", "short")));

    QCOMPARE(
        m_database->value("SELECT string_agg(key || '=' || count, ' ' ORDER BY key) FROM alerts"),
        "text:short=1 text:" + std::string(99, 'x') + "=2");
}

void TstAlertWriter::brokenDetailIsDropped()
{
    auto connection = m_database->connect("countersign_processor");
    auto alert = alertOf("a", "x");
    alert.detail = "{\"user\": 5}";
    QVERIFY(store::writeAlert(connection, alert));
    QCOMPARE(m_database->value("SELECT detail->>'user' FROM alerts"), "5");

    alert.detail = "not json";
    QVERIFY(store::writeAlert(connection, alert));

    QCOMPARE(m_database->value("SELECT count FROM alerts"), "2");
}

void TstAlertWriter::rowHeldByAPersonHoldsUpNobodyElse()
{
    base::AlertQueue queue;
    store::AlertWriter writer{connect(), queue};
    QVERIFY(queue.push(alertOf("held", "x")));
    QCOMPARE(*writer.runOnce(0ms, {}), std::size_t{1});
    auto person = m_database->connect("operator");
    QVERIFY(person.runScript("BEGIN; SELECT acknowledge_alert('held', 'looking at it')"));
    QVERIFY(queue.push(alertOf("held", "x")));
    QVERIFY(queue.push(alertOf("free", "x")));

    QCOMPARE(*writer.runOnce(0ms, {}), std::size_t{1});

    QCOMPARE(m_database->value("SELECT count FROM alerts WHERE key = 'free'"), "1");
    QVERIFY(person.runScript("COMMIT"));
    QCOMPARE(*writer.runOnce(0ms, {}), std::size_t{1});
    QCOMPARE(m_database->value("SELECT count FROM alerts WHERE key = 'held'"), "2");
}

void TstAlertWriter::databaseAwayKeepsThem()
{
    base::AlertQueue queue;
    auto options = connect();
    options.url += "&port=1";
    store::AlertWriter away{options, queue};
    QVERIFY(queue.push(alertOf("a", "x")));

    QVERIFY(!away.runOnce(0ms, {}));
    QVERIFY(queue.push(alertOf("b", "x")));
    QVERIFY(!away.runOnce(0ms, {}));

    QCOMPARE(m_database->value("SELECT count(*) FROM alerts"), "0");
    QVERIFY(queue.take(10, 0ms, {}).empty()); // it has them
}

void TstAlertWriter::lastOnesAreWrittenAtTheEnd()
{
    base::Progress progress;
    auto& pulse = progress.add("alerts", 10s);
    base::AlertQueue queue;
    base::Alerter alerter;
    alerter.addSink([&queue](const base::Alert& alert) { (void)queue.push(alert); });
    store::AlertWriter writer{connect(), queue};
    std::jthread thread{[&](const std::stop_token& stop) { writer.run(stop, pulse); }};

    alerter.raise(base::AlertLevel::Info, "first", "x");
    QVERIFY(support::waitUntil(
        [&] { return m_database->value("SELECT count(*) FROM alerts") == "1"; }, 10s));
    alerter.raise(base::AlertLevel::Info, "second", "x");
    thread.request_stop();
    thread.join();

    QCOMPARE(m_database->value("SELECT count(*) FROM alerts"), "2");
}

QTEST_GUILESS_MAIN(TstAlertWriter)
#include "tst_alert_writer.moc"
