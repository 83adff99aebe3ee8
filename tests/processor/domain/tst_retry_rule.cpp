#include "processor/domain/retry_rule.h"

#include "tests/support/ends_process.h"

#include <QTest>

class TestRetryRule : public QObject
{
    Q_OBJECT

private slots:
    void eachAttemptHasItsCeiling_data()
    {
        QTest::addColumn<int>("attemptsMade");
        QTest::addColumn<int>("seconds"); // 0: exhausted

        QTest::newRow("the first retry comes within 2 s") << 1 << 2;
        QTest::newRow("the second within 4 s") << 2 << 4;
        QTest::newRow("the third within 8 s") << 3 << 8;
        QTest::newRow("the fourth within 16 s") << 4 << 16;
        QTest::newRow("the fifth within 32 s") << 5 << 32;
        QTest::newRow("six attempts are all") << 6 << 0;
        QTest::newRow("and stay all") << 7 << 0;
        QTest::newRow("whatever the column holds") << 32'767 << 0;
    }
    void eachAttemptHasItsCeiling()
    {
        QFETCH(int, attemptsMade);
        QFETCH(int, seconds);

        const auto ceiling = domain::retryCeiling(attemptsMade);

        QCOMPARE(ceiling ? int(ceiling->count()) : 0, seconds);
    }

    void allWaitsTogetherStayNearAMinute()
    {
        std::chrono::seconds total{0};
        int attempts = 1;
        while (const auto ceiling = domain::retryCeiling(attempts)) {
            QVERIFY(*ceiling <= domain::kRetryCeilingMax);
            total += *ceiling;
            ++attempts;
        }
        QCOMPARE(attempts, base::kAttemptsMax);
        QVERIFY(total <= std::chrono::seconds{63});
    }

    void aRetryWithoutAnAttemptEndsTheProcess()
    {
        QVERIFY(support::endsProcess([] { (void)domain::retryCeiling(0); }));
    }
};

QTEST_APPLESS_MAIN(TestRetryRule)

#include "tst_retry_rule.moc"
