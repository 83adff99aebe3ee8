#include "tests/processor/http/serving.h"
#include "tests/support/json_text.h"

#include <QTest>

#include <chrono>

using namespace std::chrono_literals;

namespace {

constexpr auto kPost = "POST /echo HTTP/1.1\r\nHost: a\r\n";

} // namespace

// Requests that no decent client sends, byte by byte over a raw socket: each is refused or served,
// none is waited for longer than the deadline, none is read differently than a proxy might.
class TestHostileHttp : public QObject
{
    Q_OBJECT

private slots:
    void refusesOrServes_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<bool>("staysOpen");
        const auto row = [](const char* name, QByteArray bytes, int status, QByteArray code = {},
                             bool staysOpen = false) {
            QTest::newRow(name) << bytes << status << code << staysOpen;
        };
        const QByteArray post{kPost};
        const QByteArray invalid{"invalid_request"};

        row("a plain POST", post + "Content-Length: 2\r\n\r\nhi", 200, {}, true);
        row("a chunked POST", post + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", 200,
            {}, true);
        row("chunked in capitals", post + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", 200, {},
            true);
        row("Connection: close", post + "Connection: close\r\nContent-Length: 0\r\n\r\n", 200);
        row("HTTP/1.0 without Host", "POST /echo HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", 200);
        row("HTTP/1.0 that keeps alive",
            "POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", 200, {},
            true);
        row("absolute target", "GET http://a/hello HTTP/1.1\r\nHost: a\r\n\r\n", 200, {}, true);
        row("query", "GET /hello?x=1 HTTP/1.1\r\nHost: a\r\n\r\n", 200, {}, true);
        row("HEAD for a GET route", "HEAD /hello HTTP/1.1\r\nHost: a\r\n\r\n", 200, {}, true);

