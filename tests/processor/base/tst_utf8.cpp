#include "processor/base/utf8.h"

#include <QTest>
#include <string>

class TestUtf8 : public QObject
{
    Q_OBJECT

private slots:
    void textsAreCutWhereTheyMayBe_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("most");
        QTest::addColumn<QByteArray>("clean");

        QTest::newRow("short enough") << QByteArray{"abc"} << 3 << QByteArray{"abc"};
        QTest::newRow("cut") << QByteArray{"abcd"} << 3 << QByteArray{"abc"};
        QTest::newRow("not within a character") << QByteArray{"abé"} << 3 << QByteArray{"ab"};
        QTest::newRow("a character that just fits") << QByteArray{"abé"} << 4 << QByteArray{"abé"};
        QTest::newRow("four octets") << QByteArray{"😀x"} << 4 << QByteArray{"😀"};
        QTest::newRow("NUL") << QByteArray{"a\0b", 3} << 9 << QByteArray{"a?b"};
        QTest::newRow("no UTF-8") << QByteArray{"a\xff\xc3"} << 9 << QByteArray{"a??"};
        QTest::newRow("half a surrogate") << QByteArray{"\xed\xa0\x80"} << 9 << QByteArray{"???"};
        QTest::newRow("nothing") << QByteArray{} << 9 << QByteArray{};
    }
    void textsAreCutWhereTheyMayBe()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, most);
        QFETCH(QByteArray, clean);

        const std::string cut = base::cleanText(text.toStdString(), static_cast<std::size_t>(most));

        QCOMPARE(QByteArray::fromStdString(cut), clean);
    }
};

QTEST_APPLESS_MAIN(TestUtf8)
#include "tst_utf8.moc"
