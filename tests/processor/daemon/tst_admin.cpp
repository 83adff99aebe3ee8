#include "processor/daemon/admin.h"
#include "tests/support/wait.h"

#include <QTest>
#include <memory>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {

class Answers : public http::Outbox
{
public:
    void answer(std::uint64_t, std::uint64_t, std::optional<http::Response> response) override
    {
        const std::scoped_lock lock{m_mutex};
        m_last = response.value_or(http::Response{.status = 503, .body = "nobody answered"});
    }
    std::optional<http::Response> take()
    {
        const std::scoped_lock lock{m_mutex};
        return std::exchange(m_last, {});
    }

private:
    std::mutex m_mutex;
    std::optional<http::Response> m_last;
};

// With stores that are away: what must be answered then is what matters then.
class TestAdmin : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void healthNamesTheLoopThatHangs();
    void readinessIsRefusedWithoutPostgres();
    void statusSaysUnknownAsNull();
    void metricsAreAnsweredAtOnce();
    void tokenIsAskedForEverywhere();
    void questionsBeyondTheBoundAreRefused();

private:
    void make(const std::string& token = {});
    void put(const std::string& path, std::vector<http::Header> headers = {});
    http::Response ask(const std::string& path, std::vector<http::Header> headers = {});

    std::shared_ptr<Answers> m_answers;
    std::unique_ptr<base::Progress> m_progress;
    std::unique_ptr<base::Metrics> m_metrics;
    std::unique_ptr<processor::Admin> m_admin;
    base::Pulse* m_pulse = nullptr;
};

void TestAdmin::init()
{
    m_admin.reset();
    m_answers = std::make_shared<Answers>();
    m_progress = std::make_unique<base::Progress>();
    m_metrics = std::make_unique<base::Metrics>();
    m_pulse = &m_progress->add("admin", 60s);
    make();
}

void TestAdmin::make(const std::string& token)
{
    m_admin = std::make_unique<processor::Admin>(processor::AdminFacts{.instance = "here",
                                                     .version = "1.2.3",
                                                     .roles = {"ingest"},
                                                     .schema = 2,
                                                     .sources = "[]",
                                                     .token = base::Secret{token}},
        *m_progress, *m_metrics,
        processor::StoreViewReader{
            {.url = "postgresql://127.0.0.1:1/none"}, "redis://127.0.0.1:1"});
}

void TestAdmin::put(const std::string& path, std::vector<http::Header> headers)
{
    http::Request request{};
    request.method = "GET";
    request.target = path;
    request.headers = std::move(headers);
    m_admin->handler()(std::move(request), http::Responder{m_answers, 1, 1});
}

// The admin thread runs only as long as the question is open.
http::Response TestAdmin::ask(const std::string& path, std::vector<http::Header> headers)
{
    put(path, std::move(headers));
    const std::jthread thread{
        [this](const std::stop_token& stop) { m_admin->run(stop, *m_pulse); }};
    std::optional<http::Response> answer;
    const bool came = support::waitUntil(
        [&] {
            answer = m_answers->take();
            return answer.has_value();
        },
        20s);
    return came ? *answer : http::Response{.status = 0};
}

void TestAdmin::healthNamesTheLoopThatHangs()
{
    QCOMPARE(ask("/healthz").status, 200);
    base::Pulse& pulse = m_progress->add("settle-1", 10s);
    pulse.beat(base::Pulse::Clock::now() - 11s);
    const auto answer = ask("/healthz");
    QCOMPARE(answer.status, 503);
    QCOMPARE(answer.body, std::string{"{\"healthy\":false,\"stuck\":[\"settle-1\"]}"});
}

void TestAdmin::readinessIsRefusedWithoutPostgres()
{
    const auto answer = ask("/readyz");
    QCOMPARE(answer.status, 503);
    QVERIFY(answer.body.starts_with("{\"ready\":false,\"database\":\"connect: "));
}

void TestAdmin::statusSaysUnknownAsNull()
{
    const auto answer = ask("/status");
    QCOMPARE(answer.status, 200); // it is a report, not a verdict
    for (const char* name : {"pending", "enqueued", "processing", "confirmed_estimate", "log_last",
             "stream_last", "queue_total"}) {
        QVERIFY2(answer.body.find("\"" + std::string{name} + "\":null") != std::string::npos, name);
    }
}

void TestAdmin::metricsAreAnsweredAtOnce()
{
    const auto answer = ask("/metrics");
    QCOMPARE(answer.status, 200);
    QVERIFY(answer.body.find("countersign_build_info{version=\"1.2.3\"} 1") != std::string::npos);
    QVERIFY(answer.contentType.starts_with("text/plain; version=0.0.4"));
}

void TestAdmin::tokenIsAskedForEverywhere()
{
    make("open sesame");
    for (const char* path : {"/healthz", "/readyz", "/metrics", "/status"}) {
        QCOMPARE(ask(path).status, 401);
        QCOMPARE(ask(path, {{"Authorization", "open sesame"}}).status, 401);
        QCOMPARE(ask(path, {{"Authorization", "Bearer open sesam"}}).status, 401);
    }
    QCOMPARE(ask("/metrics", {{"authorization", "Bearer open sesame"}}).status, 200);
}

void TestAdmin::questionsBeyondTheBoundAreRefused()
{
    // Nobody runs: the questions stay.
    for (int i = 0; i < 64; ++i) {
        put("/status");
        QVERIFY(!m_answers->take());
    }
    put("/status");
    const auto answer = m_answers->take();
    QVERIFY(answer);
    QCOMPARE(answer->status, 503);
}

} // namespace

QTEST_GUILESS_MAIN(TestAdmin)
#include "tst_admin.moc"
