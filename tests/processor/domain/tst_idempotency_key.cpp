#include "processor/domain/idempotency_key.h"

#include <QCryptographicHash>
#include <QTest>

#include <set>

class TestIdempotencyKey : public QObject
{
    Q_OBJECT

private slots:
    // The hashes come from another program:
    //   python3 -c "import struct, hashlib
    //   f = lambda s: struct.pack('>I', len(s.encode())) + s.encode()
    //   print(hashlib.sha256(f('evt-1') + f('deposit')).hexdigest())"
    // and the first once more from
    //   printf '\0\0\0\x05evt-1\0\0\0\x07deposit' | openssl dgst -sha256
    void hashesToWhatAnotherProgramComputes_data()
    {
        QTest::addColumn<QByteArray>("eventId");
        QTest::addColumn<QByteArray>("eventType");
        QTest::addColumn<QByteArray>("sha256");

        QTest::newRow("a plain deposit")
            << QByteArray{"evt-1"} << QByteArray{"deposit"}
            << QByteArray{"a33b1cf43d96e237513a8bcaa70d97ce56330e1f43f7520cd13d5f4d07e3ef09"};
        QTest::newRow("the same id with another type")
            << QByteArray{"evt-1"} << QByteArray{"withdrawal"}
            << QByteArray{"725a5725c003f6c8074a673e3b856eb22d6097c042a42ad3b690206c7c10ba32"};
        QTest::newRow("an empty id")
            << QByteArray{} << QByteArray{"deposit"}
            << QByteArray{"2ddfb6ebac75b0118c0e1f7ea3772a683ea0cd69813fa72701b7ec3e5a88c8c1"};
        QTest::newRow("an id in UTF-8, counted in octets")
            << QByteArray{"платёж-7"} << QByteArray{"airdrop"}
            << QByteArray{"71319223efea7ab4fddb028f8cab554e533958df975cbbac7ee14b92e0d862df"};
        QTest::newRow("the longest id")
            << QByteArray(200, 'x') << QByteArray{"withdrawal_fee"}
            << QByteArray{"9806f5284078ebbe5d31c1f401cb0a6d3cf4f1e0171dd028b812329324d1f566"};
        QTest::newRow("a::b and c, which joining with :: confuses")
            << QByteArray{"a::b"} << QByteArray{"c"}
            << QByteArray{"5d3a1341df777296be924f0a4a35c1a8e79e645fc67cdb0d94981667f2b6ab8d"};
        QTest::newRow("with a and b::c")
            << QByteArray{"a"} << QByteArray{"b::c"}
            << QByteArray{"381888f7e6f500a8ed780570a879cfc044119a41908ec27af9fcbf5c313b3446"};
        QTest::newRow("a NUL b and c, which joining with NUL confuses")
            << QByteArray{"a\0b", 3} << QByteArray{"c"}
            << QByteArray{"749a6ca44b18c32d6577cc9ade061d8f9db6e79773dde38fe47676e2d9be6465"};
        QTest::newRow("with a and b NUL c")
            << QByteArray{"a"} << QByteArray{"b\0c", 3}
            << QByteArray{"fdef16d9c2a3b06aed071e55c003d60de714ea09bcf5198e1474ce0c917efec4"};
    }
    void hashesToWhatAnotherProgramComputes()
    {
        QFETCH(QByteArray, eventId);
        QFETCH(QByteArray, eventType);
        QFETCH(QByteArray, sha256);

        const std::string octets
            = domain::idempotencyKeyBytes(eventId.toStdString(), eventType.toStdString());

        QCOMPARE(QCryptographicHash::hash(octets, QCryptographicHash::Sha256).toHex(), sha256);
    }

    void noTwoPairsGiveTheSameOctets()
    {
        // Every way to cut every short text over a nasty alphabet in two.
        const std::string alphabet{"\0\1a:", 4};
        std::vector<std::string> texts{""};
        for (std::size_t begin = 0, length = 0; length < 4; ++length) {
            const std::size_t end = texts.size();
            for (std::size_t i = begin; i < end; ++i) {
                for (const char c : alphabet) {
                    texts.push_back(texts[i] + c);
                }
            }
            begin = end;
        }
        std::set<std::string> seen;
        std::size_t pairs = 0;
        for (const std::string& text : texts) {
            for (std::size_t cut = 0; cut <= text.size(); ++cut) {
                seen.insert(domain::idempotencyKeyBytes(text.substr(0, cut), text.substr(cut)));
                ++pairs;
            }
        }
        QCOMPARE(seen.size(), pairs);
    }
};

QTEST_APPLESS_MAIN(TestIdempotencyKey)

#include "tst_idempotency_key.moc"