        row("unknown path", "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404, "not_found", true);
        row("wrong method", "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method_not_allowed",
            true);
        row("unknown method", "BREW /echo HTTP/1.1\r\nHost: a\r\n\r\n", 405, "method_not_allowed",
            true);

        row("10 MB announced", post + "Content-Length: 10485760\r\n\r\n", 413, "payload_too_large");
        row("one octet too many", post + "Content-Length: 65537\r\n\r\n", 413, "payload_too_large");
        row("a chunk too large", post + "Transfer-Encoding: chunked\r\n\r\n10001\r\n", 413,
            "payload_too_large");
        row("a header line of 10 kB", post + "X: " + QByteArray(10'000, 'a') + "\r\n\r\n", 431,
            invalid);
        row("a header of 1 MB", post + "X: " + QByteArray(1'000'000, 'a'), 431, invalid);
        row("a thousand header lines", post + QByteArray("X: aaaaaaa\r\n").repeated(1'000) + "\r\n",
            431, invalid);
        row("an endless target", "GET /" + QByteArray(20'000, 'a'), 431, invalid);

        row("no Host", "POST /echo HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 400, invalid);
        row("two Hosts", post + "Host: b\r\nContent-Length: 0\r\n\r\n", 400, invalid);
        row("length and coding",
            post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
            invalid);
        row("coding and length",
            post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400,
            invalid);
        row("two lengths that differ", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
            400, invalid);
        row("two lengths alike", post + "Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", 400,
            invalid);
        row("a list of lengths", post + "Content-Length: 2, 2\r\n\r\nhi", 400, invalid);
        row("length 5x", post + "Content-Length: 5x\r\n\r\nhello", 400, invalid);
        row("negative length", post + "Content-Length: -1\r\n\r\n", 400, invalid);
        row("length with plus", post + "Content-Length: +2\r\n\r\nhi", 400, invalid);
        row("length beyond 64 bits", post + "Content-Length: 99999999999999999999\r\n\r\n", 400,
            invalid);
        row("blank before the colon", post + "Content-Length : 2\r\n\r\nhi", 400, invalid);
        row("gzip before chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 400,
            invalid);
        row("coding xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 400, invalid);
        row("identity", post + "Transfer-Encoding: identity\r\n\r\nhi", 400, invalid);
        row("chunked in HTTP/1.0",
            "POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, invalid);
        row("a chunk size of no digits", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400,
            invalid);
        row("a chunk's size that never ends",
            post + "Transfer-Encoding: chunked\r\n\r\n1;" + QByteArray(100'000, 'a'), 431, invalid);
        row("a trailer that never ends",
            post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + QByteArray(100'000, 'a'), 431,
            invalid);
        row("a chunk longer than it says",
            post + "Transfer-Encoding: chunked\r\n\r\n2\r\nhiya\r\n0\r\n\r\n", 400, invalid);
        row("NUL in a header", post + QByteArray("X: a\0b\r\n\r\n", 10), 400, invalid);
        row("lines that end with LF", "POST /echo HTTP/1.1\nHost: a\nContent-Length: 0\n\n", 505,
            invalid); // the version is not "1.1", CR, LF
        row("a header without colon", post + "nonsense\r\n\r\n", 400, invalid);
        row("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, invalid);
        row("a TLS greeting", QByteArray("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11), 400,
            invalid);
        row("another expectation", post + "Expect: wonders\r\nContent-Length: 2\r\n\r\n", 417,
            invalid);
    }
    void refusesOrServes()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, status);
        QFETCH(QByteArray, code);
        QFETCH(bool, staysOpen);
        auto client = m_serving.connect();

        (void)client.sendRaw(bytes.toStdString()); // may be cut off by the refusal
        // A HEAD's answer has no body, whatever its length says.
        if (bytes.startsWith("HEAD")) {
            support::require(
                client.sendRaw("POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                               "Content-Length: 2\r\n\r\nhi"));
            QVERIFY(client.isClosedWithin(2s));
            return;
        }
        const auto response = client.readResponse();

        QVERIFY2(response, response ? "" : response.error().message.c_str());
        QCOMPARE(response->status, status);
        if (!code.isEmpty()) {
            QCOMPARE(QByteArray::fromStdString(support::textMember(response->body, "error")), code);
            QVERIFY(!support::textMember(response->body, "detail").empty());
            QVERIFY(!support::textMember(response->body, "trace_id").empty());
        }
        if (staysOpen) {
            QCOMPARE(support::require(client.post("/echo", {}, "again")).body, "again");
        } else {
            QVERIFY(client.isClosedWithin(2s));
        }
    }

    void anEndlessChunkedBodyIsCut()
    {
        auto client = m_serving.connect();
        support::require(client.sendRaw(std::string{kPost} + "Transfer-Encoding: chunked\r\n\r\n"));
        const std::string chunk = "1000\r\n" + std::string(4'096, 'x') + "\r\n";
        std::size_t sent = 0;
        while (sent < 20'000'000 && client.sendRaw(chunk)) sent += chunk.size();
        QVERIFY2(sent < 20'000'000, "the server went on reading");
    }

    void aBodyThatComesAnywayDoesNotHideTheRefusal()
    {
        auto client = m_serving.connect();
        (void)client.sendRaw(
            std::string{kPost} + "Content-Length: 300000\r\n\r\n" + std::string(300'000, 'x'));
        const auto response = client.readResponse();
        QVERIFY2(response, response ? "" : response.error().message.c_str());
        QCOMPARE(response->status, 413);
    }

    void slownessEndsAtTheDeadline_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("headers that trickle") << QByteArray{"POST /echo HTTP/1.1\r\nX: "};
        QTest::newRow("a body that trickles") << QByteArray{kPost} + "Content-Length: 1000\r\n\r\n";
        QTest::newRow("chunks that trickle")
            << QByteArray{kPost} + "Transfer-Encoding: chunked\r\n\r\n3E8\r\n";
    }
    void slownessEndsAtTheDeadline()
    {
        QFETCH(QByteArray, start);
        http::ServerOptions options;
        options.requestDeadline = 1s;
        Serving serving{echoRoutes(), options};
        auto client = serving.connect();
        const auto begun = std::chrono::steady_clock::now();
        support::require(client.sendRaw(start.toStdString()));
        // Each octet resets a time-out of inactivity, but not a deadline.
        bool isClosed = false;
        while (!isClosed && std::chrono::steady_clock::now() - begun < 5s) {
            (void)client.sendRaw("a");
            isClosed = client.isClosedWithin(100ms);
        }
        const auto took = std::chrono::steady_clock::now() - begun;
        QVERIFY(isClosed);
        QVERIFY(took >= 1s);
        QVERIFY2(took < 2500ms, "the sweep comes every 500 ms");
    }

    void aSlowRequestIsToldSo()
    {
        http::ServerOptions options;
        options.requestDeadline = 200ms;
        Serving serving{echoRoutes(), options};
        auto client = serving.connect();
        support::require(client.sendRaw(kPost));
        const auto response = client.readResponse();
        QVERIFY2(response, response ? "" : response.error().message.c_str());
        QCOMPARE(response->status, 408);
        QVERIFY(client.isClosedWithin(2s));
    }

    void idleConnectionsEnd()
    {
        http::ServerOptions options;
        options.idleTimeout = 200ms;
        Serving serving{echoRoutes(), options};
        auto silent = serving.connect();
        auto polite = serving.connect();
        QCOMPARE(support::require(polite.post("/echo", {}, "x")).body, "x");
        QVERIFY(silent.isClosedWithin(3s));
        QVERIFY(polite.isClosedWithin(3s));
    }

private:
    Serving m_serving;
};

QTEST_GUILESS_MAIN(TestHostileHttp)
#include "tst_hostile_http.moc"
