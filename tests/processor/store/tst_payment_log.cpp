#include "processor/pg/transaction.h"
#include "processor/store/payment_log.h"
#include "tests/support/stack.h"

#include <QTest>
#include <atomic>
#include <thread>

// Numbers in commit order without gaps, whoever writes, fails or has forgotten where it stood.
class TstPaymentLog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_stack = std::make_unique<support::TestStack>(); }
    void init() { m_database = std::make_unique<support::Database>(m_stack->createDatabase()); }
    void writersAtOnceLeaveNoGap();
    void readerNeverSeesAGap();
    void rolledBackTakesNoNumber();
    void logThatWentBackIsContinuedAtItsEnd();

private:
    static std::vector<store::LogEntry> entries(std::int64_t first, int count)
    {
        std::vector<store::LogEntry> list;
        for (int i = 0; i < count; ++i) {
            store::LogEntry entry;
            entry.eventNo = first + i;
            entry.kind = "payment.confirmed";
            entry.traceId = entry.paymentId = "x";
            entry.eventType = "deposit";
            entry.userId = 1;
            entry.asset = "ETH";
            entry.amount = "1";
            list.push_back(std::move(entry));
        }
        return list;
    }
    static base::Result<std::int64_t> append(
        pg::Connection& connection, store::PaymentLog& log, int count)
    {
        const auto list = entries(1, count);
        pg::Transaction transaction{connection};
        log.appendTo(transaction, list);
        const auto committed = transaction.commit();
        if (!committed) return committed.error();
        return log.committed(committed->back(), list.size());
    }
    std::unique_ptr<support::TestStack> m_stack;
    std::unique_ptr<support::Database> m_database;
};

void TstPaymentLog::writersAtOnceLeaveNoGap()
{
    store::PaymentLog shared{"shared"};
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 4; ++writer) {
        writers.emplace_back([this, &shared, writer] {
            store::PaymentLog own{"own"}; // as another process would have it
            store::PaymentLog& log = writer % 2 == 0 ? shared : own;
            auto connection = m_database->connect("countersign_processor");
            for (int i = 0; i < 50; ++i) {
                if (!append(connection, log, 1 + (writer + i) % 5)) return;
            }
        });
    }
    writers.clear();

    QCOMPARE(
        m_database->value("SELECT count(*) = max(no) AND min(no) = 1 FROM payment_log"), "true");
    QCOMPARE(m_database->value("SELECT count(*) FROM payment_log"), "600");
    // Time goes with the numbers, as far as commit order can be seen.
    QCOMPARE(
        m_database->value("SELECT count(*) FROM payment_log a JOIN payment_log b ON b.no = a.no "
                          "+ 1 WHERE b.at < a.at"),
        "0");
}

void TstPaymentLog::readerNeverSeesAGap()
{
    std::atomic<bool> isOver{false};
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < 3; ++writer) {
        writers.emplace_back([this, &isOver] {
            store::PaymentLog log{"writer"};
            auto connection = m_database->connect("countersign_processor");
            while (!isOver) {
                if (!append(connection, log, 3)) return;
            }
        });
    }
    std::string gap = "false";
    for (int look = 0; look < 200 && gap == "false"; ++look) {
        gap = m_database->value("SELECT coalesce(max(no) <> count(*), false) FROM payment_log");
    }
    isOver = true;
    writers.clear();

    QCOMPARE(gap, "false");
}

void TstPaymentLog::rolledBackTakesNoNumber()
{
    store::PaymentLog log{"test"};
    auto connection = m_database->connect("countersign_processor");
    QCOMPARE(*append(connection, log, 2), 2);
    {
        pg::Transaction transaction{connection};
        log.appendTo(transaction, entries(1, 5));
        QVERIFY(transaction.send());
    } // rolled back

    QCOMPARE(*append(connection, log, 2), 4);
}

void TstPaymentLog::logThatWentBackIsContinuedAtItsEnd()
{
    store::PaymentLog log{"test"};
    auto connection = m_database->connect("countersign_processor");
    QCOMPARE(*append(connection, log, 10), 10);
    m_database->run("DELETE FROM payment_log WHERE no > 4"); // a restore

    QCOMPARE(*append(connection, log, 2), 6);
    QCOMPARE(log.lastKnown(), 6);
}

QTEST_GUILESS_MAIN(TstPaymentLog)
#include "tst_payment_log.moc"
