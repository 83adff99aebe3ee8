#include "processor/store/flat_object.h"
#include "processor/store/letter_copy.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <functional>

using store::EntryFault;
using store::LetterCopy;

namespace {

const base::Secret kSecret{"0123456789abcdef0123456789abcdef"};

LetterCopy someCopy()
{
    return {.uid = "6f1f2a1e-0000-4000-8000-000000000001",
        .no = domain::EventNo{17},
        .eventId = "evt \"17\"\n\xe2\x82\xac",
        .eventType = "deposit",
        .user = domain::UserId{5},
        .asset = "ETH",
        .amount = "10.000000000000000001",
        .merchant = std::nullopt,
        .failure = domain::Failure::Exhausted,
        .error = "settle_write_journal: no \\ way",
        .errorClass = "23514",
        .cause = "0123456789abcdef",
        .attempt = 6,
        .traceId = "trace"};
}

QJsonObject someEntry()
{
    const auto entry = store::writeLetterCopy(someCopy(), store::letterKey(kSecret));
    return QJsonDocument::fromJson(QByteArray::fromStdString(entry)).object();
}

// Single quotes for double ones, which moc reads in a raw string as ends of strings.
QByteArray json(QByteArray text)
{
    return text.replace('\'', '"');
}

} // namespace

class TestLetterCopy : public QObject
{
    Q_OBJECT

private slots:
    void comesBackAsItWas()
    {
        const auto key = store::letterKey(kSecret);
        LetterCopy copy = someCopy();
        for (const auto& merchant :
            {std::optional<std::string>{}, std::optional{std::string{"shop"}}}) {
            copy.merchant = merchant;

            const auto read = store::readLetterCopy(store::writeLetterCopy(copy, key), key);

            const auto* back = std::get_if<LetterCopy>(&read);
            QVERIFY(back != nullptr);
            QCOMPARE(back->uid, copy.uid);
            QCOMPARE(back->no.value(), 17);
            QCOMPARE(back->eventId, copy.eventId);
            QCOMPARE(back->amount, copy.amount);
            QVERIFY(back->merchant == copy.merchant);
            QVERIFY(back->failure == copy.failure);
            QCOMPARE(back->error, copy.error);
            QCOMPARE(back->attempt, 6);
            QCOMPARE(back->traceId, copy.traceId);
        }
    }

    void everyFieldIsText()
    {
        for (const QJsonValue& value : someEntry()) QVERIFY(value.isString() || value.isNull());
    }

    void blanksBetweenTheFieldsMeanNothing()
    {
        const auto entry = QJsonDocument{someEntry()}.toJson(QJsonDocument::Indented).toStdString();

        const auto read = store::readLetterCopy(entry, store::letterKey(kSecret));

        QVERIFY(std::holds_alternative<LetterCopy>(read));
    }

    void anotherSecretIsForgery()
    {
        const auto entry = store::writeLetterCopy(someCopy(), store::letterKey(kSecret));
        const base::Secret other{"another secret of at least 32 chars"};

        const auto read = store::readLetterCopy(entry, store::letterKey(other));

        QVERIFY(*std::get_if<EntryFault>(&read) == EntryFault::Forged);
    }

