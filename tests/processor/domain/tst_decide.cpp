#include "processor/domain/decide.h"

#include "tests/processor/domain/batch_builder.h"
#include "tests/processor/domain/batch_text.h"
#include "tests/support/ends_process.h"

#include <QTest>

using domain::Batch;
using domain::Candidate;
using domain::EventNo;
using domain::UserId;
using model::account;
using model::batch;
using model::payment;
using model::with;

namespace {

const char* const kAlmostAll = "99999999999999999999.999999999999999999";

Candidate ofUser(std::int64_t user, const Candidate& candidate)
{
    return with(candidate, [&](Candidate& changed) { changed.event.user = UserId{user}; });
}

Candidate ofShop(const Candidate& candidate)
{
    return with(candidate, [](Candidate& changed) { changed.event.merchant = "shop"; });
}

Candidate claiming(std::vector<std::size_t> claims, const Candidate& candidate)
{
    return with(candidate, [&](Candidate& changed) { changed.claims = std::move(claims); });
}

Candidate ended(const Candidate& candidate)
{
    return with(candidate, [](Candidate& changed) { changed.ended = true; });
}

Candidate vanished(const Candidate& candidate)
{
    return with(candidate, [](Candidate& changed) { changed.userVanished = true; });
}

Batch held(EventNo behind, const Batch& batch)
{
    return with(batch, [&](Batch& changed) {
        changed.holds.push_back({{UserId{1}, "ETH"}, behind});
    });
}

Batch leavingUnknown(const Batch& batch)
{
    return with(
        batch, [](Batch& changed) { changed.unknownTypes = domain::UnknownTypes::LeaveAlone; });
}

Batch withClaims(std::vector<domain::Claim> claims, const Batch& batch)
{
    return with(batch, [&](Batch& changed) { changed.claims = std::move(claims); });
}

void columns()
{
    QTest::addColumn<Batch>("input");
    QTest::addColumn<std::string>("expected");
}

void row(const char* name, const Batch& input, const std::string& expected)
{
    QTest::newRow(name) << input << expected;
}

} // namespace

/** The decision, rule by rule; refunds have a file of their own. */
class TestDecide : public QObject
{
    Q_OBJECT

private slots:
    void movesMoney_data()
    {
        columns();
        row("nothing decides nothing", batch({account(1, "5")}, {}), "");
        row("a deposit credits", batch({account(1, "100")}, {payment(1, "deposit", "50")}),
            "1 confirmed | e1 deposit 1/ETH +50 = 150 v1 | credited | payment.confirmed\n"
            "1/ETH 150 debt 0 v1\n");
        row("an airdrop credits an empty account",
            batch({account(1, "0")}, {payment(1, "airdrop", "0.000000000000000001")}),
            "1 confirmed | e1 airdrop 1/ETH +0.000000000000000001 = 0.000000000000000001 v1"
            " | credited | payment.confirmed\n"
            "1/ETH 0.000000000000000001 debt 0 v1\n");
        row("a withdrawal may take all",
            batch({account(1, "100")}, {payment(1, "withdrawal", "100")}),
            "1 confirmed | e1 withdrawal 1/ETH -100 = 0 v1 | debited | payment.confirmed\n"
            "1/ETH 0 debt 0 v1\n");
        row("a fee debits", batch({account(1, "1")}, {payment(1, "withdrawal_fee", "0.25")}),
            "1 confirmed | e1 withdrawal_fee 1/ETH -0.25 = 0.75 v1 | debited | payment.confirmed\n"
            "1/ETH 0.75 debt 0 v1\n");
        row("too little is a final answer without a letter",
            batch({account(1, "99.999999999999999999")}, {payment(1, "withdrawal", "100")}),
            "1 failed insufficient_funds | insufficient_funds | payment.failed\n");
        row("of two withdrawals that exceed the balance together the first wins",
            batch({account(1, "100")},
                {payment(1, "withdrawal", "60"), payment(2, "withdrawal", "60")}),
            "1 confirmed | e1 withdrawal 1/ETH -60 = 40 v1 | debited | payment.confirmed\n"
            "2 failed insufficient_funds | insufficient_funds | payment.failed\n"
            "1/ETH 40 debt 0 v1\n");
        row("a deposit is there for the withdrawal behind it",
            batch({account(1, "0")}, {payment(3, "deposit", "7"), payment(8, "withdrawal", "7")}),
            "3 confirmed | e3 deposit 1/ETH +7 = 7 v1 | credited | payment.confirmed\n"
            "8 confirmed | e8 withdrawal 1/ETH -7 = 0 v2 | debited | payment.confirmed\n"
            "1/ETH 0 debt 0 v2\n");
        row("but not for the one before it, and a refusal stays",
            batch({account(1, "0")}, {payment(3, "withdrawal", "7"), payment(8, "deposit", "7")}),
            "3 failed insufficient_funds | insufficient_funds | payment.failed\n"
            "8 confirmed | e8 deposit 1/ETH +7 = 7 v1 | credited | payment.confirmed\n"
            "1/ETH 7 debt 0 v1\n");
        row("accounts do not mix and come out sorted",
            batch({account(2, "1"), account(1, "2")},
                {ofUser(2, payment(1, "deposit", "5")), payment(2, "withdrawal", "2")}),
            "1 confirmed | e1 deposit 2/ETH +5 = 6 v1 | credited | payment.confirmed\n"
            "2 confirmed | e2 withdrawal 1/ETH -2 = 0 v1 | debited | payment.confirmed\n"
            "1/ETH 0 debt 0 v1\n"
            "2/ETH 6 debt 0 v1\n");
    }
    void movesMoney() { compare(); }

