#include "tests/processor/http/serving.h"
#include "tests/support/wait.h"

#include <QTest>

#include <chrono>

using namespace std::chrono_literals;

namespace {

std::string post(const std::string& body, const std::string& more = {})
{
    return "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size())
        + "\r\n" + more + "\r\n" + body;
}

} // namespace

class TestServer : public QObject
{
    Q_OBJECT

private slots:
    void servesManyRequestsOnOneConnection()
    {
        Serving serving;
        auto client = serving.connect();
        for (int i = 0; i < 100; ++i) {
            const auto response = support::require(client.post("/echo", {}, std::to_string(i)));
            QCOMPARE(response.status, 200);
            QCOMPARE(response.body, std::to_string(i));
            QVERIFY(!response.header("date").empty());
        }
        QCOMPARE(serving.server().connections(), std::size_t{1});
    }

    void answersPipelinedRequestsInTheirOrder()
    {
        Serving serving;
        auto client = serving.connect();
        std::string all;
        for (int i = 0; i < 100; ++i) all += post(std::to_string(i));
        support::require(client.sendRaw(all));
        for (int i = 0; i < 100; ++i) {
            QCOMPARE(support::require(client.readResponse()).body, std::to_string(i));
        }
    }

    void keepsTheOrderWhenAnswersComeInAnother()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        auto client = serving.connect();
        support::require(client.sendRaw(post("a") + post("b") + post("c")));
        QVERIFY(keeper.waitFor(3));

        keeper.answer(2, "third");
        keeper.answer(1, "second");
        keeper.answer(0, "first");