    void whatWasChangedIsNoticed_data()
    {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QJsonValue>("value");
        QTest::addColumn<bool>("forged"); // false: malformed

        const auto row = [](const char* name, const char* field, const QJsonValue& value,
                             bool forged) { QTest::newRow(name) << field << value << forged; };
        row("another amount", "amount", "10000", true);
        row("another event", "event_no", "18", true);
        row("another user", "user_id", "6", true);
        row("another failure", "failure", "poison", true);
        row("a merchant added", "merchant_id", "mine", true);
        row("another letter", "letter_uid", "6f1f2a1e-0000-4000-8000-000000000002", true);
        row("no signature", "hmac", "", true);
        row("a number instead of text", "event_no", 17, false);
        row("a failure that has no letter", "failure", "insufficient_funds", false);
        row("a failure nobody knows", "failure", "bad luck", false);
        row("an attempt that is none", "attempt", "0", false);
        row("an attempt beyond all sense", "attempt", "70000", false);
        row("a negative number", "event_no", "-1", false);
        row("a number with more behind it", "event_no", "17x", false);
        row("no uuid", "letter_uid", "6f1f2a1e", false);
        row("another version", "v", "2", false);
        row("null where a text must be", "error", QJsonValue::Null, false);
        row("a field more", "note", "hello", false);
    }
    void whatWasChangedIsNoticed()
    {
        QFETCH(QString, field);
        QFETCH(QJsonValue, value);
        QFETCH(bool, forged);
        QJsonObject object = someEntry();
        object[field] = value;

        const auto read = store::readLetterCopy(
            QJsonDocument{object}.toJson().toStdString(), store::letterKey(kSecret));

        const auto* fault = std::get_if<EntryFault>(&read);
        QVERIFY(fault != nullptr);
        QCOMPARE(*fault == EntryFault::Forged, forged);
    }

    void aMissingFieldIsMalformed()
    {
        const QJsonObject whole = someEntry();
        for (const QString& name : whole.keys()) {
            QJsonObject object = whole;
            object.remove(name);
            const auto read = store::readLetterCopy(
                QJsonDocument{object}.toJson().toStdString(), store::letterKey(kSecret));
            QVERIFY(std::holds_alternative<EntryFault>(read));
            QVERIFY(*std::get_if<EntryFault>(&read) == EntryFault::Malformed);
        }
    }

    void onlyFlatObjectsOfTextsAreRead_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("value"); // of "a"; null: refused

        const QByteArray refused;
        QTest::newRow("a text") << json("{'a':'b'}") << QByteArray{"b"};
        QTest::newRow("blanks") << QByteArray{" {\n\"a\" :\t\"b\" } "} << QByteArray{"b"};
        QTest::newRow("escapes") << json("{'a':'\\\"\\\\\\/\\b\\f\\n\\r\\tA\\u20ac'}")
                                 << QByteArray{"\"\\/\b\f\n\r\tA\xe2\x82\xac"};
        QTest::newRow("a pair of surrogates")
            << json("{'a':'\\ud83d\\ude00'}") << QByteArray{"\xf0\x9f\x98\x80"};
        QTest::newRow("half a pair") << json("{'a':'\\ud83d'}") << refused;
        QTest::newRow("the wrong half") << json("{'a':'\\ude00'}") << refused;
        QTest::newRow("half an escape") << json("{'a':'\\u12'}") << refused;
        QTest::newRow("an escape nobody knows") << json("{'a':'\\x'}") << refused;
        QTest::newRow("a bare line end") << json("{'a':'\n'}") << refused;
        QTest::newRow("a name twice") << json("{'a':'b','a':'c'}") << refused;
        QTest::newRow("a number") << json("{'a':1}") << refused;
        QTest::newRow("a nested object") << json("{'a':{}}") << refused;
        QTest::newRow("something behind it") << json("{'a':'b'}x") << refused;
        QTest::newRow("a comma too many") << json("{'a':'b',}") << refused;
        QTest::newRow("cut off") << json("{'a':'b") << refused;
        QTest::newRow("nothing") << QByteArray{} << refused;
        QTest::newRow("an array") << json("['a']") << refused;
    }
    void onlyFlatObjectsOfTextsAreRead()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, value);

        const auto object = store::readFlatObject(text.toStdString());

        QCOMPARE(object.has_value(), !value.isNull());
        if (object) QCOMPARE(QByteArray::fromStdString(object->at("a").value()), value);
    }

    void aNullIsNoText()
    {
        const auto object = store::readFlatObject(json("{'a':null}").toStdString());
        QVERIFY(object && !object->at("a"));
        QVERIFY(store::readFlatObject("{}")->empty());
    }
};

QTEST_APPLESS_MAIN(TestLetterCopy)
#include "tst_letter_copy.moc"
