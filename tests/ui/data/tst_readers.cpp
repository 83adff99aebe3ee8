#include "tests/support/redis_server.h"
#include "tests/support/require.h"
#include "ui/data/redis_reader.h"
#include "ui/data/status_reader.h"

#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using ui::EntryDelivery;
using ui::EntryLook;
using ui::StreamLook;

// Redis and the admin listener as the console sees them: what they say, and that they say nothing.
class TstReaders : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void saysWhereAnEntryStandsWithEachGroup();
    void lagOfAStrangersIdIsUnknown();
    void noStreamIsAnAnswer();
    void aDeadRedisIsUnavailable();
    void readsStatusWithTheToken();
    void tellsARefusedTokenFromSilence();

private:
    std::optional<base::Result<StreamLook>> look(const QList<qint64>& numbers);
    void run(std::initializer_list<std::string_view> command);
    std::optional<base::Result<QJsonObject>> askStatus(const QByteArray& answer);

    std::unique_ptr<support::RedisServer> m_server;
    std::unique_ptr<redis::Client> m_client;
    QByteArray m_request; // what the last listener was sent
};

void TstReaders::init()
{
    m_server = support::require(support::RedisServer::start());
    m_client = std::make_unique<redis::Client>(redis::ClientOptions{.url = m_server->url()});
}

void TstReaders::run(std::initializer_list<std::string_view> command)
{
    const auto reply = m_client->run(command);
    QVERIFY2(reply, reply ? "" : reply.error().message.c_str());
}

std::optional<base::Result<StreamLook>> TstReaders::look(const QList<qint64>& numbers)
{
    ui::RedisReader reader{QString::fromStdString(m_server->url())};
    std::optional<base::Result<StreamLook>> got;
    reader.look(this, "test", numbers,
        [&got](const base::Result<StreamLook>& result) { got.emplace(result); });
    [&got] { QTRY_VERIFY_WITH_TIMEOUT(got, 10000); }();
    return got;
}

void TstReaders::saysWhereAnEntryStandsWithEachGroup()
{
    for (const char* id : {"1-0", "2-0", "3-0", "4-0"}) {
        run({"XADD", "payments:events", id, "event", "payment.enqueued"});
    }
    run({"XGROUP", "CREATE", "payments:events", "balance_updaters", "0"});
    run({"XGROUP", "CREATE", "payments:events", "notifiers", "0"});
    run({"XREADGROUP", "GROUP", "balance_updaters", "w1", "COUNT", "3", "STREAMS",
        "payments:events", ">"});
    run({"XACK", "payments:events", "balance_updaters", "1-0", "2-0"});
    run({"XTRIM", "payments:events", "MINID", "2-0"});

    const auto got = look({1, 2, 3, 4, 5});
    QVERIFY(got && *got);
    const StreamLook& view = **got;
    QCOMPARE(view.last, std::optional<qint64>{4});
    QCOMPARE(view.groups[0].name, QString{"balance_updaters"});
    QCOMPARE(view.groups[0].pending, qint64{1});
    QCOMPARE(view.groups[0].lag, std::optional<qint64>{1});
    QCOMPARE(view.groups[1].lag, std::optional<qint64>{4});

    using Presence = EntryLook::Presence;
    using State = EntryDelivery::State;
    const std::array presence{Presence::Trimmed, Presence::InStream, Presence::InStream,
        Presence::InStream, Presence::NotYet};
    const std::array updaters{
        State::Acknowledged, State::Acknowledged, State::Pending, State::NotYet, State::NotYet};
    for (std::size_t i = 0; i < presence.size(); ++i) {
        const auto& entry = view.entries[qint64(i) + 1];
        QCOMPARE(entry.presence, presence[i]);
        QCOMPARE(entry.deliveries[0].state, updaters[i]);
        QCOMPARE(entry.deliveries[1].state, State::NotYet);
    }
    QCOMPARE(view.entries[3].deliveries[0].consumer, QString{"w1"});
    QCOMPARE(view.entries[3].deliveries[0].deliveries, qint64{1});
}

void TstReaders::lagOfAStrangersIdIsUnknown()
{
    run({"XADD", "payments:events", "7-5", "event", "x"});
    run({"XGROUP", "CREATE", "payments:events", "notifiers", "$"});
    const auto got = look({7});
    QVERIFY(got && *got);
    QVERIFY(!(**got).groups[0].lag);
    QCOMPARE((**got).entries[7].deliveries[0].state, EntryDelivery::State::Unknown);
}

void TstReaders::noStreamIsAnAnswer()
{
    const auto got = look({1});
    QVERIFY(got && *got);
    QVERIFY(!(**got).exists);
}

void TstReaders::aDeadRedisIsUnavailable()
{
    m_server->kill();
    const auto got = look({1});
    QVERIFY(got && !*got);
    QCOMPARE(got->error().kind, base::ErrorKind::Unavailable);
}

std::optional<base::Result<QJsonObject>> TstReaders::askStatus(const QByteArray& answer)
{
    QTcpServer listener;
    listener.listen(QHostAddress::LocalHost);
    m_request.clear();
    connect(&listener, &QTcpServer::newConnection, this, [this, &listener, answer] {
        auto* socket = listener.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, answer] {
            m_request += socket->readAll();
            socket->write(answer);
            socket->disconnectFromHost();
        });
    });
    ui::StatusReader reader{base::Secret{"sesame"}};
    std::optional<base::Result<QJsonObject>> got;
    reader.ask(this, QStringLiteral("http://127.0.0.1:%1").arg(listener.serverPort()),
        [&got](const base::Result<QJsonObject>& result) { got.emplace(result); });
    [&got] { QTRY_VERIFY_WITH_TIMEOUT(got, 10000); }();
    return got;
}

void TstReaders::readsStatusWithTheToken()
{
    const auto got = askStatus("HTTP/1.1 200 OK\r\nContent-Length: 26\r\nConnection: close\r\n\r\n"
                               "{\"no\": 9007199254740993 }  ");
    QVERIFY(got && *got);
    QCOMPARE((**got).value("no").toInteger(), qint64{9007199254740993});
    QVERIFY(m_request.startsWith("GET /status "));
    QVERIFY(m_request.contains("Authorization: Bearer sesame\r\n"));
}

void TstReaders::tellsARefusedTokenFromSilence()
{
    const auto refused
        = askStatus("HTTP/1.1 401 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    QVERIFY(refused && !*refused);
    QCOMPARE(refused->error().kind, base::ErrorKind::Invalid);
    QCOMPARE(refused->error().code, std::string{"401"});
    const auto silent = askStatus("");
    QVERIFY(silent && !*silent);
    QCOMPARE(silent->error().kind, base::ErrorKind::Unavailable);
}

QTEST_GUILESS_MAIN(TstReaders)
#include "tst_readers.moc"
