#include "processor/redis/client.h"
#include "processor/redis/endpoint.h"
#include "processor/redis/reply_errors.h"

#include <QTest>

class TestEndpoint : public QObject
{
    Q_OBJECT

private slots:
    void understandsUrls_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("login");
        QTest::addColumn<int>("database");
        QTest::addColumn<bool>("isTls");

        QTest::newRow("the default") << "redis://localhost:6379/0"
                                     << "localhost:6379"
                                     << "" << 0 << false;
        QTest::newRow("port assumed") << "redis://cache"
                                      << "cache:6379"
                                      << "" << 0 << false;
        QTest::newRow("database in the path") << "redis://cache/7"
                                              << "cache:6379"
                                              << "" << 7 << false;
        QTest::newRow("database as parameter") << "redis://cache?db=7"
                                               << "cache:6379"
                                               << "" << 7 << false;
        QTest::newRow("slash alone") << "redis://cache/"
                                     << "cache:6379"
                                     << "" << 0 << false;
        QTest::newRow("user and password") << "redis://bob:p%40w@cache:1/2"
                                           << "cache:1"
                                           << "bob p@w" << 2 << false;
        QTest::newRow("password only") << "redis://:pw@cache"
                                       << "cache:6379"
                                       << " pw" << 0 << false;
        QTest::newRow("TLS") << "rediss://cache:6380"
                             << "cache:6380"
                             << "" << 0 << true;
        QTest::newRow("IPv6") << "redis://[::1]:6379"
                              << "[::1]:6379"
                              << "" << 0 << false;
        QTest::newRow("no host") << "redis:///3"
                                 << "localhost:6379"
                                 << "" << 3 << false;
        QTest::newRow("absolute socket") << "unix:///run/r.sock"
                                         << "/run/r.sock"
                                         << "" << 0 << false;
        QTest::newRow("socket and database") << "unix:///run/r.sock?db=5"
                                             << "/run/r.sock"
                                             << "" << 5 << false;
        QTest::newRow("relative socket") << "unix://dir/r.sock"
                                         << "dir/r.sock"
                                         << "" << 0 << false;
        QTest::newRow("encoded socket") << "unix:///a%20b/r.sock"
                                        << "/a b/r.sock"
                                        << "" << 0 << false;
        QTest::newRow("login at a socket") << "unix://bob:pw@/run/r.sock"
                                           << "/run/r.sock"
                                           << "bob pw" << 0 << false;
    }
    void understandsUrls()
    {
        QFETCH(QString, url);
        QFETCH(QString, name);
        QFETCH(QString, login);
        QFETCH(int, database);
        QFETCH(bool, isTls);

        const auto endpoint = redis::parseEndpoint(url.toStdString());

        QVERIFY2(endpoint, endpoint ? "" : endpoint.error().message.c_str());
        QCOMPARE(redis::nameOf(*endpoint), name.toStdString());
        QCOMPARE(endpoint->password.empty() ? std::string{}
                                            : endpoint->user + " " + endpoint->password.reveal(),
            login.toStdString());
        QCOMPARE(endpoint->database, database);
        QCOMPARE(endpoint->isTls, isTls);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("url");

        QTest::newRow("empty") << "";
        QTest::newRow("another scheme") << "http://cache:6379";
        QTest::newRow("no scheme") << "cache:6379";
        QTest::newRow("database is a word") << "redis://cache/main";
        QTest::newRow("database negative") << "redis://cache/-1";
        QTest::newRow("database twice") << "redis://cache/1?db=2";
        QTest::newRow("unknown parameter") << "redis://cache?timeout=1";
        QTest::newRow("user without password") << "redis://bob@cache";
        QTest::newRow("socket without path") << "unix://";
        QTest::newRow("socket with port") << "unix://host:1/r.sock";
        QTest::newRow("socket path too long") << "unix:///" + QString{107, 'x'};
    }
    void refuses()
    {
        QFETCH(QString, url);
        const auto endpoint = redis::parseEndpoint(url.toStdString());
        QVERIFY(!endpoint);
        QCOMPARE(endpoint.error().kind, base::ErrorKind::Invalid);

        // A client made with it says the same instead of connecting anywhere.
        const auto reply = redis::Client{{.url = url.toStdString()}}.run({"PING"});
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, base::ErrorKind::Invalid);
    }

    void errorRepliesTellWhatToDoNext_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("isAway");

        QTest::newRow("starting") << "LOADING Redis is loading the dataset in memory"
                                  << "LOADING" << true;
        QTest::newRow("full") << "OOM command not allowed when used memory > 'maxmemory'."
                              << "OOM" << true;
        QTest::newRow("replica") << "READONLY You can't write against a read only replica."
                                 << "READONLY" << true;
        QTest::newRow("cannot save") << "MISCONF Redis is configured to save RDB snapshots"
                                     << "MISCONF" << true;
        QTest::newRow("no login") << "NOAUTH Authentication required."
                                  << "NOAUTH" << true;
        QTest::newRow("group exists") << "BUSYGROUP Consumer Group name already exists"
                                      << "BUSYGROUP" << false;
        QTest::newRow("group missing") << "NOGROUP No such key"
                                       << "NOGROUP" << false;
        QTest::newRow("wrong type") << "WRONGTYPE Operation against a key"
                                    << "WRONGTYPE" << false;
        QTest::newRow("our mistake") << "ERR syntax error"
                                     << "ERR" << false;
        QTest::newRow("one word") << "ERR"
                                  << "ERR" << false;
        QTest::newRow("nothing") << ""
                                 << "" << false;
    }
    void errorRepliesTellWhatToDoNext()
    {
        QFETCH(QString, text);
        QFETCH(QString, code);
        QFETCH(bool, isAway);
        const base::Error error = redis::errorOfReply(text.toStdString());
        QCOMPARE(error.code, code.toStdString());
        QCOMPARE(error.kind, isAway ? base::ErrorKind::Unavailable : base::ErrorKind::Conflict);
    }
};

QTEST_APPLESS_MAIN(TestEndpoint)
#include "tst_endpoint.moc"
