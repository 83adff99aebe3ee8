#include "processor/http/server.h"

#include "processor/http/socket_session.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::milliseconds kSweep{500};
constexpr int kBacklog = 1'024;

struct Answer
{
    std::uint64_t connection;
    std::uint64_t slot;
    std::optional<Response> response;
};

// Answers come from other threads in bursts (one commit answers a whole gathering): they are piled
// up and the loop is told once.
class Pile final : public Outbox
{
public:
    using Wake = std::function<void()>;

    void open(Wake wake)
    {
        const std::scoped_lock lock{m_mutex};
        m_wake = std::move(wake);
    }

    void shut()
    {
        const std::scoped_lock lock{m_mutex};
        m_wake = nullptr;
        m_answers.clear();
    }

    void answer(
        std::uint64_t connection, std::uint64_t slot, std::optional<Response> response) override
    {
        const std::scoped_lock lock{m_mutex};
        if (!m_wake) return;
        m_answers.push_back({connection, slot, std::move(response)});
        if (!std::exchange(m_isTold, true)) m_wake();
    }

    std::vector<Answer> take()
    {
        const std::scoped_lock lock{m_mutex};
        m_isTold = false;
        return std::exchange(m_answers, {});
    }

private:
    std::mutex m_mutex;
    Wake m_wake;
    bool m_isTold = false;
    std::vector<Answer> m_answers;
};

base::Result<std::pair<std::string, std::string>> splitAddress(const std::string& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string::npos || colon + 1 == text.size()) {
        return base::Error{base::ErrorKind::Invalid, "not HOST:PORT: " + text};
    }
    std::string host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    return std::pair{host, text.substr(colon + 1)};
}

} // namespace

struct Server::Core
{
    Core(ServerOptions given, Handler handler)
        : options{std::move(given)}
        , context{std::move(handler), pile, options.requestDeadline, options.idleTimeout,
              options.bodyMax}
    {}

    base::Status bind();
    base::Status loadTls();
    void accept();
    void admit(tcp::socket socket);
    bool makeRoom();
    void deliver();
    void scheduleSweep();
    void sweep();
    void beginStop();
    void endIfDrained();

    ServerOptions options;
    std::shared_ptr<Pile> pile = std::make_shared<Pile>();
    SessionContext context;
    asio::io_context loop{1};
    tcp::acceptor acceptor{loop};
    tcp::endpoint bound;
    asio::steady_timer sweeper{loop};
    std::optional<asio::ssl::context> tls;
    std::unordered_map<std::uint64_t, std::shared_ptr<Session>> sessions;
    std::uint64_t nextId = 1;
    std::atomic<std::size_t> open{0};
    bool isAccepting = false;
    base::Pulse* pulse = nullptr;
    std::optional<std::chrono::steady_clock::time_point> stopBy;
};

base::Status Server::Core::bind()
{
    const auto parts = splitAddress(options.listenOn);
    if (!parts) return parts.error();
    error_code error;
    tcp::resolver resolver{loop};
    const auto found = resolver.resolve(parts->first, parts->second,
        tcp::resolver::passive | tcp::resolver::numeric_service, error);
    if (error || found.empty()) {
        return base::Error{base::ErrorKind::Invalid,
            "cannot listen on " + options.listenOn + ": " + error.message()};
    }
    const tcp::endpoint endpoint = found.begin()->endpoint();
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address{true}, error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(kBacklog, error);
    if (!error) acceptor.non_blocking(true, error);
    if (error) {
        const bool isTaken = error == asio::error::address_in_use;
        return base::Error{isTaken ? base::ErrorKind::Conflict : base::ErrorKind::Invalid,
            "cannot listen on " + options.listenOn + ": " + error.message()};
    }
    bound = acceptor.local_endpoint(error);
    return base::Done{};
}

base::Status Server::Core::loadTls()
{
    if (options.tlsCertFile.empty() && options.tlsKeyFile.empty()) return base::Done{};
    if (options.tlsCertFile.empty() || options.tlsKeyFile.empty()) {
        return base::Error{
            base::ErrorKind::Invalid, "TLS needs both a certificate file and a key file"};
    }
    tls.emplace(asio::ssl::context::tls_server);
    error_code error;
    tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1
            | asio::ssl::context::no_tlsv1_1 | SSL_OP_NO_RENEGOTIATION,
        error);
    if (!error) tls->use_certificate_chain_file(options.tlsCertFile, error);
    if (error) {
        return base::Error{base::ErrorKind::Invalid,
            "cannot use the certificate " + options.tlsCertFile + ": " + error.message()};
    }
    tls->use_private_key_file(options.tlsKeyFile, asio::ssl::context::pem, error);
    if (!error) return base::Done{};
    return base::Error{base::ErrorKind::Invalid,
        "cannot use the key " + options.tlsKeyFile + ": " + error.message()};
}