    void overflowsAreRefused_data()
    {
        columns();
        row("up to the last unit",
            batch({account(1, "99999999999999999999")},
                {payment(1, "deposit", "0.999999999999999999")}),
            "1 confirmed | e1 deposit 1/ETH +0.999999999999999999 = " + std::string{kAlmostAll}
                + " v1 | credited | payment.confirmed\n1/ETH " + kAlmostAll + " debt 0 v1\n");
        row("10^20 exactly is too much",
            batch({account(1, kAlmostAll)}, {payment(1, "deposit", "0.000000000000000001")}),
            "1 failed balance_overflow letter | failed | payment.failed"
            " | payment.dead_lettered\n");
        row("the events behind an overflow go on",
            batch({account(1, kAlmostAll)},
                {payment(1, "deposit", "1"), payment(2, "withdrawal", "1"),
                    payment(3, "deposit", "1")}),
            "1 failed balance_overflow letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "2 confirmed | e2 withdrawal 1/ETH -1 = 99999999999999999998.999999999999999999 v1"
            " | debited | payment.confirmed\n"
            "3 confirmed | e3 deposit 1/ETH +1 = "
                + std::string{kAlmostAll} + " v2 | credited | payment.confirmed\n1/ETH "
                + kAlmostAll + " debt 0 v2\n");
        row("a debt has the same limit",
            batch({account(1, "0", kAlmostAll)},
                {payment(1, "reorg_reversal", "0.000000000000000001")}),
            "1 failed balance_overflow letter | failed | payment.failed"
            " | payment.dead_lettered\n");
    }
    void overflowsAreRefused() { compare(); }

