#include "processor/base/hex.h"
#include "processor/crypto/random.h"
#include "processor/crypto/sha256.h"

#include <QTest>

class TestSha256 : public QObject
{
    Q_OBJECT

private slots:
    // FIPS 180-4 examples (NIST, "SHA256.pdf"), and the million times 'a' of FIPS 180-2.
    void equalsThePublishedVectors_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("digest");

        QTest::newRow("empty")
            << QByteArray{}
            << QByteArray{"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"};
        QTest::newRow("abc")
            << QByteArray{"abc"}
            << QByteArray{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
        QTest::newRow("two blocks")
            << QByteArray{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"}
            << QByteArray{"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"};
        QTest::newRow("a million a") << QByteArray{1'000'000,
            'a'} << QByteArray{"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"};
    }
    void equalsThePublishedVectors()
    {
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, digest);
        const std::string_view text{message.constData(), size_t(message.size())};

        QCOMPARE(base::toHex(crypto::sha256(text)), digest.toStdString());
    }

    void randomBytesDiffer()
    {
        QCOMPARE(crypto::randomBytes(0).size(), 0U);
        QCOMPARE(crypto::randomBytes(32).size(), 32U);
        QVERIFY(crypto::randomBytes(32) != crypto::randomBytes(32));
    }
};

QTEST_APPLESS_MAIN(TestSha256)
#include "tst_sha256.moc"
