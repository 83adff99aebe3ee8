#include "processor/config/checks.h"
#include "processor/config/roles.h"

#include <QTest>

#include <set>
#include <string>

using config::OptionId;

class TestChecks : public QObject
{
    Q_OBJECT

private slots:
    void judgesValues_data()
    {
        QTest::addColumn<int>("option");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("accepted");

        const auto row = [](const char* name, OptionId id, const QString& text, bool accepted) {
            QTest::newRow(name) << int(id) << text << accepted;
        };
        row("address", OptionId::Http, "127.0.0.1:8080", true);
        row("address, any port", OptionId::Http, "0.0.0.0:0", true);
        row("address, name", OptionId::Http, "localhost:65535", true);
        row("address, IPv6", OptionId::Http, "[::1]:8080", true);
        row("address, IPv6 without brackets", OptionId::Http, "::1:8080", false);
        row("address, port too large", OptionId::Http, "localhost:65536", false);
        row("address, port negative", OptionId::Http, "localhost:-1", false);
        row("address, no port", OptionId::Http, "localhost", false);
        row("address, port empty", OptionId::Http, "localhost:", false);
        row("address, no host", OptionId::Http, ":8080", false);
        row("address, empty brackets", OptionId::Http, "[]:8080", false);
        row("address, half a bracket", OptionId::Http, "[::1:8080", false);
        row("address, port with blank", OptionId::Http, "localhost:80 ", false);
        row("address, empty", OptionId::Http, "", false);

        row("number, least", OptionId::Settlers, "1", true);
        row("number, most", OptionId::Settlers, "64", true);
        row("number, below", OptionId::Settlers, "0", false);
        row("number, above", OptionId::Settlers, "65", false);
        row("number, plus sign", OptionId::Settlers, "+1", false);
        row("number, fraction", OptionId::Settlers, "1.0", false);
        row("number, hexadecimal", OptionId::Settlers, "0x1", false);
        row("number, beyond 64 bits", OptionId::Settlers, "99999999999999999999", false);
        row("number, empty", OptionId::Settlers, "", false);
        row("rate limit off", OptionId::RatePerSecond, "0", true);
        row("rate limit negative", OptionId::RatePerSecond, "-1", false);
        row("body cap may be lowered", OptionId::BodyMax, "1024", true);
        row("body cap may not be raised", OptionId::BodyMax, "65537", false);

        row("choice, first", OptionId::SettleFrom, "queue", true);
        row("choice, last", OptionId::SettleFrom, "stream", true);
        row("choice, part", OptionId::SettleFrom, "que", false);
        row("choice, both", OptionId::SettleFrom, "queue|stream", false);
        row("choice, capitals", OptionId::SettleFrom, "Queue", false);
        row("choice, empty", OptionId::SettleFrom, "", false);

        row("time of the day", OptionId::DrainAt, "04:00", true);
        row("time, midnight", OptionId::DrainAt, "00:00", true);
        row("time, the last minute", OptionId::DrainAt, "23:59", true);
        row("time, an hour too many", OptionId::DrainAt, "24:00", false);
        row("time, a minute too many", OptionId::DrainAt, "12:60", false);
        row("time, one digit", OptionId::DrainAt, "4:00", false);
        row("time, seconds", OptionId::DrainAt, "04:00:00", false);
        row("time, negative", OptionId::DrainAt, "-1:00", false);
        row("time, another sign", OptionId::DrainAt, "04.00", false);
        row("zone", OptionId::ScheduleTimezone, "UTC", true);
        row("zone, a city", OptionId::ScheduleTimezone, "America/Port-au-Prince", true);
        row("zone, with an offset", OptionId::ScheduleTimezone, "Etc/GMT+5", true);
        row("zone, blank", OptionId::ScheduleTimezone, "Europe Berlin", false);
        row("zone, a quote", OptionId::ScheduleTimezone, "UTC'", false);
        row("no limit of the backlog", OptionId::BacklogMax, "0", true);
        row("a negative backlog", OptionId::BacklogMax, "-1", false);

        row("roles, one", OptionId::Roles, "settle", true);
        row("roles, two", OptionId::Roles, "settle,ingest", true);
        row("roles, unknown", OptionId::Roles, "settle,cook", false);
        row("roles, twice", OptionId::Roles, "settle,settle", false);
        row("roles, comma at the end", OptionId::Roles, "settle,", false);
        row("roles, blank", OptionId::Roles, "settle, ingest", false);
        row("roles, none", OptionId::Roles, "", false);

        row("database URL", OptionId::DatabaseUrl, "postgresql://u:p@h1:1,h2:2/db?sslmode=require",
            true);
        row("database URL, short scheme", OptionId::DatabaseUrl, "postgres:///db", true);
        row("database connection string", OptionId::DatabaseUrl, "host=/run dbname=d", true);
        row("database, another scheme", OptionId::DatabaseUrl, "mysql://h/db?a=b", false);
        row("database, a name", OptionId::DatabaseUrl, "countersign", false);

        row("redis", OptionId::RedisUrl, "redis://h:6379/0", true);
        row("redis, TLS", OptionId::RedisUrl, "rediss://u:p@h", true);
        row("redis, socket", OptionId::RedisUrl, "unix:///run/redis.sock", true);
        row("redis, another scheme", OptionId::RedisUrl, "http://h", false);
        row("redis, no scheme", OptionId::RedisUrl, "localhost:6379", false);
        row("redis, bad port", OptionId::RedisUrl, "redis://h:x", false);

        row("node", OptionId::EthRpcUrl, "https://node.example/v3/key", true);
        row("node, websocket", OptionId::EthRpcUrl, "wss://node.example", false);

        row("secret of 32", OptionId::WebhookSecret, QString{32, 'x'}, true);
        row("secret of 31", OptionId::WebhookSecret, QString{31, 'x'}, false);
        row("secret of 16 letters in 32 octets", OptionId::WebhookSecret,
            QString{16, QChar{0x0434}}, false);
        row("secret of 32 Cyrillic letters", OptionId::WebhookSecret, QString{32, QChar{0x0434}},
            true);

        row("token", OptionId::AdminToken, "abc.DEF-123~", true);
        row("token with blank", OptionId::AdminToken, "abc def", false);
        row("token with line end", OptionId::AdminToken, "abc\r\nX-Evil: 1", false);
        row("token not ASCII", OptionId::AdminToken, "тайна", false);

        row("file", OptionId::TlsCert, "/proc/self/status", true);
        row("file that is not there", OptionId::TlsCert, "/nonexistent/cert.pem", false);

        row("e-mail", OptionId::AlertEmail, "ops@example.org", true);
        row("e-mail without host", OptionId::AlertEmail, "ops@", false);
        row("e-mail without @", OptionId::AlertEmail, "ops", false);
        row("two e-mails", OptionId::AlertEmail, "a@b,c@d", false);
    }
    void judgesValues()
    {
        QFETCH(int, option);
        QFETCH(QString, text);
        QFETCH(bool, accepted);

        const auto& one = config::optionOf(static_cast<OptionId>(option));
        const auto complaint = config::complaintAbout(one, text.toStdString());

        QVERIFY2(complaint.has_value() != accepted, complaint ? complaint->c_str() : "accepted");
    }

