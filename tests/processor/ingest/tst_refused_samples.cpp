#include "processor/base/limits.h"
#include "processor/ingest/headers_json.h"
#include "processor/ingest/refused_samples.h"

#include <QTest>

using namespace std::chrono_literals;

class TestRefusedSamples : public QObject
{
    Q_OBJECT

private slots:
    void keepsAFewOfAMinuteAndTheCount()
    {
        std::chrono::system_clock::time_point now{100h};
        ingest::RefusedSamples samples{[&now] { return now; }};
        const ingest::Source source{.name = "payments"};
        http::Request request;
        request.body = "forged";
        request.traceId = "t";
        request.remote = "203.0.113.1";

        int kept = 0;
        for (int i = 0; i < 1'000; ++i) kept += samples.note(source, request) ? 1 : 0;
        QCOMPARE(kept, static_cast<int>(base::kRefusedSamplesMax));
        auto rows = samples.take();
        QCOMPARE(rows.size(), base::kRefusedSamplesMax);
        QCOMPARE(rows.front().body, "forged");
        QCOMPARE(rows.front().remote, "203.0.113.1");
        QVERIFY(samples.take().empty());

        now += 1min;
        rows = samples.take();
        QCOMPARE(rows.size(), std::size_t{1});
        QVERIFY(rows.front().body.empty());
        QCOMPARE(rows.front().headers, R"({"refused":1000,"minute":360000})");
        now += 1min;
        QVERIFY(samples.take().empty());
    }

    void cutsTheBody()
    {
        ingest::RefusedSamples samples;
        http::Request request;
        request.body = std::string(60'000, 'x');
        (void)samples.note(ingest::Source{.name = "payments"}, request);
        QCOMPARE(samples.take().front().body.size(), base::kRefusedBodyMax);
    }

    void staysSmallWhileNobodyTakes()
    {
        std::chrono::system_clock::time_point now{100h};
        ingest::RefusedSamples samples{[&now] { return now; }};
        for (int minute = 0; minute < 100; ++minute) {
            for (int i = 0; i < 20; ++i) {
                (void)samples.note(ingest::Source{.name = "payments"}, http::Request{});
            }
            now += 1min;
        }
        QVERIFY(samples.take().size() <= 4 * base::kRefusedSamplesMax);
    }

    void headersLeaveCredentialsOut()
    {
        const std::vector<http::Header> headers{{"Content-Type", "application/json"},
            {"Authorization", "Bearer x"}, {"COOKIE", "y"}, {"X-Alchemy-Signature", "z"},
            {"X-Dup", "1"}, {"x-dup", "2"}, {"X-Odd", "\xff\x01"}};
        QCOMPARE(ingest::headersJson(headers, "x-alchemy-signature"),
            "{\"content-type\":\"application/"
            "json\",\"x-dup\":\"1\",\"x-odd\":\"\xef\xbf\xbd\\u0001\"}");
    }

    void headersAreBounded()
    {
        std::vector<http::Header> headers;
        for (int i = 0; i < 100; ++i)
            headers.push_back({"H" + std::to_string(i), std::string(100, 'x')});
        QVERIFY(ingest::headersJson(headers, "").size() < 3'000);
    }
};

QTEST_APPLESS_MAIN(TestRefusedSamples)
#include "tst_refused_samples.moc"
