#include "processor/redis/client.h"
#include "tests/support/redis_server.h"

#include <QTest>

using redis::Reply;

class TestClient : public QObject
{
    Q_OBJECT

    std::unique_ptr<support::RedisServer> m_server;
    std::unique_ptr<redis::Client> m_client;

    Reply run(const std::vector<std::string_view>& arguments)
    {
        auto reply = m_client->run(arguments);
        if (!reply) {
            qWarning("%s", reply.error().message.c_str());
            return {.type = Reply::Type::Error, .text = reply.error().message};
        }
        return *reply;
    }

private slots:
    void initTestCase()
    {
        auto server = support::RedisServer::start();
        QVERIFY2(server, server ? "" : server.error().message.c_str());
        m_server = std::move(*server);
    }
    void init()
    {
        m_client = std::make_unique<redis::Client>(redis::ClientOptions{.url = m_server->url()});
        run({"FLUSHALL"});
    }

    void connectsWithTheFirstCommand()
    {
        redis::Client client{{.url = m_server->url()}};
        QVERIFY(!client.isConnected());
        QCOMPARE(client.run({"PING"})->text, "PONG");
        QVERIFY(client.isConnected());
    }

    void knowsTheTypesOfReplies()
    {
        QCOMPARE(run({"GET", "nothing"}).type, Reply::Type::Nil);
        QCOMPARE(run({"INCR", "n"}).integer, 1);
        QCOMPARE(run({"SET", "k", "v"}).text, "OK");
        QCOMPARE(run({"RPUSH", "list", "a", "b"}).integer, 2);
        const Reply list = run({"LRANGE", "list", "0", "-1"});
        QCOMPARE(list.type, Reply::Type::Array);
        QCOMPARE(list.items.size(), 2U);
        QCOMPARE(list.items[1].text, "b");
        QVERIFY(run({"LRANGE", "nothing", "0", "-1"}).items.empty());
    }

    void keepsEveryOctet()
    {
        std::string octets;
        for (int i = 0; i < 256; ++i) {
            octets.push_back(static_cast<char>(i));
        }
        octets += "\r\n$-1\r\n%s%b";
        run({"SET", octets, octets});
        QCOMPARE(run({"GET", octets}).text, octets);
        run({"SET", "empty", ""});
        const Reply empty = run({"GET", "empty"});
        QCOMPARE(empty.type, Reply::Type::Text);
        QVERIFY(empty.text.empty());
    }

    void carriesLargeValues()
    {
        const std::string large(8 * 1024 * 1024, 'x');
        run({"SET", "large", large});
        QVERIFY(run({"GET", "large"}).text == large);
    }

    void readsStreamsAsTheyNest()
    {
        run({"XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"});
        const auto again = m_client->run({"XGROUP", "CREATE", "s", "g", "0", "MKSTREAM"});
        QVERIFY(!again);
        QCOMPARE(again.error().kind, base::ErrorKind::Conflict);
        QCOMPARE(again.error().code, "BUSYGROUP");

        run({"XADD", "s", "7-0", "event", "payment.confirmed"});
        const Reply read
            = run({"XREADGROUP", "GROUP", "g", "c", "COUNT", "10", "STREAMS", "s", ">"});
        const Reply& entry = read.items.at(0).items.at(1).items.at(0);
        QCOMPARE(entry.items.at(0).text, "7-0");
        QCOMPARE(entry.items.at(1).items.at(1).text, "payment.confirmed");
    }

    void anErrorReplyKeepsTheConnection()
    {
        run({"SET", "k", "v"});
        const auto wrong = m_client->run({"INCR", "k"});
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().kind, base::ErrorKind::Conflict);
        QCOMPARE(wrong.error().code, "ERR");
        QVERIFY(m_client->isConnected());
        QCOMPARE(run({"GET", "k"}).text, "v");
    }

    void aPipelineAnswersInOrderAndKeepsErrorsAsValues()
    {
        const auto replies
            = m_client->runPipeline({{"SET", "k", "v"}, {"INCR", "k"}, {"GET", "k"}});
        QVERIFY(replies);
        QCOMPARE(replies->size(), 3U);
        QCOMPARE((*replies)[0].text, "OK");
        QCOMPARE((*replies)[1].type, Reply::Type::Error);
        QCOMPARE((*replies)[2].text, "v");
        QVERIFY(m_client->runPipeline({})->empty());
    }

    void aPipelineOfThousandsFits()
    {
        std::vector<std::vector<std::string>> commands(
            20'000, std::vector<std::string>{"ECHO", std::string(500, 'x')});
        const auto replies = m_client->runPipeline(commands);
        QVERIFY2(replies, replies ? "" : replies.error().message.c_str());
        QCOMPARE(replies->size(), commands.size());
    }

    void scriptsRunAndSurviveAFlushedCache()
    {
        const std::string script = "return {KEYS[1], ARGV[1], ARGV[2]}";
        for (const bool flushed : {false, true, false}) {
            if (flushed) {
                run({"SCRIPT", "FLUSH"});
            }
            const auto reply
                = m_client->runScript(script, {"key"}, {"one", std::string{"\0\xff", 2}});
            QVERIFY2(reply, reply ? "" : reply.error().message.c_str());
            QCOMPARE(reply->items.at(0).text, "key");
            QCOMPARE(reply->items.at(2).text, (std::string{"\0\xff", 2}));
        }
        const std::string info = run({"INFO", "commandstats"}).text;
        QVERIFY(info.find("cmdstat_eval:calls=1,") != std::string::npos); // after the flush only
        QVERIFY(info.find("cmdstat_script|load:calls=1,") != std::string::npos);
    }

    void aBrokenScriptIsAnErrorEachTime()
    {
        for (int i = 0; i < 2; ++i) {
            const auto reply = m_client->runScript("return (", {}, {});
            QVERIFY(!reply);
            QCOMPARE(reply.error().kind, base::ErrorKind::Conflict);
        }
        const auto refusal = m_client->runScript("return redis.error_reply('MINE no')", {}, {});
        QCOMPARE(refusal.error().code, "MINE");
        QVERIFY(m_client->isConnected());
    }

    void databasesAreSelected()
    {
        redis::Client third{{.url = m_server->url() + "?db=3"}};
        QVERIFY(third.run({"SET", "k", "in three"}));
        QCOMPARE(run({"GET", "k"}).type, Reply::Type::Nil);
        run({"SELECT", "3"});
        QCOMPARE(run({"GET", "k"}).text, "in three");
    }

    void aDatabaseThatIsNotThereIsNoConnection()
    {
        redis::Client client{{.url = m_server->url() + "?db=9999"}};
        const auto reply = client.run({"PING"});
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, base::ErrorKind::Unavailable);
        QVERIFY(!client.isConnected());
    }

    void aMovedClientGoesOn()
    {
        redis::Client first{{.url = m_server->url()}};
        QVERIFY(first.run({"PING"}));
        redis::Client second{std::move(first)};
        QVERIFY(second.isConnected());
        QCOMPARE(second.run({"PING"})->text, "PONG");
    }
};

QTEST_GUILESS_MAIN(TestClient)
#include "tst_client.moc"
