#include "processor/domain/decide.h"

#include "tests/processor/domain/batch_builder.h"
#include "tests/processor/domain/batch_text.h"

#include <QTest>

using domain::Batch;
using domain::Candidate;
using domain::Original;
using domain::OriginalState;
using model::account;
using model::batch;
using model::original;
using model::payment;
using model::refund;
using model::with;

namespace {

const std::string kMissing
    = "1 failed original_missing letter | failed | payment.failed | payment.dead_lettered\n";
const std::string kTooMuch = "1 failed refund_exceeds_original letter | failed | payment.failed"
                             " | payment.dead_lettered\n";

Batch knowing(const Original& original, const Batch& batch)
{
    return with(batch, [&](Batch& changed) { changed.originals.push_back(original); });
}

Candidate overdue(const Candidate& candidate)
{
    return with(candidate, [](Candidate& changed) { changed.originalOverdue = true; });
}

Candidate ofShop(const Candidate& candidate)
{
    return with(candidate, [](Candidate& changed) { changed.event.merchant = "shop"; });
}

/** The deposit `d` as an event of the batch itself. */
Candidate theDeposit(std::int64_t no, const std::string& amount)
{
    return with(
        payment(no, "deposit", amount), [](Candidate& changed) { changed.event.eventId = "d"; });
}

Candidate naming(const std::string& original, const Candidate& candidate)
{
    return with(candidate, [&](Candidate& changed) { changed.event.originalEventId = original; });
}

void row(const char* name, const Batch& input, const std::string& expected)
{
    QTest::newRow(name) << input << expected;
}

} // namespace

class TestDecideRefund : public QObject
{
    Q_OBJECT

private slots:
    void givesBackWhatWasPaid_data()
    {
        columns();
        const Original paid = original(OriginalState::Confirmed, "50");
        row("a part", knowing(paid, batch({account(1, "60")}, {refund(1, "d", "20")})),
            "1 confirmed | e1 refund 1/ETH -20 = 40 v1 | refunded | payment.refunded\n"
            "1/ETH 40 debt 0 v1\n");
        row("all of it", knowing(paid, batch({account(1, "60")}, {refund(1, "d", "50")})),
            "1 confirmed | e1 refund 1/ETH -50 = 10 v1 | refunded | payment.refunded\n"
            "1/ETH 10 debt 0 v1\n");
        row("a unit more than all of it",
            knowing(paid, batch({account(1, "60")}, {refund(1, "d", "50.000000000000000001")})),
            kTooMuch);
        row("what earlier refunds left",
            knowing(original(OriginalState::Confirmed, "50", "30"),
                batch({account(1, "60")}, {refund(1, "d", "20")})),
            "1 confirmed | e1 refund 1/ETH -20 = 40 v1 | refunded | payment.refunded\n"
            "1/ETH 40 debt 0 v1\n");
        row("more than earlier refunds left",
            knowing(original(OriginalState::Confirmed, "50", "30"),
                batch({account(1, "60")}, {refund(1, "d", "21")})),
            kTooMuch);
        row("two refunds of one batch count together",
            knowing(paid,
                batch({account(1, "90")},
                    {refund(1, "d", "30"), refund(2, "d", "30"), refund(3, "d", "20")})),
            "1 confirmed | e1 refund 1/ETH -30 = 60 v1 | refunded | payment.refunded\n"
            "2 failed refund_exceeds_original letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "3 confirmed | e3 refund 1/ETH -20 = 40 v2 | refunded | payment.refunded\n"
            "1/ETH 40 debt 0 v2\n");
        row("a refund needs funds, and one without them uses nothing up",
            knowing(paid,
                batch({account(1, "0")},
                    {refund(1, "d", "50"), payment(2, "airdrop", "50"), refund(3, "d", "50")})),
            "1 failed insufficient_funds | insufficient_funds | payment.failed\n"
            "2 confirmed | e2 airdrop 1/ETH +50 = 50 v1 | credited | payment.confirmed\n"
            "3 confirmed | e3 refund 1/ETH -50 = 0 v2 | refunded | payment.refunded\n"
            "1/ETH 0 debt 0 v2\n");
        row("the merchant pays it",
            knowing(with(paid, [](Original& changed) { changed.merchant = "shop"; }),
                batch({account(1, "60")}, {ofShop(refund(1, "d", "20"))})),
            "1 confirmed | e1 refund 1/ETH -20 = 40 v1 | refunded | payment.refunded\n"
            "1/ETH 40 debt 0 v1\n"
            "shop/ETH -20\n");
    }
    void givesBackWhatWasPaid() { compare(); }