    void reversalsPostInFull_data()
    {
        columns();
        row("from a balance that has it",
            batch({account(1, "100")}, {payment(1, "reorg_reversal", "30")}),
            "1 confirmed | e1 reorg_reversal 1/ETH -30 = 70 v1 | reversed | payment.reversed\n"
            "1/ETH 70 debt 0 v1\n");
        row("what is missing becomes debt",
            batch({account(1, "10")}, {payment(1, "reorg_reversal", "30")}),
            "1 confirmed | e1 reorg_reversal 1/ETH -30 = -20 v1 | reversed | payment.reversed\n"
            "1/ETH 0 debt 20 v1\n");
        row("debt grows", batch({account(1, "0", "20")}, {payment(1, "reorg_reversal", "1.5")}),
            "1 confirmed | e1 reorg_reversal 1/ETH -1.5 = -21.5 v1 | reversed"
            " | payment.reversed\n"
            "1/ETH 0 debt 21.5 v1\n");
        row("a credit pays debt first",
            batch({account(1, "0", "20")}, {payment(1, "deposit", "5")}),
            "1 confirmed | e1 deposit 1/ETH +5 = -15 v1 | credited | payment.confirmed\n"
            "1/ETH 0 debt 15 v1\n");
        row("and what is left over is balance",
            batch({account(1, "0", "20")}, {payment(1, "deposit", "25")}),
            "1 confirmed | e1 deposit 1/ETH +25 = 5 v1 | credited | payment.confirmed\n"
            "1/ETH 5 debt 0 v1\n");
        row("paid to the last unit, neither is left",
            batch({account(1, "0", "20")}, {payment(1, "airdrop", "20")}),
            "1 confirmed | e1 airdrop 1/ETH +20 = 0 v1 | credited | payment.confirmed\n"
            "1/ETH 0 debt 0 v1\n");
        row("who has debt withdraws nothing",
            batch({account(1, "0", "20")}, {payment(1, "withdrawal", "1")}),
            "1 failed insufficient_funds | insufficient_funds | payment.failed\n");
        row("reversed, spent, credited again",
            batch({account(1, "50")},
                {payment(1, "withdrawal", "40"), payment(2, "reorg_reversal", "50"),
                    payment(3, "reorg_credit", "50")}),
            "1 confirmed | e1 withdrawal 1/ETH -40 = 10 v1 | debited | payment.confirmed\n"
            "2 confirmed | e2 reorg_reversal 1/ETH -50 = -40 v2 | reversed | payment.reversed\n"
            "3 confirmed | e3 reorg_credit 1/ETH +50 = 10 v3 | recredited"
            " | payment.recredited\n"
            "1/ETH 10 debt 0 v3\n");
    }
    void reversalsPostInFull() { compare(); }

    void merchantsMove_data()
    {
        columns();
        row("deposits add, other credits and debits do not",
            batch({account(1, "10")},
                {ofShop(payment(1, "deposit", "5")), ofShop(payment(2, "airdrop", "1")),
                    ofShop(payment(3, "withdrawal", "2")),
                    ofShop(payment(4, "withdrawal_fee", "1"))}),
            "1 confirmed | e1 deposit 1/ETH +5 = 15 v1 | credited | payment.confirmed\n"
            "2 confirmed | e2 airdrop 1/ETH +1 = 16 v2 | credited | payment.confirmed\n"
            "3 confirmed | e3 withdrawal 1/ETH -2 = 14 v3 | debited | payment.confirmed\n"
            "4 confirmed | e4 withdrawal_fee 1/ETH -1 = 13 v4 | debited | payment.confirmed\n"
            "1/ETH 13 debt 0 v4\n"
            "shop/ETH +5\n");
        row("reversals subtract and new credits add, summed over the batch",
            batch({account(1, "10")},
                {ofShop(payment(1, "deposit", "5")), ofShop(payment(2, "reorg_reversal", "9")),
                    ofShop(payment(3, "reorg_credit", "1"))}),
            "1 confirmed | e1 deposit 1/ETH +5 = 15 v1 | credited | payment.confirmed\n"
            "2 confirmed | e2 reorg_reversal 1/ETH -9 = 6 v2 | reversed | payment.reversed\n"
            "3 confirmed | e3 reorg_credit 1/ETH +1 = 7 v3 | recredited | payment.recredited\n"
            "1/ETH 7 debt 0 v3\n"
            "shop/ETH -3\n");
        row("what failed moves no merchant",
            batch({account(1, kAlmostAll)}, {ofShop(payment(1, "deposit", "5"))}),
            "1 failed balance_overflow letter | failed | payment.failed"
            " | payment.dead_lettered\n");
    }
    void merchantsMove() { compare(); }

