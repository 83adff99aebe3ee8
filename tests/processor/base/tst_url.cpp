#include "processor/base/url.h"

#include <QTest>

class TestUrl : public QObject
{
    Q_OBJECT

private slots:
    void takesApart_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("parts"); // scheme|user|password|host|port|path|query

        QTest::newRow("host only") << "redis://cache"
                                   << "redis|||cache|-||";
        QTest::newRow("all parts") << "redis://bob:pw@cache:6380/2?db=3&x=y"
                                   << "redis|bob|pw|cache|6380|/2|db=3;x=y;";
        QTest::newRow("password only") << "redis://:pw@cache/0"
                                       << "redis||pw|cache|-|/0|";
        QTest::newRow("scheme in capitals") << "REDISS://cache"
                                            << "rediss|||cache|-||";
        QTest::newRow("encoded password") << "redis://u:p%40%3A%2Fw%25@h"
                                          << "redis|u|p@:/w%|h|-||";
        QTest::newRow("an @ that is not encoded") << "redis://u:p@w@h"
                                                  << "redis|u|p@w|h|-||";
        QTest::newRow("a colon in the password") << "redis://u:a:b@h"
                                                 << "redis|u|a:b|h|-||";
        QTest::newRow("IPv6") << "redis://[::1]:6379/1"
                              << "redis|||::1|6379|/1|";
        QTest::newRow("absolute socket") << "unix:///run/r.sock?db=4"
                                         << "unix||||-|/run/r.sock|db=4;";
        QTest::newRow("relative socket") << "unix://r.sock"
                                         << "unix|||r.sock|-||";
        QTest::newRow("@ in the path") << "http://h/a@b"
                                       << "http|||h|-|/a@b|";
        QTest::newRow("fragment ignored") << "http://h/p?a=1#f"
                                          << "http|||h|-|/p|a=1;";
        QTest::newRow("highest port") << "http://h:65535"
                                      << "http|||h|65535||";
    }
    void takesApart()
    {
        QFETCH(QString, text);
        QFETCH(QString, parts);

        const auto url = base::parseUrl(text.toStdString());

        QVERIFY2(url, url ? "" : url.error().message.c_str());
        std::string query;
        for (const auto& [name, value] : url->query) {
            query += name + "=" + value + ";";
        }
        const std::string port = url->port ? std::to_string(*url->port) : "-";
        QCOMPARE(url->scheme + "|" + url->user + "|" + url->password.reveal() + "|" + url->host
                + "|" + port + "|" + url->path + "|" + query,
            parts.toStdString());
    }

    void refusesWithoutRepeatingTheText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("empty") << "";
        QTest::newRow("no scheme") << "user:sesame@host";
        QTest::newRow("nothing before ://") << "://u:sesame@host";
        QTest::newRow("port is a word") << "redis://u:sesame@host:http";
        QTest::newRow("port too large") << "redis://u:sesame@host:65536";
        QTest::newRow("port empty") << "redis://u:sesame@host:";
        QTest::newRow("port negative") << "redis://u:sesame@host:-1";
        QTest::newRow("open bracket") << "redis://u:sesame@[::1";
        QTest::newRow("cut percent") << "redis://u:sesame%4@host";
        QTest::newRow("percent without digits") << "redis://u:sesame%zz@host";
        QTest::newRow("encoded NUL") << "redis://u:sesame%00@host";
        QTest::newRow("query without name") << "redis://u:sesame@host?=1";
    }
    void refusesWithoutRepeatingTheText()
    {
        QFETCH(QString, text);
        const auto url = base::parseUrl(text.toStdString());
        QVERIFY(!url);
        QCOMPARE(url.error().kind, base::ErrorKind::Invalid);
        QVERIFY(url.error().message.find("sesame") == std::string::npos);
    }

    void masks_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");

        QTest::newRow("nothing to hide") << "redis://host:6379/0"
                                         << "redis://host:6379/0";
        QTest::newRow("user without password") << "postgresql://bob@h/db"
                                               << "postgresql://bob@h/db";
        QTest::newRow("password") << "postgresql://bob:sesame@h/db"
                                  << "postgresql://bob:***@h/db";
        QTest::newRow("password only") << "redis://:sesame@h"
                                       << "redis://:***@h";
        QTest::newRow("@ and / in it") << "redis://u:se/sa@me@h/0"
                                       << "redis://u:***@h/0";
        QTest::newRow("several hosts") << "postgresql://b:sesame@h1:1,h2:2/db"
                                       << "postgresql://b:***@h1:1,h2:2/db";
        QTest::newRow("in the query") << "postgresql://h/db?password=sesame&user=b"
                                      << "postgresql://h/db?password=***&user=b";
        QTest::newRow("connection string") << "host=h password=sesame dbname=d"
                                           << "host=h password=*** dbname=d";
        QTest::newRow("with blanks") << "password = sesame host=h"
                                     << "password = *** host=h";
        QTest::newRow("quoted") << "password='se same\\' x' host=h"
                                << "password=*** host=h";
        QTest::newRow("quote left open") << "host=h password='se sa"
                                         << "host=h password=***";
        QTest::newRow("sslpassword too") << "sslpassword=sesame"
                                         << "sslpassword=***";
        QTest::newRow("twice") << "password=sesame password=sesame"
                               << "password=*** password=***";
        QTest::newRow("name at the end") << "password"
                                         << "password";
        QTest::newRow("empty value") << "password= "
                                     << "password= ";
        QTest::newRow("empty") << ""
                               << "";
    }
    void masks()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(base::maskUrl(text.toStdString()), shown.toStdString());
    }

    void masksPathsThatHoldKeys_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("shown");

        QTest::newRow("key in the path") << "https://node.example/v3/sesame"
                                         << "https://node.example/***";
        QTest::newRow("key in the query") << "https://node.example?key=sesame"
                                          << "https://node.example?***";
        QTest::newRow("nothing to hide") << "http://127.0.0.1:8545"
                                         << "http://127.0.0.1:8545";
        QTest::newRow("no URL at all") << "sesame"
                                       << "***";
    }
    void masksPathsThatHoldKeys()
    {
        QFETCH(QString, text);
        QFETCH(QString, shown);
        QCOMPARE(base::maskUrlAndPath(text.toStdString()), shown.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestUrl)
#include "tst_url.moc"