void Server::Core::accept()
{
    isAccepting = true;
    acceptor.async_accept([this](const error_code& error, tcp::socket socket) {
        isAccepting = false;
        if (stopBy) return;
        // Out of descriptors or memory: the sweep tries again, this does not spin.
        if (error && error != asio::error::connection_aborted) return;
        if (!error) admit(std::move(socket));
        accept();
    });
}

void Server::Core::admit(tcp::socket socket)
{
    if (sessions.size() >= options.connectionsMax && !makeRoom()) return;
    error_code error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (error) return; // gone already
    asio::ip::address remote = peer.address();
    // One client, one name: an IPv4 client of a socket for both must not get a second rate limit.
    if (remote.is_v6() && remote.to_v6().is_v4_mapped()) {
        remote = asio::ip::make_address_v4(asio::ip::v4_mapped, remote.to_v6());
    }
    const std::uint64_t id = nextId++;
    auto session = tls ? makeTlsSession(context, id, remote.to_string(), std::move(socket), *tls)
                       : makePlainSession(context, id, remote.to_string(), std::move(socket));
    sessions.emplace(id, session);
    open.store(sessions.size());
    session->start();
}

bool Server::Core::makeRoom()
{
    std::erase_if(sessions, [](const auto& entry) { return entry.second->isClosed(); });
    if (sessions.size() < options.connectionsMax) return true;
    std::shared_ptr<Session> longest;
    for (const auto& [id, session] : sessions) {
        const auto since = session->idleSince();
        if (since && (!longest || *since < *longest->idleSince())) longest = session;
    }
    if (!longest) return false;
    longest->close();
    sessions.erase(longest->id());
    return true;
}

void Server::Core::deliver()
{
    std::unordered_set<std::shared_ptr<Session>> answered;
    for (Answer& answer : pile->take()) {
        const auto found = sessions.find(answer.connection);
        if (found == sessions.end()) continue;
        found->second->answer(answer.slot, std::move(answer.response));
        answered.insert(found->second);
    }
    for (const auto& session : answered) session->proceed();
    if (stopBy) endIfDrained();
}

void Server::Core::scheduleSweep()
{
    sweeper.expires_after(stopBy ? std::chrono::milliseconds{20} : kSweep);
    sweeper.async_wait([this](const error_code& error) {
        if (!error) sweep();
    });
}

void Server::Core::sweep()
{
    const auto now = std::chrono::steady_clock::now();
    if (pulse != nullptr) pulse->beat(now);
    const auto all = sessions; // sweeping one may end it
    for (const auto& [id, session] : all) session->sweep(now);
    std::erase_if(sessions, [](const auto& entry) { return entry.second->isClosed(); });
    open.store(sessions.size());
    if (stopBy) return endIfDrained();
    if (!isAccepting) accept();
    scheduleSweep();
}

void Server::Core::beginStop()
{
    if (stopBy) return;
    stopBy = std::chrono::steady_clock::now() + options.drain;
    error_code ignored;
    acceptor.close(ignored);
    const auto all = sessions;
    for (const auto& [id, session] : all) session->finishSoon();
    endIfDrained();
}

void Server::Core::endIfDrained()
{
    std::erase_if(sessions, [](const auto& entry) { return entry.second->isClosed(); });
    open.store(sessions.size());
    if (sessions.empty() || std::chrono::steady_clock::now() >= *stopBy) {
        for (const auto& [id, session] : sessions) session->close();
        loop.stop();
        return;
    }
    scheduleSweep();
}

base::Result<Server> Server::listen(ServerOptions options, Handler handler)
{
    auto core = std::make_unique<Core>(std::move(options), std::move(handler));
    if (const auto loaded = core->loadTls(); !loaded) return loaded.error();
    if (const auto bound = core->bind(); !bound) return bound.error();
    core->pile->open([raw = core.get()] { asio::post(raw->loop, [raw] { raw->deliver(); }); });
    return Server{std::move(core)};
}

Server::Server(std::unique_ptr<Core> core) : m_core{std::move(core)} {}

Server::Server(Server&&) noexcept = default;

Server::~Server()
{
    if (m_core) m_core->pile->shut();
}

std::uint16_t Server::port() const
{
    return m_core->bound.port();
}

std::string Server::address() const
{
    const tcp::endpoint& bound = m_core->bound;
    const std::string host = bound.address().to_string();
    return (bound.address().is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(bound.port());
}

void Server::run(const std::stop_token& stop, base::Pulse* pulse)
{
    Core& core = *m_core;
    core.pulse = pulse;
    core.accept();
    core.scheduleSweep();
    const std::stop_callback onStop{
        stop, [&core] { asio::post(core.loop, [&core] { core.beginStop(); }); }};
    core.loop.run();
    core.pile->shut();
    core.sessions.clear();
    core.open.store(0);
}

std::size_t Server::connections() const
{
    return m_core->open.load();
}

} // namespace http
