#include "ui/data/connection_profile.h"

#include <QTest>

using ui::DatabaseAddress;

class TstConnectionProfile : public QObject
{
    Q_OBJECT

private slots:
    void verifiesTheServerUnlessNothingCrossesAWire_data();
    void verifiesTheServerUnlessNothingCrossesAWire();
    void readsTheReadyLinesUri();
    void aValueCannotAddAnotherToTheDsn();
    void complainsBeforeItConnects();
};

void TstConnectionProfile::verifiesTheServerUnlessNothingCrossesAWire_data()
{
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("mode");

    QTest::newRow("a name") << "db.example.com"
                            << "verify-full";
    QTest::newRow("an address") << "10.0.0.5"
                                << "verify-full";
    QTest::newRow("a name that begins like one of ours") << "localhost.example.com"
                                                         << "verify-full";
    QTest::newRow("a socket") << "/run/postgresql"
                              << "prefer";
    QTest::newRow("loopback") << "127.0.0.1"
                              << "prefer";
    QTest::newRow("loopback, IPv6") << "::1"
                                    << "prefer";
    QTest::newRow("localhost") << "localhost"
                               << "prefer";
}

void TstConnectionProfile::verifiesTheServerUnlessNothingCrossesAWire()
{
    QFETCH(QString, host);
    QFETCH(QString, mode);
    QCOMPARE(DatabaseAddress{.host = host}.effectiveSslMode(), mode);
    QCOMPARE((DatabaseAddress{.host = host, .sslMode = "require"}.effectiveSslMode()),
        QString{"require"});
}

void TstConnectionProfile::readsTheReadyLinesUri()
{
    const auto address
        = DatabaseAddress::fromUri("postgresql://po%40st:secret@/counter?host=%2Ftmp%2Fd&port=99");
    QVERIFY(address);
    QCOMPARE(*address,
        (DatabaseAddress{.host = "/tmp/d", .port = 99, .database = "counter", .user = "po@st"}));
    QVERIFY(!address->dsn().contains("secret"));
    QVERIFY(!DatabaseAddress::fromUri("redis://localhost"));
    QVERIFY(!DatabaseAddress::fromUri("postgresql://h/d?port=many"));
}

void TstConnectionProfile::aValueCannotAddAnotherToTheDsn()
{
    const DatabaseAddress address{
        .host = "/tmp/it's here", .database = "x' sslmode='disable", .user = "a\\"};
    QCOMPARE(address.dsn(),
        QString{"host='/tmp/it\\'s here' port=5432 dbname='x\\' sslmode=\\'disable' user='a\\\\' "
                "sslmode='prefer'"});
}

void TstConnectionProfile::complainsBeforeItConnects()
{
    QVERIFY(DatabaseAddress{}.complaints().isEmpty());
    const DatabaseAddress wrong{
        .port = 0, .database = "", .sslMode = "maybe", .rootCertificate = "/a;b"};
    QCOMPARE(wrong.complaints().size(), 4);
}

QTEST_GUILESS_MAIN(TstConnectionProfile)
#include "tst_connection_profile.moc"
