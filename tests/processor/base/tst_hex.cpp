#include "processor/base/hex.h"
#include "processor/base/uuid.h"

#include <QTest>

#include <set>

class TestHex : public QObject
{
    Q_OBJECT

private slots:
    void readsDigitsStrictly_data()
    {
        QTest::addColumn<QByteArray>("digits");
        QTest::addColumn<bool>("accepted");
        QTest::addColumn<QByteArray>("bytes");

        QTest::newRow("nothing is nothing") << QByteArray{} << true << QByteArray{};
        QTest::newRow("lower case")
            << QByteArray{"00ff7a"} << true << QByteArray{"\x00\xff\x7a", 3};
        QTest::newRow("upper case") << QByteArray{"FFAB"} << true << QByteArray{"\xff\xab"};
        QTest::newRow("mixed case") << QByteArray{"fFaB"} << true << QByteArray{"\xff\xab"};
        QTest::newRow("odd number of digits") << QByteArray{"abc"} << false << QByteArray{};
        QTest::newRow("prefix 0x") << QByteArray{"0xab"} << false << QByteArray{};
        QTest::newRow("blank") << QByteArray{"ab "} << false << QByteArray{};
        QTest::newRow("letter after f") << QByteArray{"ag"} << false << QByteArray{};
        QTest::newRow("NUL") << QByteArray{"a\0", 2} << false << QByteArray{};
        QTest::newRow("not ASCII") << QByteArray{"\xd9\xa1"} << false << QByteArray{};
    }
    void readsDigitsStrictly()
    {
        QFETCH(QByteArray, digits);
        QFETCH(bool, accepted);
        QFETCH(QByteArray, bytes);

        const auto read = base::fromHex({digits.constData(), size_t(digits.size())});

        QCOMPARE(read.has_value(), accepted);
        if (accepted) {
            QCOMPARE(
                QByteArray(reinterpret_cast<const char*>(read->data()), qsizetype(read->size())),
                bytes);
        }
    }

    void writesLowerCaseWithLeadingZeros()
    {
        QCOMPARE(base::toHex(base::asBytes(std::string_view{"\x00\x0f\xf0\xff", 4})), "000ff0ff");
    }

    void uuidsAreVersionFourAndDiffer()
    {
        const QRegularExpression form{
            "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"};
        std::set<std::string> seen;
        for (int i = 0; i < 1'000; ++i) {
            const std::string uuid = base::randomUuid();
            QVERIFY2(form.match(QString::fromStdString(uuid)).hasMatch(), uuid.c_str());
            seen.insert(uuid);
        }
        QCOMPARE(seen.size(), 1'000U);
    }
};

QTEST_APPLESS_MAIN(TestHex)
#include "tst_hex.moc"
