#include "processor/domain/amount.h"

#include <QTest>

using domain::Amount;

namespace {

QByteArray zeros(int count)
{
    return QByteArray(count, '0');
}

std::string_view view(const QByteArray& text)
{
    return {text.constData(), static_cast<std::size_t>(text.size())};
}

} // namespace

/** What providers and people write, rule by rule. */
class TestAmountText : public QObject
{
    Q_OBJECT

private slots:
    void takesWhatIsAnAmount_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("canonical");

        QTest::newRow("a whole number") << QByteArray{"50"} << QByteArray{"50"};
        QTest::newRow("what a float would have spoilt") << QByteArray{"50.1"} << QByteArray{"50.1"};
        QTest::newRow("18 decimals")
            << QByteArray{"0.000000000000000001"} << QByteArray{"0.000000000000000001"};
        QTest::newRow("19 zero decimals")
            << QByteArray{"50.0000000000000000000"} << QByteArray{"50"};
        QTest::newRow("100 zero decimals") << "50." + zeros(100) << QByteArray{"50"};
        QTest::newRow("18 decimals and a trailing zero")
            << QByteArray{"0.1234567890123456780"} << QByteArray{"0.123456789012345678"};
        QTest::newRow("the largest whole number")
            << QByteArray{"99999999999999999999"} << QByteArray{"99999999999999999999"};
        QTest::newRow("the largest of all")
            << QByteArray{"99999999999999999999.999999999999999999"}
            << QByteArray{"99999999999999999999.999999999999999999"};
        QTest::newRow("leading zeros") << zeros(90) + "7.5" << QByteArray{"7.5"};
        QTest::newRow("128 characters") << zeros(127) + "7" << QByteArray{"7"};
        QTest::newRow("an exponent") << QByteArray{"1e3"} << QByteArray{"1000"};
        QTest::newRow("a capital exponent") << QByteArray{"1.5E3"} << QByteArray{"1500"};
        QTest::newRow("an exponent with a plus") << QByteArray{"2e+1"} << QByteArray{"20"};
        QTest::newRow("an exponent with a minus") << QByteArray{"25e-1"} << QByteArray{"2.5"};
        QTest::newRow("the largest exponent")
            << QByteArray{"1e19"} << QByteArray{"10000000000000000000"};
        QTest::newRow("the smallest exponent")
            << QByteArray{"1e-18"} << QByteArray{"0.000000000000000001"};
        QTest::newRow("zeros that heal a small exponent")
            << QByteArray{"10e-19"} << QByteArray{"0.000000000000000001"};
        QTest::newRow("decimals that heal a large exponent")
            << QByteArray{"0.0000000001e20"} << QByteArray{"10000000000"};
        QTest::newRow("an exponent with leading zeros")
            << "1e" + zeros(100) + "2" << QByteArray{"100"};
    }
    void takesWhatIsAnAmount()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, canonical);

        const auto amount = Amount::parseEvent(view(text));

        QVERIFY2(amount, amount ? "" : amount.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(amount->toText()), canonical);
    }

    void refusesAndNamesTheRule_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("code");

        QTest::newRow("10^20 written out") << "1" + zeros(20) << QByteArray{"too_large"};
        QTest::newRow("10^20 as an exponent") << QByteArray{"1e20"} << QByteArray{"too_large"};
        QTest::newRow("10^20 hidden in decimals")
            << QByteArray{"0.01e22"} << QByteArray{"too_large"};
        QTest::newRow("an exponent bomb") << QByteArray{"1e1000000000"} << QByteArray{"too_large"};
        QTest::newRow("an exponent beyond 64 bits")
            << QByteArray{"1e99999999999999999999999"} << QByteArray{"too_large"};
        QTest::newRow("an exponent that 64 bits would take for 1")
            << QByteArray{"1e18446744073709551617"} << QByteArray{"too_large"};
        QTest::newRow("an exponent that 64 bits would take for -1")
            << QByteArray{"1e-18446744073709551617"} << QByteArray{"too_many_decimals"};
        QTest::newRow("a negative exponent bomb")
            << QByteArray{"1e-1000000000"} << QByteArray{"too_many_decimals"};
        QTest::newRow("the 19th decimal") << QByteArray{"1e-19"} << QByteArray{"too_many_decimals"};
        QTest::newRow("the 19th decimal written out")
            << QByteArray{"0.0000000000000000001"} << QByteArray{"too_many_decimals"};
        QTest::newRow("zero") << QByteArray{"0"} << QByteArray{"zero"};
        QTest::newRow("zero with decimals") << QByteArray{"0.000"} << QByteArray{"zero"};
        QTest::newRow("zero with an exponent bomb")
            << QByteArray{"0e1000000000"} << QByteArray{"zero"};
        QTest::newRow("a plus") << QByteArray{"+50.1"} << QByteArray{"sign"};
        QTest::newRow("a minus") << QByteArray{"-50.1"} << QByteArray{"sign"};
        QTest::newRow("minus zero") << QByteArray{"-0"} << QByteArray{"sign"};
        QTest::newRow("minus infinity") << QByteArray{"-Infinity"} << QByteArray{"sign"};
        QTest::newRow("an underscore") << QByteArray{"1_000"} << QByteArray{"underscore"};
        QTest::newRow("Arabic digits")
            << QByteArray{"\xd9\xa1\xd9\xa2\xd9\xa3"} << QByteArray{"non_ascii_digit"};
        QTest::newRow("a fullwidth digit after good ones")
            << QByteArray{"5\xef\xbc\x90"} << QByteArray{"non_ascii_digit"};
        QTest::newRow("a blank in front") << QByteArray{" 50"} << QByteArray{"blank"};
        QTest::newRow("a blank behind") << QByteArray{"50 "} << QByteArray{"blank"};
        QTest::newRow("a blank inside") << QByteArray{"5 0"} << QByteArray{"blank"};
        QTest::newRow("a tab") << QByteArray{"50\t"} << QByteArray{"blank"};
        QTest::newRow("a line end") << QByteArray{"50\n"} << QByteArray{"blank"};
        QTest::newRow("nothing") << QByteArray{""} << QByteArray{"blank"};
        QTest::newRow("not a number") << QByteArray{"NaN"} << QByteArray{"not_finite"};
        QTest::newRow("infinity") << QByteArray{"Infinity"} << QByteArray{"not_finite"};
        QTest::newRow("inf") << QByteArray{"inf"} << QByteArray{"not_finite"};
        QTest::newRow("a word") << QByteArray{"fifty"} << QByteArray{"malformed"};
        QTest::newRow("hexadecimal") << QByteArray{"0x32"} << QByteArray{"malformed"};
        QTest::newRow("a comma") << QByteArray{"50,1"} << QByteArray{"malformed"};
        QTest::newRow("no digit before the point") << QByteArray{".5"} << QByteArray{"malformed"};
        QTest::newRow("no digit after the point") << QByteArray{"5."} << QByteArray{"malformed"};
        QTest::newRow("two points") << QByteArray{"1.2.3"} << QByteArray{"malformed"};
        QTest::newRow("an empty exponent") << QByteArray{"1e"} << QByteArray{"malformed"};
        QTest::newRow("a signed empty exponent") << QByteArray{"1e+"} << QByteArray{"malformed"};
        QTest::newRow("two signs") << QByteArray{"1e+-2"} << QByteArray{"malformed"};
        QTest::newRow("two exponents") << QByteArray{"1e2e3"} << QByteArray{"malformed"};
        QTest::newRow("an exponent with decimals")
            << QByteArray{"1e1.5"} << QByteArray{"malformed"};
        QTest::newRow("NUL") << QByteArray{"50\0", 3} << QByteArray{"malformed"};
        QTest::newRow("129 characters") << zeros(128) + "7" << QByteArray{"too_long"};
        QTest::newRow("a megabyte of zero decimals")
            << "50." + zeros(1'000'000) << QByteArray{"too_long"};
    }
    void refusesAndNamesTheRule()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, code);

        const auto amount = Amount::parseEvent(view(text));

        QVERIFY2(!amount, amount ? amount->toText().c_str() : "");
        QCOMPARE(QByteArray::fromStdString(amount.error().code), code);
        QCOMPARE(amount.error().kind, base::ErrorKind::Invalid);
        QVERIFY(amount.error().message.find("the amount") != std::string::npos);
    }

    void anOpeningBalanceMayBeZero()
    {
        const auto zero = Amount::parseBalance("0.00");
        QVERIFY(zero);
        QVERIFY(zero->isZero());
        QVERIFY(!Amount::parseBalance("1e20"));
        QVERIFY(!Amount::parseBalance("-1"));
        QCOMPARE(Amount::parseBalance("12.5")->toText(), "12.5");
    }

    void readsBaseUnits_data()
    {
        QTest::addColumn<QByteArray>("units");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QByteArray>("amountOrCode");

        const QByteArray maxDecimal{
            "115792089237316195423570985008687907853269984665640564039457584007913129639935"};
        const QByteArray overDecimal{
            "115792089237316195423570985008687907853269984665640564039457584007913129639936"};
        const QByteArray maxHex = "0x" + QByteArray(64, 'f');

        QTest::newRow("one wei") << QByteArray{"1"} << 18 << QByteArray{"0.000000000000000001"};
        QTest::newRow("one ether in hex")
            << QByteArray{"0xde0b6b3a7640000"} << 18 << QByteArray{"1"};
        QTest::newRow("capital hex digits")
            << QByteArray{"0XDE0B6B3A7640000"} << 18 << QByteArray{"1"};
        QTest::newRow("an ABI word") << "0x" + zeros(62) + "ff" << 6 << QByteArray{"0.000255"};
        QTest::newRow("a cent of USDC") << QByteArray{"10000"} << 6 << QByteArray{"0.01"};
        QTest::newRow("a satoshi of WBTC") << QByteArray{"1"} << 8 << QByteArray{"0.00000001"};
        QTest::newRow("no decimals") << QByteArray{"42"} << 0 << QByteArray{"42"};
        QTest::newRow("zero") << QByteArray{"0x0"} << 18 << QByteArray{"0"};
        QTest::newRow("zero in decimal") << QByteArray{"0"} << 18 << QByteArray{"0"};
        QTest::newRow("leading zeros in decimal") << zeros(100) + "25" << 1 << QByteArray{"2.5"};
        // python3: Decimal(2**256-1) / 10**18
        QTest::newRow("2^256-1 with 18 decimals")
            << maxDecimal << 18
            << QByteArray{"115792089237316195423570985008687907853269984665640564039457."
                          "584007913129639935"};
        QTest::newRow("2^256-1 in hex") << maxHex << 18
                                        << QByteArray{"11579208923731619542357098500868790785326998"
                                                      "4665640564039457.584007913129639935"};
        QTest::newRow("2^256-1 with 17 decimals") << maxDecimal << 17 << QByteArray{"too_large"};
        QTest::newRow("2^256-1 without decimals") << maxHex << 0 << QByteArray{"too_large"};
        // python3: (2**256-1) // 10**12, and one more
        QTest::newRow("the last that fits 6 decimals")
            << QByteArray{"115792089237316195423570985008687907853269984665640564039457584007"} << 6
            << QByteArray{"115792089237316195423570985008687907853269984665640564039457.584007"};
        QTest::newRow("the first that does not fit 6 decimals")
            << QByteArray{"115792089237316195423570985008687907853269984665640564039457584008"} << 6
            << QByteArray{"too_large"};
        QTest::newRow("2^256") << overDecimal << 18 << QByteArray{"too_large"};
        QTest::newRow("2^256 in hex") << "0x1" + zeros(64) << 18 << QByteArray{"too_large"};
        QTest::newRow("78 nines") << QByteArray(78, '9') << 18 << QByteArray{"too_large"};
        QTest::newRow("79 digits") << QByteArray(79, '1') << 18 << QByteArray{"too_large"};
        QTest::newRow("no hex digit") << QByteArray{"0x"} << 18 << QByteArray{"malformed"};
        QTest::newRow("no hex number") << QByteArray{"0xfg"} << 18 << QByteArray{"malformed"};
        QTest::newRow("a decimal point") << QByteArray{"1.0"} << 18 << QByteArray{"malformed"};
        QTest::newRow("an exponent") << QByteArray{"1e3"} << 18 << QByteArray{"malformed"};
        QTest::newRow("hex without prefix") << QByteArray{"ff"} << 18 << QByteArray{"malformed"};
        QTest::newRow("a sign") << QByteArray{"-1"} << 18 << QByteArray{"sign"};
        QTest::newRow("a sign after the prefix")
            << QByteArray{"0x-1"} << 18 << QByteArray{"malformed"};
        QTest::newRow("nothing") << QByteArray{} << 18 << QByteArray{"blank"};
        QTest::newRow("129 characters") << "0x" + zeros(127) << 18 << QByteArray{"too_long"};
    }
    void readsBaseUnits()
    {
        QFETCH(QByteArray, units);
        QFETCH(int, decimals);
        QFETCH(QByteArray, amountOrCode);

        const auto amount = Amount::fromBaseUnits(view(units), decimals);

        if (!amount) {
            QCOMPARE(amount.error().kind, base::ErrorKind::Invalid);
        }
        QCOMPARE(QByteArray::fromStdString(amount ? amount->toText() : amount.error().code),
            amountOrCode);
    }
};

QTEST_APPLESS_MAIN(TestAmountText)

#include "tst_amount_text.moc"
