// Amounts: exact from the database's text to what is read and copied, in both languages.
#include "ui/widgets/amount_text.h"

#include <QTest>

using ui::AmountText;
using Sign = AmountText::Sign;

class TestAmountDisplay : public QObject
{
    Q_OBJECT

private slots:
    void isReadAndCopiedExactly_data();
    void isReadAndCopiedExactly();
    void theSeventhDecimalIsMuted();
    void whatIsNoAmountIsNone_data();
    void whatIsNoAmountIsNone();
};

void TestAmountDisplay::isReadAndCopiedExactly_data()
{
    QTest::addColumn<QString>("numeric");
    QTest::addColumn<Sign>("sign");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("russian");
    QTest::addColumn<QString>("raw");

    QTest::newRow("in") << "1204.550000000000000000" << Sign::Moved << "+1,204.55 ETH"
                        << "+1 204,55 ETH"
                        << "1204.55";
    QTest::newRow("out") << "-0.5" << Sign::Moved << "−0.5 ETH"
                         << "−0,5 ETH"
                         << "-0.5";
    QTest::newRow("held") << "3.7" << Sign::Held << "3.7 ETH"
                          << "3,7 ETH"
                          << "3.7";
    QTest::newRow("debt") << "-3.7" << Sign::Held << "−3.7 ETH"
                          << "−3,7 ETH"
                          << "-3.7";
    QTest::newRow("nothing moved") << "0" << Sign::Moved << "0 ETH"
                                   << "0 ETH"
                                   << "0";
    QTest::newRow("one wei") << "0.000000000000000001" << Sign::Moved << "+0.000000000000000001 ETH"
                             << "+0,000000000000000001 ETH"
                             << "0.000000000000000001";
    QTest::newRow("no fraction") << "12.000000000000000000" << Sign::Held << "12 ETH"
                                 << "12 ETH"
                                 << "12";
    // 20 digits before the point and 18 behind it: a double keeps 17 in all.
    QTest::newRow("20 digits and 18 decimals")
        << "99999999999999999999.999999999999999999" << Sign::Held
        << "99,999,999,999,999,999,999.999999999999999999 ETH"
        << "99 999 999 999 999 999 999,999999999999999999 ETH"
        << "99999999999999999999.999999999999999999";
    QTest::newRow("thousand") << "1000" << Sign::Held << "1,000 ETH"
                              << "1 000 ETH"
                              << "1000";
    QTest::newRow("below a thousand") << "999" << Sign::Held << "999 ETH"
                                      << "999 ETH"
                                      << "999";
}

void TestAmountDisplay::isReadAndCopiedExactly()
{
    QFETCH(QString, numeric);
    QFETCH(Sign, sign);
    QFETCH(QString, english);
    QFETCH(QString, russian);
    QFETCH(QString, raw);
    const auto plain = [](QString text) {
        return text.replace(QChar{0x00A0}, u' ').replace(QChar{0x202F}, u' ');
    };

    const auto en = AmountText::fromNumeric(numeric, "ETH", sign, QLocale{"en_US"});
    const auto ru = AmountText::fromNumeric(numeric, "ETH", sign, QLocale{"ru_RU"});
    QVERIFY(en && ru);
    QCOMPARE(plain(en->displayed()), english);
    QCOMPARE(plain(ru->displayed()), russian);
    QCOMPARE(en->raw(), raw);
    QCOMPARE(ru->raw(), raw); // copy is for machines: the same in every language
}

void TestAmountDisplay::theSeventhDecimalIsMuted()
{
    const auto text
        = AmountText::fromNumeric(u"1.204817360592114073", "ETH", Sign::Held, QLocale{"en_US"});
    QCOMPARE(text->fractionBright(), QString{"204817"});
    QCOMPARE(text->fractionMuted(), QString{"360592114073"});
    const auto brief = AmountText::fromNumeric(u"1.204817", "ETH", Sign::Held);
    QCOMPARE(brief->fractionMuted(), QString{});
}

void TestAmountDisplay::whatIsNoAmountIsNone_data()
{
    QTest::addColumn<QString>("text");

    QTest::newRow("nothing") << "";
    QTest::newRow("not a number") << "NaN";
    QTest::newRow("a 19th decimal") << "0.0000000000000000001";
    QTest::newRow("exponent") << "1e3";
    QTest::newRow("grouped") << "1,204.55";
}

void TestAmountDisplay::whatIsNoAmountIsNone()
{
    QFETCH(QString, text);
    QVERIFY(!AmountText::fromNumeric(text, "ETH", Sign::Held));
}

QTEST_MAIN(TestAmountDisplay)
#include "tst_amount_display.moc"
