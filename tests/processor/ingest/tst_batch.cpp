#include "processor/crypto/sha256.h"
#include "processor/ingest/batch.h"

#include <QTest>

using namespace ingest;

namespace {

// One delivery of a gathering, and what is to come out for it.
struct Row
{
    std::string eventId;
    std::string amount;
    std::string body; // differing bodies may say the same
    Verdict verdict;
    bool keepsBody;
};

class Silent : public http::Outbox
{
public:
    void answer(std::uint64_t, std::uint64_t, std::optional<http::Response>) override {}
};

const Source kSource{.name = "payments"};

Item itemOf(const Row& row)
{
    Claimed claimed;
    claimed.eventId = row.eventId;
    claimed.amount = *domain::Amount::parseEvent(row.amount);
    Item item{Delivery{.source = &kSource,
        .content = claimed,
        .body = row.body,
        .bodySha256 = crypto::sha256(row.body),
        .headers = {},
        .traceId = "t",
        .remote = {},
        .responder = http::Responder{std::make_shared<Silent>(), 1, 1}}};
    // As judge() leaves it; any bytes will do for key and fingerprint.
    const auto bytes = [](const std::string& text) {
        const auto span = std::as_bytes(std::span{text});
        return pg::Bytes{span.begin(), span.end()};
    };
    item.key = bytes(row.eventId);
    item.fingerprint = bytes(row.amount);
    return item;
}

std::vector<Item> itemsOf(const std::vector<Row>& rows)
{
    std::vector<Item> items;
    for (const Row& row : rows) items.push_back(itemOf(row));
    return items;
}

void compare(const std::vector<Item>& items, const std::vector<Row>& rows)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        QCOMPARE(textOf(items[i].verdict), textOf(rows[i].verdict));
        QCOMPARE(items[i].keepsBody, rows[i].keepsBody);
    }
}

} // namespace

class TestBatch : public QObject
{
    Q_OBJECT

private slots:
    void foldsRepeatsOfNewEvents()
    {
        const std::vector<Row> rows{
            {"a", "1", "a1", Verdict::Accepted, true},
            {"b", "1", "b1", Verdict::Accepted, true},
            {"a", "1", "a1", Verdict::Duplicate, false},
            {"a", "2", "a2", Verdict::Conflict, true},
            {"a", "1", "a1 ", Verdict::Duplicate, true},
            {"a", "2", "a2", Verdict::Conflict, false},
            {"b", "1", "b1", Verdict::Duplicate, false},
        };
        auto items = itemsOf(rows);
        const auto first = leaders(items);
        QCOMPARE(first.size(), std::size_t{2});
        QCOMPARE(first[0], &items[0]);
        QCOMPARE(first[1], &items[1]);

        decide(items, {{"a", 10}, {"b", 11}}, {});

        compare(items, rows);
        for (const std::size_t i : {0U, 2U, 3U, 4U, 5U}) QCOMPARE(items[i].eventNo.value(), 10);
        for (const std::size_t i : {1U, 6U}) QCOMPARE(items[i].eventNo.value(), 11);
    }

    void comparesWithWhatTheDatabaseKnew()
    {
        const std::vector<Row> rows{
            {"a", "1", "a1", Verdict::Duplicate, false},
            {"a", "2", "a2", Verdict::Conflict, true},
            {"a", "2", "a2", Verdict::Conflict, false},
            {"b", "1", "b1", Verdict::Accepted, true},
        };
        auto items = itemsOf(rows);
        const auto fingerprint = items[0].fingerprint;

        decide(items, {{"b", 20}},
            {{0, {7, fingerprint, true}}, {1, {7, fingerprint, false}},
                {2, {7, fingerprint, false}}});

        compare(items, rows);
        QCOMPARE(items[0].eventNo.value(), 7);
        QCOMPARE(items[3].eventNo.value(), 20);
    }

    void refusedItemsTakeNoPart()
    {
        auto items = itemsOf({{"a", "1", "a1", Verdict::Quarantined, false},
            {"a", "1", "a1", Verdict::Accepted, true}});
        items[0].refused = Refused{Reason::UnknownUser, "user not found"};
        const auto first = leaders(items);
        QCOMPARE(first.size(), std::size_t{1});
        QCOMPARE(first[0], &items[1]);
        decide(items, {{"a", 1}}, {});
        QCOMPARE(items[0].verdict, Verdict::Quarantined);
        QVERIFY(!items[0].eventNo);
        QCOMPARE(items[1].verdict, Verdict::Accepted);
    }

    void decidingAgainGivesTheSame()
    {
        const std::vector<Row> rows{
            {"a", "1", "a1", Verdict::Accepted, true}, {"a", "1", "a1", Verdict::Duplicate, false}};
        auto items = itemsOf(rows);
        decide(items, {{"a", 1}}, {});
        decide(items, {{"a", 2}}, {});
        compare(items, rows);
        QCOMPARE(items[1].eventNo.value(), 2);
    }

    void creditsOfATransactionWait_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("hasHash");
        QTest::addColumn<bool>("waits");
        using domain::EventType;
        QTest::newRow("a deposit of a transaction") << int(EventType::Deposit) << true << true;
        QTest::newRow("a deposit of none") << int(EventType::Deposit) << false << false;
        QTest::newRow("an airdrop of a transaction") << int(EventType::Airdrop) << true << true;
        QTest::newRow("a withdrawal of one") << int(EventType::Withdrawal) << true << false;
        QTest::newRow("a fee of one") << int(EventType::WithdrawalFee) << true << false;
    }
    void creditsOfATransactionWait()
    {
        QFETCH(int, type);
        QFETCH(bool, hasHash);
        QFETCH(bool, waits);
        Item item = itemOf({"a", "1", "b", Verdict::Accepted, true});
        auto& claimed = std::get<Claimed>(item.delivery.content);
        claimed.type = static_cast<domain::EventType>(type);
        if (hasHash) claimed.txHash = "0x1";
        QCOMPARE(item.waitsForFinality(), waits);
    }
};

QTEST_APPLESS_MAIN(TestBatch)
#include "tst_batch.moc"
