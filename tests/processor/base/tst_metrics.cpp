#include "processor/base/metrics.h"

#include <QTest>

#include <thread>
#include <vector>

using namespace std::chrono_literals;

class TestMetrics : public QObject
{
    Q_OBJECT

private slots:
    void rendersAllKinds()
    {
        base::Metrics metrics;
        metrics.counter("countersign_settled_total", "Events settled.", {{"result", "confirmed"}})
            .add(3);
        metrics.gauge("countersign_queue_depth", "Events.", {{"state", "enqueued"}}).set(12);
        metrics.gauge("countersign_oldest_seconds", "Age.").setSeconds(1'500ms);
        auto histogram
            = metrics.histogram("countersign_commit_seconds", "Commit.", base::Buckets::Seconds);
        histogram.observe(3ms);
        histogram.observe(2h);

        const QString text = QString::fromStdString(metrics.renderMetrics());

        for (const char* line : {"# TYPE countersign_settled_total counter",
                 "countersign_settled_total{result=\"confirmed\"} 3",
                 "countersign_queue_depth{state=\"enqueued\"} 12", "countersign_oldest_seconds 1.5",
                 "countersign_commit_seconds_bucket{le=\"0.005\"} 1",
                 "countersign_commit_seconds_bucket{le=\"+Inf\"} 2",
                 "countersign_commit_seconds_count 2"}) {
            QVERIFY2(text.contains(QString{line} + "\n"), qPrintable(line + QString{"\n"} + text));
        }
    }

    void theSameNameAndLabelsAreTheSameMetric()
    {
        base::Metrics metrics;
        metrics.counter("x_total", "X.").add();
        metrics.counter("x_total", "X.").add();
        QVERIFY(metrics.renderMetrics().find("x_total 2\n") != std::string::npos);
    }

    void manyThreadsLoseNothing()
    {
        base::Metrics metrics;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i) {
                threads.emplace_back([&] {
                    for (int n = 0; n < 1'000; ++n) {
                        metrics.counter("y_total", "Y.").add();
                    }
                });
            }
        }
        QVERIFY(metrics.renderMetrics().find("y_total 4000\n") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