    void keepsOrder_data()
    {
        columns();
        row("an account that somebody else holds defers its events alone",
            batch({account(1, "10")},
                {ofUser(2, payment(1, "deposit", "1")), payment(2, "deposit", "2"),
                    ofUser(2, payment(3, "withdrawal", "1"))}),
            "1 deferred\n"
            "2 confirmed | e2 deposit 1/ETH +2 = 12 v1 | credited | payment.confirmed\n"
            "3 deferred\n"
            "1/ETH 12 debt 0 v1\n");
        row("an event that waits for its retry holds back the later ones only",
            held(EventNo{5},
                batch({account(1, "10")},
                    {payment(4, "withdrawal", "1"), payment(6, "withdrawal", "1")})),
            "4 confirmed | e4 withdrawal 1/ETH -1 = 9 v1 | debited | payment.confirmed\n"
            "6 deferred\n"
            "1/ETH 9 debt 0 v1\n");
        row("and never itself",
            held(EventNo{5}, batch({account(1, "10")}, {payment(5, "withdrawal", "1")})),
            "5 confirmed | e5 withdrawal 1/ETH -1 = 9 v1 | debited | payment.confirmed\n"
            "1/ETH 9 debt 0 v1\n");
        const Batch behindThree = batch({account(1, "10")}, {payment(4, "withdrawal", "1")});
        row("the earliest of two waiting events counts",
            held(EventNo{3}, held(EventNo{9}, behindThree)), "4 deferred\n");
        row("whichever is told first", held(EventNo{9}, held(EventNo{3}, behindThree)),
            "4 deferred\n");
        row("what has ended does nothing, even on a held account",
            held(EventNo{1}, batch({account(1, "10")}, {ended(payment(4, "withdrawal", "1"))})),
            "4 ended\n");
        row("what has ended holds nobody back",
            batch({account(1, "10")},
                {ended(payment(4, "withdrawal", "1")), payment(5, "withdrawal", "2")}),
            "4 ended\n"
            "5 confirmed | e5 withdrawal 1/ETH -2 = 8 v1 | debited | payment.confirmed\n"
            "1/ETH 8 debt 0 v1\n");
        row("an unknown type fails with a letter and holds nobody back",
            batch({account(1, "0")}, {payment(1, "staking", "1"), payment(2, "deposit", "2")}),
            "1 failed unknown_event_type letter | failed | payment.failed"
            " | payment.dead_lettered\n"
            "2 confirmed | e2 deposit 1/ETH +2 = 2 v1 | credited | payment.confirmed\n"
            "1/ETH 2 debt 0 v1\n");
        row("left to a newer version it keeps its place in the account's order",
            leavingUnknown(batch({account(1, "0"), account(2, "0")},
                {payment(1, "staking", "1"), payment(2, "deposit", "2"),
                    ofUser(2, payment(3, "deposit", "2"))})),
            "1 left\n"
            "2 deferred\n"
            "3 confirmed | e3 deposit 2/ETH +2 = 2 v1 | credited | payment.confirmed\n"
            "2/ETH 2 debt 0 v1\n");
        row("a user who vanished fails with a letter, locked or not",
            batch({}, {vanished(payment(1, "deposit", "1"))}),
            "1 failed user_vanished letter | failed | payment.failed | payment.dead_lettered\n");
    }
    void keepsOrder() { compare(); }

