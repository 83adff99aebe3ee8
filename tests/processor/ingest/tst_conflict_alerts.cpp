#include "processor/ingest/conflict_alerts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <vector>

// Somebody makes conflicts without end: people hear of them, and nothing grows.
class TestConflictAlerts : public QObject
{
    Q_OBJECT

private slots:
    void aSourceHasOneAlert()
    {
        std::chrono::steady_clock::time_point now{};
        std::vector<base::Alert> raised;
        base::Alerter alerter{[&] { return now; }};
        alerter.addSink([&](const base::Alert& alert) { raised.push_back(alert); });
        ingest::ConflictAlerts conflicts{alerter};

        for (int i = 1; i <= 5'000; ++i) conflicts.tell("payments", "e-" + std::to_string(i));
        conflicts.tell("alchemy", "a-1");
        now += base::kAlertCooldown;
        conflicts.tell("payments", "e-4990"); // not new: named once, and first

        QCOMPARE(raised.size(), std::size_t{3});
        QCOMPARE(raised[0].key, std::string{"event_conflict:payments"});
        QCOMPARE(raised[1].key, std::string{"event_conflict:alchemy"});
        QCOMPARE(raised[2].key, std::string{"event_conflict:payments"});
        QCOMPARE(raised[2].repeats, 4'999); // and so the table's count is right
        const auto detail
            = QJsonDocument::fromJson(QByteArray::fromStdString(raised[2].detail)).object();
        QCOMPARE(detail["source"].toString(), QString{"payments"});
        const auto ids = detail["latest_event_ids"].toArray();
        QCOMPARE(ids.size(), int(base::kConflictsNamedMax));
        QCOMPARE(ids[0].toString(), QString{"e-4990"});
        QCOMPARE(ids[1].toString(), QString{"e-5000"});
        QCOMPARE(ids[19].toString(), QString{"e-4981"});
    }
};

QTEST_GUILESS_MAIN(TestConflictAlerts)
#include "tst_conflict_alerts.moc"
