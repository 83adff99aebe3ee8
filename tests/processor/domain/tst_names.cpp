#include "processor/domain/failure.h"
#include "processor/domain/log_kind.h"
#include "processor/domain/notification_kind.h"

#include <QTest>

/** Names that tables, the stream and people share: changing one breaks what is stored. */
class TestNames : public QObject
{
    Q_OBJECT

private slots:
    void failuresAndWhichHaveALetter()
    {
        const std::vector<std::pair<std::string_view, bool>> expected{
            {"insufficient_funds", false},
            {"duplicate_payment", false},
            {"orphaned", true},
            {"not_on_chain", true},
            {"exhausted", true},
            {"poison", true},
            {"data_error", true},
            {"unknown_event_type", true},
            {"balance_overflow", true},
            {"original_missing", true},
            {"refund_exceeds_original", true},
            {"user_vanished", true},
            {"state_contradiction", true},
        };
        QCOMPARE(domain::kFailures.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto failure = domain::failureFromText(expected[i].first);
            QVERIFY2(failure, expected[i].first.data());
            QCOMPARE(std::size_t(*failure), i);
            QCOMPARE(domain::toText(*failure), expected[i].first);
            QCOMPARE(domain::hasDeadLetter(*failure), expected[i].second);
        }
        QVERIFY(!domain::failureFromText("Poison"));
    }

    void notificationKinds()
    {
        const std::vector<std::string_view> expected{"credited", "debited", "insufficient_funds",
            "refunded", "reversed", "recredited", "failed"};
        QCOMPARE(domain::kNotificationKinds.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto kind = domain::notificationKindFromText(expected[i]);
            QVERIFY2(kind, expected[i].data());
            QCOMPARE(std::size_t(*kind), i);
            QCOMPARE(domain::toText(*kind), expected[i]);
        }
        QVERIFY(!domain::notificationKindFromText("credit"));
    }

    void logKinds()
    {
        const std::vector<std::string_view> expected{"payment.enqueued", "payment.confirmed",
            "payment.failed", "payment.refunded", "payment.reversed", "payment.recredited",
            "payment.dead_lettered", "payment.replayed"};
        QCOMPARE(domain::kLogKinds.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto kind = domain::logKindFromText(expected[i]);
            QVERIFY2(kind, expected[i].data());
            QCOMPARE(std::size_t(*kind), i);
            QCOMPARE(domain::toText(*kind), expected[i]);
        }
        QVERIFY(!domain::logKindFromText("confirmed"));
    }
};

QTEST_APPLESS_MAIN(TestNames)

#include "tst_names.moc"
