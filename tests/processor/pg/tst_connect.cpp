#include "processor/pg/connect.h"
#include "tests/processor/pg/server_test.h"

#include <QTest>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using base::ErrorKind;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

// A TCP port that completes the handshake (the kernel does) and never says a word.
class SilentPort
{
public:
    SilentPort() : m_socket{::socket(AF_INET, SOCK_STREAM, 0)}
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        auto* raw = reinterpret_cast<sockaddr*>(&address);
        if (::bind(m_socket, raw, length) != 0 || ::listen(m_socket, 8) != 0
            || ::getsockname(m_socket, raw, &length) != 0) {
            qFatal("no loopback port");
        }
        m_port = ntohs(address.sin_port);
    }
    ~SilentPort() { ::close(m_socket); }
    [[nodiscard]] std::string port() const { return std::to_string(m_port); }

private:
    int m_socket;
    int m_port = 0;
};

} // namespace

class TstConnect : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_test.startServer(); }
    void badUrlDoesNotRepeatThePassword();
    void unreachableServerIsUnavailable();
    void silentServerTimesOut();
    void silentHostDoesNotHideTheNext();

private:
    ServerTest m_test;
};

void TstConnect::badUrlDoesNotRepeatThePassword()
{
    const auto connection
        = pg::Connection::open({.url = "postgresql://me:s3cret@[::1/db?nonsense"});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Invalid));
    QVERIFY(connection.error().message.find("s3cret") == std::string::npos);
}

void TstConnect::unreachableServerIsUnavailable()
{
    const auto connection
        = pg::Connection::open({.url = "postgresql://me:s3cret@/db?host=/nonexistent"});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Unavailable));
    QCOMPARE(connection.error().code, std::string{"08001"});
    QVERIFY(connection.error().message.find("s3cret") == std::string::npos);
}

void TstConnect::silentServerTimesOut()
{
    const SilentPort silent;
    const auto start = Clock::now();
    const auto connection = pg::Connection::open(
        {.url = "postgresql://me@127.0.0.1:" + silent.port() + "/db", .connectTimeout = 200ms});

    QVERIFY(!connection);
    QCOMPARE(int(connection.error().kind), int(ErrorKind::Unavailable));
    QVERIFY(Clock::now() - start < 3s);
}

void TstConnect::silentHostDoesNotHideTheNext()
{
    const SilentPort silent;
    const auto folder
        = m_test.server().socketFile().substr(0, m_test.server().socketFile().rfind('/'));
    auto connection = pg::Connection::open({.url = "host=127.0.0.1,/nonexistent," + folder
            + " port=" + silent.port() + ",5432,5432 user=postgres dbname=countersign",
        .connectTimeout = 300ms});

    QVERIFY2(connection, connection ? "" : connection.error().message.c_str());
    QVERIFY(connection->run({"one", "SELECT 1"}));
}

QTEST_GUILESS_MAIN(TstConnect)
#include "tst_connect.moc"
