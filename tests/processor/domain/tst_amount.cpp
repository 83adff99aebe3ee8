#include "processor/domain/amount.h"
#include "tests/processor/domain/decimal_model.h"

#include <QTest>

#include <random>

using domain::Amount;
using model::Decimal;

namespace {

Amount amount(const char* text)
{
    const auto parsed = Amount::fromNumeric(text);
    if (!parsed) {
        qFatal("%s: %s", text, parsed.error().message.c_str());
    }
    return *parsed;
}

// python3: Decimal(2**256-1) / 10**18
const char* const kLargest
    = "115792089237316195423570985008687907853269984665640564039457.584007913129639935";
const char* const kLargestNegative
    = "-115792089237316195423570985008687907853269984665640564039457.584007913129639935";

/** Any number of digits up to what fits, often at the edges of 64-bit limbs. */
std::string randomNumeric(std::mt19937_64& random)
{
    std::string digits;
    const auto count = random() % 58 + 1;
    const auto style = random() % 4;
    for (std::size_t i = 0; i < count + 18; ++i) {
        digits += style == 0 ? '9' : style == 1 ? '0' : static_cast<char>('0' + random() % 10);
    }
    digits.insert(count, ".");
    return (random() % 2 == 0 ? "-" : "") + digits;
}

} // namespace

class TestAmount : public QObject
{
    Q_OBJECT

private slots:
    void speaksTheDatabasesNumeric_data()
    {
        QTest::addColumn<QByteArray>("numeric");
        QTest::addColumn<QByteArray>("canonical");
        QTest::addColumn<QByteArray>("eighteenDecimals");

        QTest::newRow("zero") << QByteArray{"0.000000000000000000"} << QByteArray{"0"}
                              << QByteArray{"0.000000000000000000"};
        QTest::newRow("zero without decimals")
            << QByteArray{"0"} << QByteArray{"0"} << QByteArray{"0.000000000000000000"};
        QTest::newRow("minus zero is zero")
            << QByteArray{"-0.0"} << QByteArray{"0"} << QByteArray{"0.000000000000000000"};
        QTest::newRow("whole with zeros that count")
            << QByteArray{"100"} << QByteArray{"100"} << QByteArray{"100.000000000000000000"};
        QTest::newRow("negative") << QByteArray{"-3.250000000000000000"} << QByteArray{"-3.25"}
                                  << QByteArray{"-3.250000000000000000"};
        QTest::newRow("smallest negative")
            << QByteArray{"-0.000000000000000001"} << QByteArray{"-0.000000000000000001"}
            << QByteArray{"-0.000000000000000001"};
        QTest::newRow("a sum of sums beyond 10^20")
            << QByteArray{"123456789012345678901234567890.5"}
            << QByteArray{"123456789012345678901234567890.5"}
            << QByteArray{"123456789012345678901234567890.500000000000000000"};
        QTest::newRow("largest") << QByteArray{kLargest} << QByteArray{kLargest}
                                 << QByteArray{kLargest};
        QTest::newRow("largest negative")
            << QByteArray{kLargestNegative} << QByteArray{kLargestNegative}
            << QByteArray{kLargestNegative};
    }
    void speaksTheDatabasesNumeric()
    {
        QFETCH(QByteArray, numeric);
        QFETCH(QByteArray, canonical);
        QFETCH(QByteArray, eighteenDecimals);

        const Amount value = amount(numeric.constData());

        QCOMPARE(QByteArray::fromStdString(value.toText()), canonical);
        QCOMPARE(QByteArray::fromStdString(value.toNumeric()), eighteenDecimals);
    }

    void whatTheDatabaseCannotSayIsCorrupt_data()
    {
        QTest::addColumn<QByteArray>("numeric");

        QTest::newRow("nothing") << QByteArray{};
        QTest::newRow("a lone minus") << QByteArray{"-"};
        QTest::newRow("two signs") << QByteArray{"--1"};
        QTest::newRow("a plus") << QByteArray{"+1"};
        QTest::newRow("not a number") << QByteArray{"NaN"};
        QTest::newRow("infinity") << QByteArray{"Infinity"};
        QTest::newRow("minus infinity") << QByteArray{"-Infinity"};
        QTest::newRow("an exponent") << QByteArray{"1e3"};
        QTest::newRow("a 19th decimal") << QByteArray{"0.0000000000000000001"};
        QTest::newRow("one more than 256 bits") << QByteArray{
            "115792089237316195423570985008687907853269984665640564039457.584007913129639936"};
        QTest::newRow("61 digits") << "1" + QByteArray(60, '0');
        QTest::newRow("110 digits") << QByteArray(110, '9');
    }
    void whatTheDatabaseCannotSayIsCorrupt()
    {
        QFETCH(QByteArray, numeric);

        const auto value = Amount::fromNumeric(numeric.toStdString());

        QVERIFY2(!value, value ? value->toText().c_str() : "");
        QCOMPARE(value.error().kind, base::ErrorKind::Corrupt);
        QVERIFY(!value.error().code.empty());
    }