    void aNulIsNoPartOfAnyValue()
    {
        const std::string text{"queue\0", 6};
        QVERIFY(config::complaintAbout(config::optionOf(OptionId::SettleFrom), text));
    }

    void everyDefaultPassesItsOwnCheck()
    {
        for (const config::Option& option : config::options()) {
            if (!option.fallback.empty()) {
                const auto complaint = config::complaintAbout(option, option.fallback);
                QVERIFY2(!complaint, complaint ? complaint->c_str() : "");
            }
            QVERIFY2(!option.fallback.empty() || !option.defaultNote.empty(), option.key.data());
        }
    }

    void namesAreUnique()
    {
        std::set<std::string> names;
        std::size_t count = 0;
        for (const config::Option& option : config::options()) {
            for (const std::string& name : {std::string{option.key},
                     std::string{option.environment}, config::flagOf(option)}) {
                names.insert(name);
                ++count;
            }
            if (option.hasFileForm()) {
                names.insert(config::fileKeyOf(option));
                names.insert(config::fileEnvironmentOf(option));
                names.insert(config::fileFlagOf(option));
                count += 3;
            }
        }
        QCOMPARE(names.size(), count);
    }

    void knowsTheLoopback_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<bool>("isLoopback");

        QTest::newRow("127.0.0.1") << "127.0.0.1:9090" << true;
        QTest::newRow("all of 127/8") << "127.1.2.3:9090" << true;
        QTest::newRow("localhost") << "localhost:0" << true;
        QTest::newRow("::1") << "[::1]:9090" << true;
        QTest::newRow("everywhere") << "0.0.0.0:9090" << false;
        QTest::newRow("everywhere, IPv6") << "[::]:9090" << false;
        QTest::newRow("another host") << "10.0.0.1:9090" << false;
        QTest::newRow("a name that begins like it") << "127.0.0.evil.example:9090" << false;
        QTest::newRow("a name that ends like it") << "x.localhost:9090" << false;
        QTest::newRow("not an address") << "localhost" << false;
    }
    void knowsTheLoopback()
    {
        QFETCH(QString, address);
        QFETCH(bool, isLoopback);
        QCOMPARE(config::isLoopback(address.toStdString()), isLoopback);
    }

    void rolesReadAsTheyAreWritten()
    {
        QCOMPARE(config::RoleSet::all().text(),
            "ingest,dispatch,settle,replay,chain,notify,analytics,watch");
        const auto roles = config::RoleSet::parse("settle,ingest");
        QCOMPARE(roles->text(), "ingest,settle");
        QVERIFY(roles->contains(config::Role::Settle));
        QVERIFY(!roles->contains(config::Role::Watch));
        QVERIFY(*config::RoleSet::parse(config::RoleSet::all().text()) == config::RoleSet::all());
    }
};

QTEST_APPLESS_MAIN(TestChecks)
#include "tst_checks.moc"