    void needsItsOriginal_data()
    {
        columns();
        const Original paid = original(OriginalState::Confirmed, "50");
        row("none named", batch({account(1, "60")}, {payment(1, "refund", "5")}), kMissing);
        row("not known yet: waits and holds nobody back",
            batch({account(1, "60")}, {refund(1, "d", "5"), payment(2, "withdrawal", "60")}),
            "1 waits\n"
            "2 confirmed | e2 withdrawal 1/ETH -60 = 0 v1 | debited | payment.confirmed\n"
            "1/ETH 0 debt 0 v1\n");
        row("not known after 15 minutes", batch({account(1, "60")}, {overdue(refund(1, "d", "5"))}),
            kMissing);
        row("known and not settled: waits",
            knowing(original(OriginalState::Unsettled, "50"),
                batch({account(1, "60")}, {refund(1, "d", "5")})),
            "1 waits\n");
        row("known and not settled after 15 minutes: it will end, so it still waits",
            knowing(original(OriginalState::Unsettled, "50"),
                batch({account(1, "60")}, {overdue(refund(1, "d", "5"))})),
            "1 waits\n");
        row("failed or reversed",
            knowing(original(OriginalState::Gone, "50"),
                batch({account(1, "60")}, {refund(1, "d", "5")})),
            kMissing);
        row("of another user",
            knowing(with(paid, [](Original& changed) { changed.user = domain::UserId{2}; }),
                batch({account(1, "60")}, {refund(1, "d", "5")})),
            kMissing);
        row("of another asset",
            knowing(with(paid, [](Original& changed) { changed.asset = "DAI"; }),
                batch({account(1, "60")}, {refund(1, "d", "5")})),
            kMissing);
        row("of another merchant",
            knowing(with(paid, [](Original& changed) { changed.merchant = "rival"; }),
                batch({account(1, "60")}, {ofShop(refund(1, "d", "5"))})),
            kMissing);
        row("of no merchant",
            knowing(paid, batch({account(1, "60")}, {ofShop(refund(1, "d", "5"))})), kMissing);
        row("of an account that is held by somebody else",
            knowing(paid, batch({}, {refund(1, "d", "5")})), "1 deferred\n");
    }
    void needsItsOriginal() { compare(); }

    void followsItsOriginalWithinTheBatch_data()
    {
        columns();
        const std::string deposited
            = "1 confirmed | d deposit 1/ETH +50 = 50 v1 | credited | payment.confirmed\n";
        const std::string refunded
            = "2 confirmed | e2 refund 1/ETH -50 = 0 v2 | refunded | payment.refunded\n"
              "1/ETH 0 debt 0 v2\n";
        row("settled just before it",
            knowing(original(OriginalState::Unsettled, "50"),
                batch({account(1, "0")}, {theDeposit(1, "50"), refund(2, "d", "50")})),
            deposited + refunded);
        row("settled just before it, though nobody read it",
            batch({account(1, "0")}, {theDeposit(1, "50"), refund(2, "d", "50")}),
            deposited + refunded);
        row("not more than what was settled just before it",
            batch({account(1, "9")}, {theDeposit(1, "50"), refund(2, "d", "51")}),
            "1 confirmed | d deposit 1/ETH +50 = 59 v1 | credited | payment.confirmed\n"
            "2 failed refund_exceeds_original letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "1/ETH 59 debt 0 v1\n");
        row("settled behind it is not settled yet",
            knowing(original(OriginalState::Unsettled, "50"),
                batch({account(1, "90")}, {refund(1, "d", "50"), theDeposit(2, "50")})),
            "1 waits\n"
            "2 confirmed | d deposit 1/ETH +50 = 140 v1 | credited | payment.confirmed\n"
            "1/ETH 140 debt 0 v1\n");
        row("failed just before it",
            knowing(original(OriginalState::Unsettled, "50"),
                batch({account(1, "99999999999999999999")},
                    {theDeposit(1, "50"), refund(2, "d", "50")})),
            "1 failed balance_overflow letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "2 failed original_missing letter | failed | payment.failed"
            " | payment.dead_lettered\n");
        row("reversed just before it, and restored",
            knowing(original(OriginalState::Confirmed, "50"),
                batch({account(1, "90")},
                    {naming("d", payment(1, "reorg_reversal", "50")), refund(2, "d", "5"),
                        naming("d", payment(3, "reorg_credit", "50")), refund(4, "d", "50")})),
            "1 confirmed | e1 reorg_reversal 1/ETH -50 = 40 v1 | reversed | payment.reversed\n"
            "2 failed original_missing letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "3 confirmed | e3 reorg_credit 1/ETH +50 = 90 v2 | recredited"
            " | payment.recredited\n"
            "4 confirmed | e4 refund 1/ETH -50 = 40 v3 | refunded | payment.refunded\n"
            "1/ETH 40 debt 0 v3\n");
    }
    void followsItsOriginalWithinTheBatch() { compare(); }

private:
    static void columns()
    {
        QTest::addColumn<Batch>("input");
        QTest::addColumn<std::string>("expected");
    }

    static void compare()
    {
        QFETCH(Batch, input);
        QFETCH(std::string, expected);

        const std::string decided = model::describe(domain::decide(input));

        QCOMPARE(QString::fromStdString(decided), QString::fromStdString(expected));
    }
};

QTEST_APPLESS_MAIN(TestDecideRefund)

#include "tst_decide_refund.moc"
