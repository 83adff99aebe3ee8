#include "processor/domain/effect.h"
#include "processor/domain/event_type.h"

#include <QTest>

using domain::EventType;

class TestEventType : public QObject
{
    Q_OBJECT

private slots:
    void eachTypeHasItsPublicNameAndWay_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("credit");
        QTest::addColumn<bool>("fromOutside");

        QTest::newRow("a deposit credits") << QByteArray{"deposit"} << true << true;
        QTest::newRow("an airdrop credits") << QByteArray{"airdrop"} << true << true;
        QTest::newRow("a withdrawal debits") << QByteArray{"withdrawal"} << false << true;
        QTest::newRow("a withdrawal fee debits") << QByteArray{"withdrawal_fee"} << false << true;
        QTest::newRow("a refund debits") << QByteArray{"refund"} << false << true;
        QTest::newRow("a reversal is ours alone") << QByteArray{"reorg_reversal"} << false << false;
        QTest::newRow("a new credit after it is ours alone")
            << QByteArray{"reorg_credit"} << true << false;
    }
    void eachTypeHasItsPublicNameAndWay()
    {
        QFETCH(QByteArray, text);
        QFETCH(bool, credit);
        QFETCH(bool, fromOutside);

        const auto type = domain::eventTypeFromText(text.toStdString());

        QVERIFY(type);
        QCOMPARE(domain::toText(*type), std::string_view{text.constData()});
        QCOMPARE(domain::isCredit(*type), credit);
        QCOMPARE(domain::isDebit(*type), !credit);
        QCOMPARE(domain::acceptedFromOutside(*type), fromOutside);
    }

    void theTableAboveIsComplete() { QCOMPARE(domain::kEventTypes.size(), std::size_t{7}); }

    void onlyExactNamesAreKnown()
    {
        for (const char* text : {"", "Deposit", "DEPOSIT", " deposit", "deposit ", "deposits",
                 "withdrawal-fee", "unknown", "reorg_compensation"}) {
            QVERIFY2(!domain::eventTypeFromText(text), text);
        }
        QVERIFY(!domain::eventTypeFromText(std::string_view{"deposit\0", 8}));
    }

    void creditsNeverNeedFunds()
    {
        for (const domain::Effect& effect : domain::kEffects) {
            QVERIFY(!(effect.needsFunds && domain::isCredit(effect.type)));
        }
    }
};

QTEST_APPLESS_MAIN(TestEventType)

#include "tst_event_type.moc"
