#include "processor/ingest/native_body.h"
#include "tests/processor/ingest/native_bodies.h"

#include <QTest>

namespace {

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

ingest::Claimed claimedIn(const native::Body& body)
{
    return std::get<ingest::Claimed>(ingest::readNativeBody(view(body.text())));
}

} // namespace

class TestNativeBody : public QObject
{
    Q_OBJECT

private slots:
    void refuses_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("detail"); // a part of it
        for (const native::Refusal& row : native::refusals()) {
            QTest::newRow(row.name) << row.body << row.code << row.detail;
        }
    }
    void refuses()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, detail);

        const auto read = ingest::readNativeBody(view(body));

        const auto* refused = std::get_if<ingest::Refused>(&read);
        QVERIFY2(refused != nullptr, body.constData());
        QCOMPARE(QByteArray::fromStdString(std::string{ingest::rowOf(refused->reason).code}), code);
        QVERIFY2(
            QByteArray::fromStdString(refused->detail).contains(detail), refused->detail.c_str());
    }

    void takes_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("amount");
        for (const native::Acceptance& row : native::acceptances()) {
            QTest::newRow(row.name) << row.body << row.amount;
        }
    }
    void takes()
    {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, amount);

        const auto read = ingest::readNativeBody(view(body));

        const auto* claimed = std::get_if<ingest::Claimed>(&read);
        QVERIFY2(claimed != nullptr,
            claimed != nullptr ? "" : std::get<ingest::Refused>(read).detail.c_str());
        QCOMPARE(QByteArray::fromStdString(claimed->amount.toText()), amount);
    }

    void readsEveryField()
    {
        const auto claimed = claimedIn(
            {.more = ",\"asset\":\"USDC\",\"merchant_id\":\"m-1\",\"chain\":\"eip155:1\","
                     "\"original_event_id\":\"e-0\",\"tx_hash\":\"0xABcd\","
                     "\"tx_position\":[-2,0,7],\"to_address\":\"0xEE\""});
        QCOMPARE(claimed.eventId, "e-1");
        QCOMPARE(claimed.type, domain::EventType::Deposit);
        QCOMPARE(claimed.user.value(), 7);
        QCOMPARE(claimed.asset, "USDC");
        QCOMPARE(claimed.merchant.value(), "m-1");
        QCOMPARE(claimed.originalEventId.value(), "e-0");
        QCOMPARE(claimed.chain.value(), "eip155:1");
        QCOMPARE(claimed.txHash.value(), "0xabcd");
        QCOMPARE(claimed.toAddress.value(), "0xee");
        QVERIFY((claimed.txPosition.value() == std::vector<std::int32_t>{-2, 0, 7}));
    }

    void hasDefaults()
    {
        const auto claimed = claimedIn({});
        QCOMPARE(claimed.asset, "ETH");
        QVERIFY(!claimed.merchant && !claimed.originalEventId && !claimed.chain && !claimed.txHash
            && !claimed.txPosition && !claimed.toAddress);
    }

    void onePositionNeedsNoArray()
    {
        const auto claimed = claimedIn({.more = ",\"tx_position\":12"});
        QVERIFY((claimed.txPosition.value() == std::vector<std::int32_t>{12}));
    }

    void takesEveryTypeFromOutsideAndNoOther()
    {
        for (const domain::EventTypeRow& type : domain::kEventTypes) {
            const QByteArray text{type.text.data(), static_cast<qsizetype>(type.text.size())};
            const native::Body body{
                .eventType = "\"" + text + "\"", .more = ",\"original_event_id\":\"e-0\""};
            const auto read = ingest::readNativeBody(view(body.text()));
            QCOMPARE(std::holds_alternative<ingest::Claimed>(read), type.fromOutside);
        }
    }

    void aRefundNeedsItsOriginal()
    {
        const native::Body body{.eventType = "\"refund\""};
        const auto read = ingest::readNativeBody(view(body.text()));
        QCOMPARE(std::get<ingest::Refused>(read).reason, ingest::Reason::MissingField);
    }
};

QTEST_APPLESS_MAIN(TestNativeBody)
#include "tst_native_body.moc"
