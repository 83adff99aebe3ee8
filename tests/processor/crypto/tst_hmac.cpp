#include "processor/base/hex.h"
#include "processor/crypto/hmac.h"

#include <QTest>

#include <thread>

class TestHmac : public QObject
{
    Q_OBJECT

    static std::string_view view(const QByteArray& bytes)
    {
        return {bytes.constData(), size_t(bytes.size())};
    }

private slots:
    // RFC 4231, test cases 1-4, 6 and 7 (5 truncates its output, which we never do).
    void equalsThePublishedVectors_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("signature");

        QTest::newRow("case 1")
            << QByteArray{20, '\x0b'} << QByteArray{"Hi There"}
            << QByteArray{"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"};
        QTest::newRow("case 2, short key")
            << QByteArray{"Jefe"} << QByteArray{"what do ya want for nothing?"}
            << QByteArray{"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"};
        QTest::newRow("case 3")
            << QByteArray{20, '\xaa'} << QByteArray{50, '\xdd'}
            << QByteArray{"773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"};
        QTest::newRow("case 4")
            << QByteArray::fromHex("0102030405060708090a0b0c0d0e0f10111213141516171819")
            << QByteArray{50, '\xcd'}
            << QByteArray{"82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"};
        QTest::newRow("case 6, key longer than a block")
            << QByteArray{131, '\xaa'}
            << QByteArray{"Test Using Larger Than Block-Size Key - Hash Key First"}
            << QByteArray{"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"};
        QTest::newRow("case 7, key and data longer than a block")
            << QByteArray{131, '\xaa'}
            << QByteArray{"This is a test using a larger than block-size key and a larger than "
                          "block-size data. The key needs to be hashed before being used by the "
                          "HMAC algorithm."}
            << QByteArray{"9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"};
    }
    void equalsThePublishedVectors()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, signature);
        const crypto::HmacSha256 hmac{base::asBytes(view(key))};
        const crypto::HmacSha256 copy{hmac};

        for (int again = 0; again < 3; ++again) { // the kept state must not wear
            QCOMPARE(base::toHex(hmac.sign(view(message))), signature.toStdString());
            QVERIFY(copy.verifyHex(view(message), view(signature)));
        }
        QVERIFY(hmac.verifyHex(view(message), view(signature.toUpper())));
    }

    void verifiesStrictly_data()
    {
        QTest::addColumn<QByteArray>("signature");
        QTest::addColumn<bool>("accepted");

        const QByteArray good{"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"};
        QTest::newRow("good") << good << true;
        QTest::newRow("good in capitals") << good.toUpper() << true;
        QTest::newRow("empty") << QByteArray{} << false;
        QTest::newRow("last digit differs") << good.chopped(1) + "4" << false;
        QTest::newRow("first digit differs") << "6" + good.sliced(1) << false;
        QTest::newRow("one digit short") << good.chopped(1) << false;
        QTest::newRow("one octet short") << good.chopped(2) << false;
        QTest::newRow("one octet more") << good + "00" << false;
        QTest::newRow("blank before") << " " + good << false;
        QTest::newRow("line end after") << good + "\n" << false;
        QTest::newRow("scheme before") << "sha256=" + good << false;
        QTest::newRow("0x before") << "0x" + good << false;
        QTest::newRow("NUL in place of a digit") << good.chopped(1) + QByteArray{1, '\0'} << false;
        QTest::newRow("no hex at all") << QByteArray{64, 'g'} << false;
        QTest::newRow("the digest itself, not in hex") << QByteArray::fromHex(good) << false;
    }
    void verifiesStrictly()
    {
        QFETCH(QByteArray, signature);
        QFETCH(bool, accepted);
        const crypto::HmacSha256 hmac{base::Secret{"Jefe"}};

        QCOMPARE(hmac.verifyHex("what do ya want for nothing?", view(signature)), accepted);
    }

    void comparesLengthAndOctets()
    {
        using crypto::equalInConstantTime;
        QVERIFY(equalInConstantTime(base::asBytes(""), base::asBytes("")));
        QVERIFY(equalInConstantTime(base::asBytes("token"), base::asBytes("token")));
        QVERIFY(!equalInConstantTime(base::asBytes("token"), base::asBytes("tokem")));
        QVERIFY(!equalInConstantTime(base::asBytes("token"), base::asBytes("token ")));
    }

    // Checked with: printf dlq | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
    void derivedKeysDependOnSecretAndLabel()
    {
        const base::Secret secret{"0123456789abcdef0123456789abcdef"};
        const auto hexOf
            = [](const base::Secret& key) { return base::toHex(base::asBytes(key.reveal())); };
        QCOMPARE(hexOf(crypto::deriveKey(secret, "dlq")),
            "0389006f1341d95a678ce897452c9d5182b16c5bf1c9113b365252f8044cb4f3");
        QVERIFY(hexOf(crypto::deriveKey(secret, "other"))
            != "0389006f1341d95a678ce897452c9d5182b16c5bf1c9113b365252f8044cb4f3");
    }

    void threadsWithTheirOwnCopiesAgree()
    {
        const crypto::HmacSha256 original{base::Secret{"key"}};
        const crypto::Digest expected = original.sign("message");
        std::array<crypto::Digest, 4> results{};
        {
            std::vector<std::jthread> threads;
            for (crypto::Digest& result : results) {
                threads.emplace_back([copy = original, &result] {
                    for (int i = 0; i < 1'000; ++i) {
                        result = copy.sign("message");
                    }
                });
            }
        }
        for (const crypto::Digest& result : results) {
            QVERIFY(result == expected);
        }
    }

    void signsABody()
    {
        const crypto::HmacSha256 hmac{base::Secret{"0123456789abcdef0123456789abcdef"}};
        const std::string body(500, 'x');
        QBENCHMARK
        {
            QVERIFY(hmac.sign(body)[0] == hmac.sign(body)[0]);
        }
    }
};

QTEST_APPLESS_MAIN(TestHmac)
#include "tst_hmac.moc"
