#include "processor/base/json_writer.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

class TestJsonWriter : public QObject
{
    Q_OBJECT

    static QByteArray escaped(const QByteArray& text)
    {
        std::string out;
        base::appendJsonString(out, {text.constData(), size_t(text.size())});
        return QByteArray::fromStdString(out);
    }

private slots:
    void escapesWhatJsonAndTerminalsWouldObey_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("written");

        QTest::newRow("plain") << QByteArray{"abc"} << QByteArray{"\"abc\""};
        QTest::newRow("empty") << QByteArray{""} << QByteArray{"\"\""};
        QTest::newRow("quote and backslash")
            << QByteArray{"a\"b\\c"} << QByteArray{"\"a\\\"b\\\\c\""};
        QTest::newRow("line ends and tab") << QByteArray{"\r\n\t"} << QByteArray{"\"\\r\\n\\t\""};
        QTest::newRow("NUL inside") << QByteArray{"a\0b", 3} << QByteArray{"\"a\\u0000b\""};
        QTest::newRow("escape character")
            << QByteArray{"\x1b[31m"} << QByteArray{"\"\\u001b[31m\""};
        QTest::newRow("last C0") << QByteArray{"\x1f"} << QByteArray{"\"\\u001f\""};
        QTest::newRow("DEL") << QByteArray{"\x7f"} << QByteArray{"\"\\u007f\""};
        QTest::newRow("C1 (CSI)") << QByteArray{"\xc2\x9b"} << QByteArray{"\"\\u009b\""};
        QTest::newRow("no-break space stays")
            << QByteArray{"\xc2\xa0"} << QByteArray{"\"\xc2\xa0\""};
        QTest::newRow("Cyrillic stays") << QByteArray{"Да"} << QByteArray{"\"Да\""};
        QTest::newRow("emoji stays") << QByteArray{"😀"} << QByteArray{"\"😀\""};
        QTest::newRow("highest code point")
            << QByteArray{"\xf4\x8f\xbf\xbf"} << QByteArray{"\"\xf4\x8f\xbf\xbf\""};
    }
    void escapesWhatJsonAndTerminalsWouldObey()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, written);
        QCOMPARE(escaped(text), written);
    }

    void replacesWhatIsNotUtf8_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("read");

        QTest::newRow("lone continuation") << QByteArray{"a\x80z"} << QString{"a\uFFFDz"};
        QTest::newRow("lone lead at the end") << QByteArray{"a\xc3"} << QString{"a\uFFFD"};
        QTest::newRow("lead before ASCII") << QByteArray{"\xe2z"} << QString{"\uFFFDz"};
        QTest::newRow("overlong slash") << QByteArray{"\xc0\xaf"} << QString{"\uFFFD"};
        QTest::newRow("overlong three") << QByteArray{"\xe0\x80\xaf"} << QString{"\uFFFD"};
        QTest::newRow("overlong four") << QByteArray{"\xf0\x80\x80\xaf"} << QString{"\uFFFD"};
        QTest::newRow("surrogate") << QByteArray{"\xed\xa0\x80"} << QString{"\uFFFD"};
        QTest::newRow("above the last") << QByteArray{"\xf4\x90\x80\x80"} << QString{"\uFFFD"};
        QTest::newRow("fe and ff") << QByteArray{"\xfe\xff"} << QString{"\uFFFD\uFFFD"};
        QTest::newRow("cut before good") << QByteArray{"\xf0\x9f\x98Д"} << QString{"\uFFFDД"};
    }
    void replacesWhatIsNotUtf8()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, read);

        const auto document = QJsonDocument::fromJson("[" + escaped(text) + "]");

        QCOMPARE(document[0].toString(), read);
    }

    void everyPairOfOctetsGivesAValidDocument()
    {
        for (int first = 0; first < 256; ++first) {
            for (int second = 0; second < 256; ++second) {
                const char text[]{char(first), char(second)};
                QJsonParseError problem;
                QJsonDocument::fromJson("[" + escaped(QByteArray{text, 2}) + "]", &problem);
                QVERIFY2(problem.error == QJsonParseError::NoError,
                    qPrintable(QString{"octets %1 %2"}.arg(first).arg(second)));
            }
        }
    }

    void writesNestedDocuments()
    {
        base::JsonWriter json;
        json.beginObject().field("text", "a\"b").field("yes", true).field("count", 7);
        json.key("list").beginArray().integer(std::int64_t{1}).text("two").null();
        json.beginObject().endObject().beginArray().endArray().endArray();
        json.key("ratio").number("-0.5e-3").key("made").raw("{\"x\":1}").endObject();

        QCOMPARE(json.take(),
            "{\"text\":\"a\\\"b\",\"yes\":true,\"count\":7,\"list\":[1,\"two\",null,{},[]],"
            "\"ratio\":-0.5e-3,\"made\":{\"x\":1}}");
    }

    void writesTheExtremesExactly()
    {
        base::JsonWriter json;
        json.beginArray()
            .integer(std::numeric_limits<std::int64_t>::min())
            .integer(std::numeric_limits<std::uint64_t>::max())
            .endArray();
        QCOMPARE(json.take(), "[-9223372036854775808,18446744073709551615]");
    }

    void isEmptyAndUsableAgainAfterTake()
    {
        base::JsonWriter json;
        QCOMPARE(json.text("one").take(), "\"one\"");
        QCOMPARE(json.beginArray().endArray().take(), "[]");
    }
};

QTEST_APPLESS_MAIN(TestJsonWriter)
#include "tst_json_writer.moc"