        QCOMPARE(support::require(client.readResponse()).body, "first");
        QCOMPARE(support::require(client.readResponse()).body, "second");
        QCOMPARE(support::require(client.readResponse()).body, "third");
    }

    void takesABoundedNumberOfPipelinedRequests()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        auto client = serving.connect();
        std::string all;
        for (std::size_t i = 0; i < base::kPipelinedMax + 5; ++i) all += post("x");
        support::require(client.sendRaw(all));
        QVERIFY(keeper.waitFor(base::kPipelinedMax));
        // The next one is read when an answer has made room, not earlier.
        QCOMPARE(keeper.count(), base::kPipelinedMax);
        keeper.answer(0, "one");
        QVERIFY(keeper.waitFor(base::kPipelinedMax + 1));
        for (std::size_t i = 1; i < base::kPipelinedMax + 5; ++i) {
            QVERIFY(keeper.waitFor(i + 1));
            keeper.answer(i, "more");
        }
        for (std::size_t i = 0; i < base::kPipelinedMax + 5; ++i) {
            QCOMPARE(support::require(client.readResponse()).status, 200);
        }
    }

    void aBadRequestAfterGoodOnesWaitsForItsTurn()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        auto client = serving.connect();
        support::require(client.sendRaw(post("a") + "nonsense\r\n\r\n"));
        QVERIFY(keeper.waitFor(1));
        keeper.answer(0, "good");
        QCOMPARE(support::require(client.readResponse()).body, "good");
        QCOMPARE(support::require(client.readResponse()).status, 400);
        QVERIFY(client.isClosedWithin(2s));
    }

    void meetsTheExpectationOf100Continue()
    {
        Serving serving;
        auto client = serving.connect();
        support::require(client.sendRaw(
            "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"));
        QCOMPARE(support::require(client.readResponse()).status, 100);
        support::require(client.sendRaw("hi"));
        QCOMPARE(support::require(client.readResponse()).body, "hi");
    }

    void doesNotAskForABodyThatIsTooLarge()
    {
        Serving serving;
        auto client = serving.connect();
        support::require(client.sendRaw("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                                        "Content-Length: 70000\r\n\r\n"));
        QCOMPARE(support::require(client.readResponse()).status, 413);
    }

    void doesNotAskForABodyThatIsThere()
    {
        Serving serving;
        auto client = serving.connect();
        support::require(client.sendRaw(post("hi", "Expect: 100-continue\r\n")));
        QCOMPARE(support::require(client.readResponse()).status, 200);
    }

    void repeatsTheTraceIdOrMakesOne_data()
    {
        QTest::addColumn<QByteArray>("header");
        QTest::addColumn<QByteArray>("traceId"); // empty: a new one
        QTest::newRow("X-Request-ID")
            << QByteArray{"X-Request-ID: abc 1\r\n"} << QByteArray{"abc 1"};
        QTest::newRow("X-Alchemy-Request-ID")
            << QByteArray{"X-Alchemy-Request-ID: xyz\r\n"} << QByteArray{"xyz"};
        QTest::newRow("both") << QByteArray{"X-Alchemy-Request-ID: xyz\r\nX-Request-ID: abc\r\n"}
                              << QByteArray{"abc"};
        QTest::newRow("none") << QByteArray{} << QByteArray{};
        QTest::newRow("an empty one") << QByteArray{"X-Request-ID: \r\n"} << QByteArray{};
        QTest::newRow("one not in ASCII")
            << QByteArray{"X-Request-ID: \xc3\xa4\r\n"} << QByteArray{};
        QTest::newRow("128 characters") << "X-Request-ID: " + QByteArray(128, 'a') + "\r\n"
                                        << QByteArray(128, 'a');
        QTest::newRow("129 characters") << "X-Request-ID: " + QByteArray(129, 'a') + "\r\n"
                                        << QByteArray{};
    }
    void repeatsTheTraceIdOrMakesOne()
    {
        QFETCH(QByteArray, header);
        QFETCH(QByteArray, traceId);
        Serving serving;
        auto client = serving.connect();
        support::require(client.sendRaw(post("", header.toStdString())));
        const auto seen = QString::fromStdString(
            support::require(client.readResponse()).header("x-request-id"));
        if (traceId.isEmpty()) {
            QVERIFY(QRegularExpression{"^[0-9a-f-]{36}$"}.match(seen).hasMatch());
        } else {
            QCOMPARE(seen, QString::fromLatin1(traceId));
        }
    }

    void aDroppedRequestIsAnswered503()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        auto client = serving.connect();
        support::require(client.sendRaw(post("a")));
        QVERIFY(keeper.waitFor(1));
        keeper.drop();
        const auto response = support::require(client.readResponse());
        QCOMPARE(response.status, 503);
        QVERIFY(!response.header("retry-after").empty());
    }

    void anAnswerToWhoHasGoneDoesNothing()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        {
            auto client = serving.connect();
            support::require(client.sendRaw(post("a")));
            QVERIFY(keeper.waitFor(1));
        }
        keeper.answer(0, "nobody hears it");
        auto other = serving.connect();
        support::require(other.sendRaw(post("b")));
        QVERIFY(keeper.waitFor(2));
        keeper.answer(1, "heard");
        QCOMPARE(support::require(other.readResponse()).body, "heard");
    }

    void theLongestIdleConnectionMakesRoom()
    {
        http::ServerOptions options;
        options.connectionsMax = 2;
        Serving serving{echoRoutes(), options};
        auto first = serving.connect();
        QCOMPARE(support::require(first.post("/echo", {}, "1")).body, "1");
        auto second = serving.connect();
        QCOMPARE(support::require(second.post("/echo", {}, "2")).body, "2");
        auto third = serving.connect();
        QCOMPARE(support::require(third.post("/echo", {}, "3")).body, "3");
        QVERIFY(first.isClosedWithin(2s));
        QCOMPARE(support::require(second.post("/echo", {}, "2")).body, "2");
    }

    void withoutAnIdleConnectionTheNewOneIsClosed()
    {
        Keeper keeper;
        http::ServerOptions options;
        options.connectionsMax = 1;
        Serving serving{keeper.handler(), options};
        auto busy = serving.connect();
        support::require(busy.sendRaw(post("a")));
        QVERIFY(keeper.waitFor(1));
        auto late = serving.connect();
        QVERIFY(late.isClosedWithin(2s));
        keeper.answer(0, "done");
        QCOMPARE(support::require(busy.readResponse()).body, "done");
    }

    void stoppingAnswersWhatIsUnderWay()
    {
        Keeper keeper;
        Serving serving{keeper.handler()};
        auto idle = serving.connect();
        auto busy = serving.connect();
        support::require(busy.sendRaw(post("a")));
        QVERIFY(keeper.waitFor(1));
        serving.requestStop();
        QVERIFY(idle.isClosedWithin(2s));
        keeper.answer(0, "last");
        const auto response = support::require(busy.readResponse());
        QCOMPARE(response.body, "last");
        QCOMPARE(response.header("connection"), "close");
        serving.join();
        support::HttpClient late{serving.address(), 1s};
        QVERIFY(!late.open());
    }

    void stoppingIsBounded()
    {
        Keeper keeper;
        http::ServerOptions options;
        options.drain = 200ms;
        Serving serving{keeper.handler(), options};
        auto client = serving.connect();
        support::require(client.sendRaw(post("a")));
        QVERIFY(keeper.waitFor(1));
        QElapsedTimer timer;
        timer.start();
        serving.requestStop();
        serving.join();
        QVERIFY(timer.elapsed() < 3'000);
        keeper.answer(0, "too late"); // must not reach into what is gone
    }

    void refusesAddressesThatCannotBe_data()
    {
        QTest::addColumn<QByteArray>("address");
        QTest::newRow("no port") << QByteArray{"127.0.0.1"};
        QTest::newRow("empty port") << QByteArray{"127.0.0.1:"};
        QTest::newRow("no number") << QByteArray{"127.0.0.1:http"};
        QTest::newRow("not ours") << QByteArray{"192.0.2.1:0"};
    }
    void refusesAddressesThatCannotBe()
    {
        QFETCH(QByteArray, address);
        http::ServerOptions options;
        options.listenOn = address.toStdString();
        QVERIFY(!http::Server::listen(options, echoRoutes()));
    }

    void saysWhenThePortIsTaken()
    {
        Serving serving;
        http::ServerOptions options;
        options.listenOn = serving.address();
        const auto second = http::Server::listen(options, echoRoutes());
        QVERIFY(!second);
        QCOMPARE(second.error().kind, base::ErrorKind::Conflict);
    }

    void listensOnIpv6()
    {
        http::ServerOptions options;
        options.listenOn = "[::1]:0";
        const auto server = http::Server::listen(options, echoRoutes());
        // A machine may have no IPv6; then it says so.
        if (server) QVERIFY(server->address().starts_with("[::1]:"));
        if (!server) QCOMPARE(server.error().kind, base::ErrorKind::Invalid);
    }
};

QTEST_GUILESS_MAIN(TestServer)
#include "tst_server.moc"
