#include "processor/http/request_reader.h"

#include "processor/base/limits.h"

#include <QTest>

#include <random>

using http::RequestReader;

namespace {

// What a reader makes of a stream that comes in pieces: one line a request.
std::string readAll(std::string_view stream, std::mt19937& random, std::size_t pieceMax)
{
    RequestReader reader;
    std::string seen;
    std::string kept; // what was not used yet
    std::size_t given = 0;
    while (given < stream.size()) {
        const std::size_t piece
            = std::min<std::size_t>(1 + random() % pieceMax, stream.size() - given);
        kept += stream.substr(given, piece);
        given += piece;
        while (!kept.empty()) {
            const std::size_t used = reader.feed({kept.data(), kept.size()});
            kept.erase(0, used);
            if (reader.state() == RequestReader::State::Failed) {
                return seen + std::to_string(reader.failure().status) + "\n";
            }
            if (reader.state() == RequestReader::State::NeedsMore) break;
            const http::Request request = reader.take();
            seen += request.method + " " + request.target + " " + request.body + "\n";
            reader.begin();
        }
    }
    return seen;
}

std::string sample()
{
    return "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello"
           "POST /b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\n"
           "de\r\n0\r\nTrailer: t\r\n\r\n"
           "GET /c HTTP/1.1\r\nHost: h\r\nX-Request-ID: t\r\n\r\n"
           "POST /d HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx";
}

} // namespace

class TestRequestReader : public QObject
{
    Q_OBJECT

private slots:
    void piecesDoNotMatter()
    {
        std::mt19937 random{1};
        const std::string whole = readAll(sample(), random, 100'000);
        QCOMPARE(whole, "POST /a hello\nPOST /b abcde\nGET /c \nPOST /d x\n");
        for (int round = 0; round < 300; ++round) {
            QCOMPARE(readAll(sample(), random, round % 2 == 0 ? 1 : 20), whole);
        }
    }

    void damagedStreamsEndInARefusalOrInRequests()
    {
        // Whatever is done to the octets, reading them whole or in pieces must tell the same story:
        // where it does not, two parties in a row can be led to read differently.
        std::mt19937 random{2};
        for (int round = 0; round < 2'000; ++round) {
            std::string stream = sample();
            for (unsigned change = 1 + random() % 4; change > 0; --change) {
                const std::size_t place = random() % stream.size();
                switch (random() % 4) {
                case 0:
                    stream[place] = static_cast<char>(random() % 256);
                    break;
                case 1:
                    stream.erase(place, 1 + random() % 3);
                    break;
                case 2:
                    stream.insert(place, 1, "\r\n: 0;,"[random() % 7]);
                    break;
                default:
                    stream.insert(place, stream.substr(place, random() % 40));
                    break;
                }
            }
            // So that nothing is still open at the end: this much without a line's end is refused.
            stream += "\r\n\r\n" + std::string(2 * base::kBodyMax, '?');
            const std::string whole = readAll(stream, random, 1'000'000);
            const std::string pieces = readAll(stream, random, 50);
            QVERIFY2(whole == pieces, (stream + "\n---\n" + whole + "---\n" + pieces).c_str());
        }
    }

    void traceIdOfAFailureIsTheSenders()
    {
        RequestReader reader;
        const std::string_view octets = "POST /a HTTP/1.1\r\nHost: h\r\nX-Request-ID: mine\r\n"
                                        "Content-Length: 70000\r\n\r\n";
        (void)reader.feed({octets.data(), octets.size()});
        QCOMPARE(reader.state(), RequestReader::State::Failed);
        QCOMPARE(reader.failure().status, 413);
        QCOMPARE(reader.traceId(), "mine");
    }

    void theLargestBodyIsServed()
    {
        RequestReader reader;
        const std::string body(base::kBodyMax, 'x');
        const std::string octets = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: "
            + std::to_string(body.size()) + "\r\n\r\n" + body;
        QCOMPARE(reader.feed({octets.data(), octets.size()}), octets.size());
        QCOMPARE(reader.state(), RequestReader::State::Complete);
        QCOMPARE(reader.take().body, body);
    }

    void aSmallerBoundHolds_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("isServed");
        QTest::newRow("as large as it may be") << 2'000 << true;
        QTest::newRow("one octet more") << 2'001 << false;
    }
    void aSmallerBoundHolds()
    {
        QFETCH(int, size);
        QFETCH(bool, isServed);
        RequestReader reader{2'000};
        const std::string octets = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: "
            + std::to_string(size) + "\r\n\r\n" + std::string(static_cast<std::size_t>(size), 'x');
        (void)reader.feed({octets.data(), octets.size()});
        QCOMPARE(reader.state() == RequestReader::State::Complete, isServed);
        if (!isServed) QCOMPARE(reader.failure().status, 413);
    }
};

QTEST_APPLESS_MAIN(TestRequestReader)
#include "tst_request_reader.moc"
