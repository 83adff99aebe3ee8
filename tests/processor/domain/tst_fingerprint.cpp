#include "processor/domain/fingerprint.h"
#include "tests/support/ends_process.h"

#include <QCryptographicHash>
#include <QTest>

#include <functional>

using domain::Amount;
using domain::FingerprintFields;
using domain::UserId;

namespace {

Amount amount(const char* text)
{
    return *Amount::parseEvent(text);
}

FingerprintFields deposit()
{
    return FingerprintFields{"deposit", UserId{7}, std::nullopt, "ETH", amount("50")};
}

QByteArray sha256(const FingerprintFields& fields)
{
    return QCryptographicHash::hash(domain::fingerprintBytes(fields), QCryptographicHash::Sha256)
        .toHex();
}

} // namespace

class TestFingerprint : public QObject
{
    Q_OBJECT

private slots:
    // The hashes come from another program; None is an absent field:
    //   python3 -c "import struct, hashlib
    //   f = lambda s: b'\1' + struct.pack('>I', len(s.encode())) + s.encode()
    //   F = lambda *a: hashlib.sha256(b''.join(b'\0' if x is None else f(x)
    //       for x in a)).hexdigest()
    //   print(F('deposit', '7', None, 'ETH', '50.000000000000000000', None, None, None, None))"
    void hashesToWhatAnotherProgramComputes()
    {
        QCOMPARE(
            sha256(deposit()), "61b64b35be998ca84698d35d83063db3a2aa21f44af412389714e14055c0c294");

        // F('deposit', None, '0xabcdef0000000000000000000000000000000001', 'USDC',
        //   '0.000001000000000000', 'shop-1', None, 'eip155:1', '0xaa11')
        QCOMPARE(sha256(FingerprintFields{"deposit", std::nullopt,
                     "0xABcdef0000000000000000000000000000000001", "USDC", amount("0.000001"),
                     "shop-1", std::nullopt, "eip155:1", "0xAA11"}),
            "78e606d26e98ceab5226ac0df40ed8e3a19960c318a80d33582619b25733de43");

        // F('refund', '7', None, 'ETH', '1.500000000000000000', '', 'evt-1', None, None)
        QCOMPARE(sha256(FingerprintFields{
                     "refund", UserId{7}, std::nullopt, "ETH", amount("1.5"), "", "evt-1"}),
            "29cddd58c15e2adc669400961e6c326b5f1c7ea17109ef5d4bee618806f1da69");

        // F('deposit', None, 'bc1QxY', 'BTC', '99999999999999999999.999999999999999999', None,
        //   None, 'bip122:000000000019d6689c085ae165831e93', 'AbC')
        QCOMPARE(sha256(FingerprintFields{"deposit", std::nullopt, "bc1QxY", "BTC",
                     amount("99999999999999999999.999999999999999999"), std::nullopt, std::nullopt,
                     "bip122:000000000019d6689c085ae165831e93", "AbC"}),
            "52e19f497497f4442d67716c1dcd64ff9c3275ce3af93ff9bca4014d377f3f5e");
    }

    void theWayAnAmountIsWrittenDoesNotCount()
    {
        FingerprintFields other = deposit();
        other.amount = amount("5.0e1");
        QCOMPARE(sha256(other), sha256(deposit()));
        other.amount = amount("50.0000000000000000000");
        QCOMPARE(sha256(other), sha256(deposit()));
    }

    void eachFieldCounts_data()
    {
        using Change = std::function<void(FingerprintFields&)>;
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };

        row("type", [](auto& fields) { fields.eventType = "airdrop"; });
        row("user", [](auto& fields) { fields.user = UserId{8}; });
        row("address that reads like the user", [](auto& fields) {
            fields.user.reset();
            fields.address = "7";
        });
        row("asset", [](auto& fields) { fields.asset = "DAI"; });
        row("amount", [](auto& fields) { fields.amount = amount("50.000000000000000001"); });
        row("merchant", [](auto& fields) { fields.merchant = "shop"; });
        row("an empty merchant is not an absent one", [](auto& fields) { fields.merchant = ""; });
        row("original", [](auto& fields) { fields.original = "shop"; });
        row("an empty original", [](auto& fields) { fields.original = ""; });
        row("chain", [](auto& fields) { fields.chain = "shop"; });
        row("an empty chain", [](auto& fields) { fields.chain = ""; });
        row("transaction", [](auto& fields) { fields.txHash = "shop"; });
        row("an empty transaction", [](auto& fields) { fields.txHash = ""; });
        row("the case of what is not hexadecimal", [](auto& fields) { fields.txHash = "Shop"; });
    }
    void eachFieldCounts()
    {
        QFETCH(std::function<void(FingerprintFields&)>, change);
        FingerprintFields changed = deposit();
        change(changed);

        QVERIFY(sha256(changed) != sha256(deposit()));
        // And each differs from every other: a field never stands in for its neighbour.
        QVERIFY2(!m_seen.contains(sha256(changed)), sha256(changed));
        m_seen.insert(sha256(changed));
    }

    void userAndAddressExcludeEachOther()
    {
        QVERIFY(support::endsProcess([] {
            FingerprintFields both = deposit();
            both.address = "0x1";
            (void)domain::fingerprintBytes(both);
        }));
        QVERIFY(support::endsProcess([] {
            FingerprintFields neither = deposit();
            neither.user.reset();
            (void)domain::fingerprintBytes(neither);
        }));
    }

private:
    QSet<QByteArray> m_seen;
};

QTEST_APPLESS_MAIN(TestFingerprint)

#include "tst_fingerprint.moc"
