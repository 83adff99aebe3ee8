#include "processor/redis/client.h"
#include "processor/redis/tls.h"
#include "tests/support/redis_server.h"
#include "tests/support/wait.h"

#include <QTest>

#include <fcntl.h>
#include <thread>

using namespace std::chrono_literals;
using base::ErrorKind;

class TestClientFailures : public QObject
{
    Q_OBJECT

    std::unique_ptr<support::RedisServer> m_server;

    void startServer(std::vector<std::string> settings = {})
    {
        auto server = support::RedisServer::start(std::move(settings));
        QVERIFY2(server, server ? "" : server.error().message.c_str());
        m_server = std::move(*server);
    }

    redis::Client newClient(std::chrono::milliseconds timeout = 2s)
    {
        return redis::Client{{.url = m_server->url(), .commandTimeout = timeout}};
    }

    // Ends every connection but the one that asks.
    void endConnections()
    {
        auto other = newClient();
        QVERIFY(other.run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}));
    }

    bool isBlocked()
    {
        auto other = newClient();
        const auto info = other.run({"INFO", "clients"});
        return info && info->text.find("blocked_clients:1") != std::string::npos;
    }

private slots:
    void cleanup() { m_server.reset(); }

    void anIdleConnectionEndedByTheServerIsReplacedUnnoticed()
    {
        startServer();
        auto client = newClient();
        QVERIFY(client.run({"SET", "k", "v"}));
        endConnections();
        QCOMPARE(client.run({"GET", "k"})->text, "v");
    }

    void aRestartBetweenTwoCommandsIsUnnoticed()
    {
        startServer();
        auto client = newClient();
        QVERIFY(client.run({"PING"}));
        QVERIFY(m_server->restart());
        QVERIFY(client.run({"PING"}));
    }

    void aBlockingReadMayOutlastTheCommandTimeout()
    {
        startServer();
        auto client = newClient(300ms);
        const auto nothing = client.runBlocking({"BLPOP", "list", "0.6"}, 600ms);
        QVERIFY2(nothing, nothing ? "" : nothing.error().message.c_str());
        QCOMPARE(nothing->type, redis::Reply::Type::Nil);
        QVERIFY(client.run({"PING"}));
    }

    void aKillInMidBlockingReadEndsItAtOnce()
    {
        startServer();
        auto client = newClient();
        QVERIFY(client.run({"PING"}));
        base::Result<redis::Reply> read{base::Error{ErrorKind::Invalid, "not run"}};
        QElapsedTimer elapsed;
        {
            std::jthread reader{[&] { read = client.runBlocking({"BLPOP", "list", "30"}, 30s); }};
            QVERIFY(support::waitUntil([&] { return isBlocked(); }, 10s));
            elapsed.start();
            m_server->kill();
        }
        QVERIFY(!read);
        QCOMPARE(read.error().kind, ErrorKind::Unavailable);
        QVERIFY(elapsed.elapsed() < 5'000);
        QVERIFY(!client.isConnected());

        QVERIFY(m_server->restart());
        QVERIFY(client.run({"PING"})); // it had served, so there is no pause
    }

    void aConnectionEndedInMidBlockingReadIsReplaced()
    {
        startServer();
        auto client = newClient();
        QVERIFY(client.run({"PING"}));
        base::Result<redis::Reply> read{base::Error{ErrorKind::Invalid, "not run"}};
        {
            std::jthread reader{[&] { read = client.runBlocking({"BLPOP", "list", "30"}, 30s); }};
            QVERIFY(support::waitUntil([&] { return isBlocked(); }, 10s));
            endConnections();
        }
        QVERIFY(!read);
        QVERIFY(client.run({"PING"}));
    }

    void aFrozenServerCostsTheTimeoutAndTheConnection()
    {
        startServer();
        auto client = newClient(200ms);
        QVERIFY(client.run({"PING"}));
        m_server->freeze();
        const auto late = client.run({"SET", "k", "late"});
        m_server->thaw();

        QVERIFY(!late);
        QCOMPARE(late.error().kind, ErrorKind::Unavailable);
        QVERIFY2(late.error().message.find("no answer in time") != std::string::npos,
            late.error().message.c_str());
        // The late answer must not be taken for that of the next command.
        const auto next = client.run({"ECHO", "mine"});
        QVERIFY(next);
        QCOMPARE(next->text, "mine");
    }

    void aServerThatIsAwayIsNotAskedInALoop()
    {
        startServer();
        m_server->kill();
        auto client = newClient();
        const auto first = client.run({"PING"});
        QVERIFY(!first);
        QCOMPARE(first.error().kind, ErrorKind::Unavailable);
        QVERIFY(first.error().message.find(m_server->socketPath()) != std::string::npos);

        QVERIFY(m_server->restart());
        // At once it is refused from memory, within the pause; after it the server is found.
        QVERIFY(support::waitUntil([&] { return bool(client.run({"PING"})); }, 10s));
        QVERIFY(client.isConnected());
    }

    void logsInAgainAfterEveryReconnect_data()
    {
        QTest::addColumn<QString>("login");
        QTest::newRow("password only") << ":s%40me";
        QTest::newRow("user and password") << "default:s%40me";
        QTest::newRow("another user") << "bob:b%3Ab";
    }
    void logsInAgainAfterEveryReconnect()
    {
        QFETCH(QString, login);
        startServer({"--requirepass", "s@me", "--user", "bob", "on", ">b:b", "~*", "&*", "+@all"});
        redis::Client client{
            {.url = "unix://" + login.toStdString() + "@" + m_server->socketPath() + "?db=2"}};
        QVERIFY(client.run({"SET", "k", "v"}));
        redis::Client other{{.url = "unix://:s%40me@" + m_server->socketPath()}};
        QVERIFY(other.run({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}));

        const auto again = client.run({"GET", "k"}); // needs the login and the database
        QVERIFY2(again, again ? "" : again.error().message.c_str());
        QCOMPARE(again->text, "v");
    }

    void aWrongPasswordIsToldWithoutRepeatingIt()
    {
        startServer({"--requirepass", "right"});
        redis::Client client{{.url = "unix://:sesame@" + m_server->socketPath()}};
        for (int i = 0; i < 2; ++i) { // the second time from memory
            const auto reply = client.run({"PING"});
            QVERIFY(!reply);
            QCOMPARE(reply.error().kind, ErrorKind::Unavailable);
            QVERIFY(reply.error().message.find("WRONGPASS") != std::string::npos);
            QVERIFY(reply.error().message.find("sesame") == std::string::npos);
        }
        const auto without = newClient().run({"PING"});
        QCOMPARE(without.error().code, "NOAUTH");
        QCOMPARE(without.error().kind, ErrorKind::Unavailable);
    }

    void aServerThatReadsItsFileIsAwayForAWhile()
    {
        startServer();
        {
            auto client = newClient();
            std::vector<std::vector<std::string>> commands;
            for (int i = 0; i < 100; ++i) {
                commands.push_back({"SET", "key" + std::to_string(i), std::string(4096, 'x')});
            }
            QVERIFY(client.runPipeline(commands));
            QVERIFY(client.run({"CONFIG", "SET", "rdbcompression", "no"}));
            QVERIFY(client.run({"SAVE"}));
        }
        // The same file again, but 10 ms a key.
        QVERIFY(m_server->restart(
            {"--key-load-delay", "10000", "--loading-process-events-interval-bytes", "1024"}));
        auto client = newClient();
        const auto early = client.run({"GET", "key1"});
        QVERIFY(!early);
        QCOMPARE(early.error().code, "LOADING");
        QCOMPARE(early.error().kind, ErrorKind::Unavailable);
        redis::Client inDatabase{{.url = m_server->url() + "?db=1"}}; // fails in SELECT already
        QCOMPARE(inDatabase.run({"PING"}).error().kind, ErrorKind::Unavailable);

        QVERIFY(support::waitUntil([&] { return bool(client.run({"GET", "key1"})); }, 30s));
        QVERIFY(support::waitUntil([&] { return bool(inDatabase.run({"PING"})); }, 30s));
    }

    void scriptsComeBackAfterARestart()
    {
        startServer();
        auto client = newClient();
        QCOMPARE(client.runScript("return 7", {}, {})->integer, 7);
        QVERIFY(m_server->restart());
        QCOMPARE(client.runScript("return 7", {}, {})->integer, 7);
    }

    void aBrokenPipelineIsOneFailure()
    {
        startServer();
        auto client = newClient();
        const auto replies = client.runPipeline({{"SET", "k", "v"}, {"QUIT"}, {"GET", "k"}});
        QVERIFY(!replies);
        QCOMPARE(replies.error().kind, ErrorKind::Unavailable);
        QCOMPARE(client.run({"GET", "k"})->text, "v");
    }

    void aFullServerIsAway()
    {
        startServer({"--maxmemory", "1mb", "--maxmemory-policy", "noeviction"});
        auto client = newClient();
        const auto reply = client.run({"SET", "k", std::string(4 * 1024 * 1024, 'x')});
        QVERIFY(!reply);
        QCOMPARE(reply.error().code, "OOM");
        QCOMPARE(reply.error().kind, ErrorKind::Unavailable);
    }

    void nobodyAtThatPort()
    {
        redis::Client client{{.url = "redis://127.0.0.1:1/0"}};
        const auto reply = client.run({"PING"});
        QVERIFY(!reply);
        QCOMPARE(reply.error().kind, ErrorKind::Unavailable);
        QVERIFY(reply.error().message.find("127.0.0.1:1") != std::string::npos);
    }

    void tlsIsNeverSilentlyLeftOut()
    {
        redis::Client client{{.url = "rediss://127.0.0.1:1"}};
        const auto reply = client.run({"PING"});
        QVERIFY(!reply);
        if (redis::canUseTls()) {
            QCOMPARE(reply.error().kind, ErrorKind::Unavailable);
        } else {
            QCOMPARE(reply.error().kind, ErrorKind::Invalid);
            QCOMPARE(reply.error().message, "TLS to Redis needs hiredis 1.0");
        }
    }

    void connectionsAreNotInheritedByProgramsWeStart()
    {
        startServer();
        const auto openFiles
            = [] { return QDir{"/proc/self/fd"}.entryList(QDir::System | QDir::Files); };
        const QStringList before = openFiles();
        auto client = newClient();
        QVERIFY(client.run({"PING"}));
        int opened = 0;
        for (const QString& file : openFiles()) {
            const int flags = fcntl(file.toInt(), F_GETFD);
            if (!before.contains(file) && flags >= 0) { // the folder's own is closed again
                ++opened;
                QVERIFY(flags & FD_CLOEXEC);
            }
        }
        QCOMPARE(opened, 1);
    }
};

QTEST_GUILESS_MAIN(TestClientFailures)
#include "tst_client_failures.moc"
