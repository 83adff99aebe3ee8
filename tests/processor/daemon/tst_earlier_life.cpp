#include "processor/daemon/earlier_life.h"
#include "tests/support/require.h"
#include "tests/support/stack.h"

#include <QTest>
#include <memory>
#include <optional>

namespace {

class TestEarlierLife : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_stack = std::make_unique<support::TestStack>();
        m_database.emplace(m_stack->createDatabase());
        m_identity = support::require(store::readInstanceIdentity());
    }
    void cleanup() { m_database->run("DELETE FROM processor_instances"); }
    void cleanupTestCase()
    {
        m_database.reset();
        m_stack.reset();
    }

    void thisProcessRunsAndOthersDoNot();
    void onlyAnUncleanEndOfASettlerHereCounts_data();
    void onlyAnUncleanEndOfASettlerHereCounts();

private:
    std::unique_ptr<support::TestStack> m_stack;
    std::optional<support::Database> m_database;
    store::InstanceIdentity m_identity;
};

void TestEarlierLife::thisProcessRunsAndOthersDoNot()
{
    const std::string boot = m_identity.bootId.substr(0, 8);
    QVERIFY(processor::isRunning(m_identity.instance, m_identity));
    QVERIFY(!processor::isRunning("here:" + boot + ":1:999999999", m_identity)); // a reused number
    QVERIFY(!processor::isRunning("here:" + boot + ":4194305:1", m_identity)); // above the highest
    QVERIFY(!processor::isRunning("here:00000000:1:1", m_identity)); // before the last boot
    QVERIFY(!processor::isRunning("", m_identity));
}

void TestEarlierLife::onlyAnUncleanEndOfASettlerHereCounts_data()
{
    QTest::addColumn<QString>("instance");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("role");
    QTest::addColumn<bool>("counts");

    QTest::newRow("dead settler of this host") << "x:00000000:1:1"
                                               << ""
                                               << "settle" << true;
    QTest::newRow("settler that runs") << "SELF"
                                       << ""
                                       << "settle" << false;
    QTest::newRow("dead intake of this host") << "x:00000000:1:1"
                                              << ""
                                              << "ingest" << false;
    QTest::newRow("dead settler elsewhere") << "x:00000000:1:1"
                                            << "elsewhere"
                                            << "settle" << false;
}

void TestEarlierLife::onlyAnUncleanEndOfASettlerHereCounts()
{
    QFETCH(QString, instance);
    QFETCH(QString, host);
    QFETCH(QString, role);
    QFETCH(bool, counts);
    const std::string named = instance == "SELF" ? m_identity.instance : instance.toStdString();
    m_database->run(
        "INSERT INTO processor_instances (instance, host, boot_id, roles, version) VALUES"
        " ('"
        + named + "', '" + (host.isEmpty() ? m_identity.host : host.toStdString())
        + "', 'b', ARRAY['" + role.toStdString() + "'], '1')");
    store::InstanceIdentity other = m_identity;
    other.instance = "another one starting now";

    pg::Connection connection = m_database->connect("countersign_processor");
    QCOMPARE(support::require(processor::endedUnclean(connection, other)), counts);
    // It is counted once: the next start has nothing to fear from it.
    QCOMPARE(support::require(processor::endedUnclean(connection, other)), false);
}

} // namespace

QTEST_GUILESS_MAIN(TestEarlierLife)
#include "tst_earlier_life.moc"
