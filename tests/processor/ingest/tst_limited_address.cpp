#include "processor/ingest/limited_address.h"

#include <QTest>

class TestLimitedAddress : public QObject
{
    Q_OBJECT

private slots:
    void isOneHost_data()
    {
        QTest::addColumn<QByteArray>("remote");
        QTest::addColumn<QByteArray>("limited");

        QTest::newRow("IPv4") << QByteArray{"192.0.2.1"} << QByteArray{"192.0.2.1"};
        QTest::newRow("mapped") << QByteArray{"::ffff:192.0.2.1"} << QByteArray{"192.0.2.1"};
        QTest::newRow("mapped in hex") << QByteArray{"::ffff:c000:201"} << QByteArray{"192.0.2.1"};
        QTest::newRow("IPv6") << QByteArray{"2001:db8:0:1:2:3:4:5"}
                              << QByteArray{"2001:db8:0:1::/64"};
        QTest::newRow("its neighbour")
            << QByteArray{"2001:db8:0:1:ffff::"} << QByteArray{"2001:db8:0:1::/64"};
        QTest::newRow("the next network")
            << QByteArray{"2001:db8:0:2::5"} << QByteArray{"2001:db8:0:2::/64"};
        QTest::newRow("loopback") << QByteArray{"::1"} << QByteArray{"::/64"};
        QTest::newRow("with its interface")
            << QByteArray{"fe80::1%eth0"} << QByteArray{"fe80::/64"};
        QTest::newRow("none") << QByteArray{"unix"} << QByteArray{"unix"};
        QTest::newRow("empty") << QByteArray{} << QByteArray{};
    }
    void isOneHost()
    {
        QFETCH(const QByteArray, remote);
        QFETCH(const QByteArray, limited);
        QCOMPARE(ingest::limitedAddress(remote.toStdString()), limited.toStdString());
    }
};

QTEST_GUILESS_MAIN(TestLimitedAddress)
#include "tst_limited_address.moc"