    void oneTransferMovesMoneyOnce_data()
    {
        columns();
        row("a free transfer is claimed",
            withClaims({{}}, batch({account(1, "0")}, {claiming({0}, payment(1, "deposit", "5"))})),
            "1 confirmed claim 0 | e1 deposit 1/ETH +5 = 5 v1 | credited | payment.confirmed\n"
            "1/ETH 5 debt 0 v1\n");
        row("a taken one is a duplicate without a letter, linked to its winner",
            withClaims({{EventNo{77}}},
                batch({account(1, "0")}, {claiming({0}, payment(1, "deposit", "5"))})),
            "1 failed duplicate_payment winner 77 | failed | payment.failed\n");
        row("two reports in one batch credit once",
            withClaims({{}},
                batch({account(1, "0")},
                    {claiming({0}, payment(1, "deposit", "5")),
                        claiming({0}, payment(2, "deposit", "5"))})),
            "1 confirmed claim 0 | e1 deposit 1/ETH +5 = 5 v1 | credited | payment.confirmed\n"
            "2 failed duplicate_payment winner 1 | failed | payment.failed\n"
            "1/ETH 5 debt 0 v1\n");
        row("two equal transfers of one transaction are two payments",
            withClaims({{}, {}},
                batch({account(1, "0")},
                    {claiming({0, 1}, payment(1, "deposit", "5")),
                        claiming({0, 1}, payment(2, "deposit", "5"))})),
            "1 confirmed claim 0 | e1 deposit 1/ETH +5 = 5 v1 | credited | payment.confirmed\n"
            "2 confirmed claim 1 | e2 deposit 1/ETH +5 = 10 v2 | credited | payment.confirmed\n"
            "1/ETH 10 debt 0 v2\n");
        row("its own claim does not stop an event",
            withClaims({{EventNo{1}}},
                batch({account(1, "0")}, {claiming({0}, payment(1, "deposit", "5"))})),
            "1 confirmed claim 0 | e1 deposit 1/ETH +5 = 5 v1 | credited | payment.confirmed\n"
            "1/ETH 5 debt 0 v1\n");
        row("who fails claims nothing",
            withClaims({{}},
                batch({account(1, "0"), account(2, "9")},
                    {claiming({0}, payment(1, "withdrawal", "5")),
                        claiming({0}, ofUser(2, payment(2, "withdrawal", "5")))})),
            "1 failed insufficient_funds | insufficient_funds | payment.failed\n"
            "2 confirmed claim 0 | e2 withdrawal 2/ETH -5 = 4 v1 | debited | payment.confirmed\n"
            "2/ETH 4 debt 0 v1\n");
        row("a second report of a withdrawal is a duplicate, not a lack of funds",
            withClaims({{EventNo{77}}},
                batch({account(1, "0")}, {claiming({0}, payment(1, "withdrawal", "5"))})),
            "1 failed duplicate_payment winner 77 | failed | payment.failed\n");
    }
    void oneTransferMovesMoneyOnce() { compare(); }

    void brokenInputEndsTheProcess()
    {
        const auto ends = [](const Batch& input) {
            return support::endsProcess([&] { (void)domain::decide(input); });
        };
        const Candidate good = payment(1, "deposit", "1");
        QVERIFY(!ends(batch({account(1, "0")}, {good})));
        QVERIFY(ends(batch({account(1, "0")}, {payment(2, "deposit", "1"), good})));
        QVERIFY(ends(batch({account(1, "0")}, {good, good})));
        QVERIFY(ends(batch({account(1, "0"), account(1, "1")}, {good})));
        QVERIFY(ends(batch({account(1, "-1")}, {good})));
        QVERIFY(ends(batch({account(1, "1", "1")}, {good})));
        QVERIFY(ends(batch({account(1, "100000000000000000000")}, {good})));
        QVERIFY(ends(batch({account(1, "0")}, {payment(1, "deposit", "0")})));
        QVERIFY(ends(batch({account(1, "0")}, {payment(1, "deposit", "-1")})));
        QVERIFY(ends(batch({account(1, "0")}, {claiming({0}, good)})));
    }

    void accountsAreLockedSortedAndOnce()
    {
        const Candidate usdc = with(payment(4, "deposit", "1"),
            [](Candidate& candidate) { candidate.event.asset = "USDC"; });
        const auto accounts = domain::accountsOf(
            {ofUser(10, payment(1, "deposit", "1")), ofUser(2, payment(2, "deposit", "1")),
                payment(3, "deposit", "1"), usdc, payment(5, "withdrawal", "1")});
        const std::vector<domain::AccountId> expected{
            {UserId{1}, "ETH"}, {UserId{1}, "USDC"}, {UserId{2}, "ETH"}, {UserId{10}, "ETH"}};
        QCOMPARE(accounts, expected);
    }

private:
    static void compare()
    {
        QFETCH(Batch, input);
        QFETCH(std::string, expected);

        const std::string decided = model::describe(domain::decide(input));

        QCOMPARE(QString::fromStdString(decided), QString::fromStdString(expected));
    }
};

QTEST_APPLESS_MAIN(TestDecide)

#include "tst_decide.moc"