    void sumsAreExactOrRefused()
    {
        const Amount one = amount("0.000000000000000001");
        QCOMPARE(amount("0.1").plus(amount("0.2"))->toText(), "0.3");
        QCOMPARE(amount("50.1").minus(amount("50.2"))->toText(), "-0.1");
        // Each carry over a 64-bit limb: 2^64, 2^128 and 2^192 units.
        QCOMPARE(amount("18.446744073709551615").plus(one)->toText(), "18.446744073709551616");
        QCOMPARE(amount("340282366920938463463.374607431768211455").plus(one)->toText(),
            "340282366920938463463.374607431768211456");
        QCOMPARE(amount("6277101735386680763835789423207666416102.355444464034512895")
                     .plus(one)
                     ->toText(),
            "6277101735386680763835789423207666416102.355444464034512896");
        QCOMPARE(amount("6277101735386680763835789423207666416102.355444464034512896")
                     .minus(one)
                     ->toText(),
            "6277101735386680763835789423207666416102.355444464034512895");

        for (const auto& refused : {amount(kLargest).plus(one), amount(kLargestNegative).minus(one),
                 amount(kLargest).plus(amount(kLargest))}) {
            QVERIFY(!refused);
            QCOMPARE(refused.error().kind, base::ErrorKind::Invalid);
            QCOMPARE(refused.error().code, "too_large");
        }
        QVERIFY(amount(kLargest).plus(amount(kLargestNegative))->isZero());
        QCOMPARE(amount(kLargestNegative).negated(), amount(kLargest));
    }

    void signsAndOrder()
    {
        const std::vector<Amount> ascending{amount(kLargestNegative),
            amount("-340282366920938463463.374607431768211456"), amount("-18.446744073709551616"),
            amount("-0.000000000000000001"), Amount{}, amount("0.000000000000000001"), amount("18"),
            amount("18.446744073709551616"), amount("340282366920938463463.374607431768211456"),
            amount(kLargest)};
        for (std::size_t i = 0; i < ascending.size(); ++i) {
            for (std::size_t j = 0; j < ascending.size(); ++j) {
                QCOMPARE(ascending[i] < ascending[j], i < j);
                QCOMPARE(ascending[i] == ascending[j], i == j);
                QCOMPARE(ascending[i] > ascending[j], i > j);
            }
            QCOMPARE(ascending[i].isNegative(), i < 4);
            QCOMPARE(ascending[i].isZero(), i == 4);
            QCOMPARE(ascending[i].isPositive(), i > 4);
            const auto fromZero = Amount{}.minus(ascending[i]);
            QVERIFY(fromZero);
            QCOMPARE(ascending[i].negated(), *fromZero);
            QCOMPARE(ascending[i].negated().negated(), ascending[i]);
        }
        QVERIFY(!Amount{}.negated().isNegative());
    }

    void theLimitIsTenToTheTwentieth()
    {
        QCOMPARE(Amount::limit().toText(), "100000000000000000000");
        QVERIFY(amount("99999999999999999999.999999999999999999").checkEvent());
        QCOMPARE(Amount::limit().checkEvent().error().code, "too_large");
        QCOMPARE(Amount{}.checkEvent().error().code, "zero");
        QCOMPARE(amount("-1").checkEvent().error().code, "sign");
    }

    void agreesWithSumsOnPaper()
    {
        std::mt19937_64 random{20'240'229};
        for (int i = 0; i < 20'000; ++i) {
            const std::string left = randomNumeric(random);
            const std::string right = randomNumeric(random);
            const auto a = Amount::fromNumeric(left);
            const auto b = Amount::fromNumeric(right);
            QVERIFY(a && b);
            const Decimal paperA{left};
            const Decimal paperB{right};

            QCOMPARE(a->toNumeric(), paperA.text());
            QCOMPARE(a->plus(*b)->toNumeric(), (paperA + paperB).text());
            QCOMPARE(a->minus(*b)->toNumeric(), (paperA - paperB).text());
            QCOMPARE(*a < *b, paperA < paperB);
            QCOMPARE(*Amount::fromNumeric(a->toText()), *a);
        }
    }
};

QTEST_APPLESS_MAIN(TestAmount)

#include "tst_amount.moc"
