#include "processor/daemon/user_file.h"

#include <QTest>
#include <sstream>

namespace {

QString shown(const processor::UserFile& file)
{
    QStringList parts;
    for (const auto& user : file.users) {
        parts << QString::number(user.id.value()) + "="
                + QString::fromStdString(user.externalRef.value_or("-"));
    }
    for (const auto& balance : file.balances) {
        parts << QString::number(balance.user.value()) + ":"
                + QString::fromStdString(balance.asset + ":" + balance.amount.toText());
    }
    return parts.join(' ');
}

class TestUserFile : public QObject
{
    Q_OBJECT

private slots:
    void isReadAndSorted_data();
    void isReadAndSorted();
    void isRefusedWithItsLine_data();
    void isRefusedWithItsLine();
    void complaintsAreBounded();
};

void TestUserFile::isReadAndSorted_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");

    QTest::newRow("empty") << ""
                           << "";
    QTest::newRow("heading alone") << "user_id,external_ref,asset,opening_balance\n"
                                   << "";
    QTest::newRow("a user with a balance") << "7,anna,ETH,1.50\n"
                                           << "7=anna 7:ETH:1.5";
    QTest::newRow("no line end at the end") << "7,anna,ETH,1"
                                            << "7=anna 7:ETH:1";
    QTest::newRow("windows line ends") << "7,anna,ETH,1\r\n8,,,\r\n"
                                       << "7=anna 8=- 7:ETH:1";
    QTest::newRow("blank lines") << "\n7,,ETH,1\n\n"
                                 << "7=- 7:ETH:1";
    QTest::newRow("a user without account") << "7,anna,,\n"
                                            << "7=anna";
    QTest::newRow("opening balance of zero") << "7,,ETH,0\n"
                                             << "7=- 7:ETH:0";
    QTest::newRow("locks are taken in this order") << "9,,USDC,1\n9,,ETH,2\n3,,ETH,3\n"
                                                   << "3=- 9=- 3:ETH:3 9:ETH:2 9:USDC:1";
    QTest::newRow("the reference may come later") << "7,,ETH,1\n7,anna,DAI,2\n"
                                                  << "7=anna 7:DAI:2 7:ETH:1";
    QTest::newRow("quotes") << "7,\"a, \"\"b\"\"\nc\",ETH,1\n8,,,\n"
                            << "7=a, \"b\"\nc 8=- 7:ETH:1";
    QTest::newRow("all 18 decimals") << "1,,ETH,99999999999999999999.999999999999999999\n"
                                     << "1=- 1:ETH:99999999999999999999.999999999999999999";
}

void TestUserFile::isReadAndSorted()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    std::istringstream in{text.toStdString()};

    const auto file = processor::readUserFile(in);

    QVERIFY2(file, file ? "" : file.error().message.c_str());
    QCOMPARE(shown(*file), expected);
}

void TestUserFile::isRefusedWithItsLine_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("complaint");

    QTest::newRow("no number") << "x,,ETH,1\n"
                               << "line 1: user_id";
    QTest::newRow("zero") << "0,,ETH,1\n"
                          << "line 1: user_id";
    QTest::newRow("sign") << "+1,,ETH,1\n"
                          << "line 1: user_id";
    QTest::newRow("beyond bigint") << "9223372036854775808,,ETH,1\n"
                                   << "line 1: user_id";
    QTest::newRow("too few columns") << "1,,ETH\n"
                                     << "line 1: needs 4 columns";
    QTest::newRow("too many columns") << "1,,ETH,1,\n"
                                      << "line 1: needs 4 columns";
    QTest::newRow("negative balance") << "1,,ETH,1\n2,,ETH,-1\n"
                                      << "line 2: opening balance";
    QTest::newRow("19 decimals") << "1,,ETH,0.0000000000000000001\n"
                                 << "line 1: opening balance";
    QTest::newRow("10^20") << "1,,ETH,100000000000000000000\n"
                           << "line 1: opening balance";
    QTest::newRow("asset without balance") << "1,,ETH,\n"
                                           << "line 1: asset and opening balance";
    QTest::newRow("balance without asset") << "1,,,1\n"
                                           << "line 1: asset and opening balance";
    QTest::newRow("the same account twice") << "1,,ETH,1\n1,,ETH,1\n"
                                            << "line 2: a second balance";
    QTest::newRow("two references") << "1,a,ETH,1\n1,b,DAI,1\n"
                                    << "line 2: another external_ref";
    QTest::newRow("a quote that never closes") << "1,\"a,ETH,1\n"
                                               << "line 1: broken quotes";
    QTest::newRow("text after a quote") << "1,\"a\"b,ETH,1\n"
                                        << "line 1: broken quotes";
    QTest::newRow("lines count through quotes") << "1,\"a\nb\",ETH,1\nx,,,\n"
                                                << "line 3: user_id";
    QTest::newRow("a heading further down") << "1,,ETH,1\nuser_id,,,\n"
                                            << "line 2: user_id";
}

void TestUserFile::isRefusedWithItsLine()
{
    QFETCH(QString, text);
    QFETCH(QString, complaint);
    std::istringstream in{text.toStdString()};

    const auto file = processor::readUserFile(in);

    QVERIFY(!file);
    QCOMPARE(file.error().kind, base::ErrorKind::Invalid);
    QVERIFY2(
        file.error().message.starts_with(complaint.toStdString()), file.error().message.c_str());
}

void TestUserFile::complaintsAreBounded()
{
    std::string text;
    for (int i = 0; i < 1'000; ++i) text += "x,,,\n";
    std::istringstream in{text};
    const auto file = processor::readUserFile(in);
    QVERIFY(!file);
    QVERIFY(file.error().message.ends_with("and 980 more"));
    QCOMPARE(std::ranges::count(file.error().message, '\n'), 20);
}

} // namespace

QTEST_APPLESS_MAIN(TestUserFile)
#include "tst_user_file.moc"
