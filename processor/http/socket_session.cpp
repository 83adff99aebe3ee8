#include "processor/http/socket_session.h"

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <utility>

namespace http {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::ip::tcp::socket;

class PlainSession final : public Session
{
public:
    PlainSession(SessionContext& context, std::uint64_t id, std::string remote, Socket socket)
        : Session{context, id, std::move(remote)}
        , m_socket{std::move(socket)}
    {
        error_code ignored;
        m_socket.set_option(asio::ip::tcp::no_delay{true}, ignored);
        m_socket.non_blocking(true, ignored);
    }

    void start() override { onReady(); }

private:
    std::shared_ptr<PlainSession> self()
    {
        return std::static_pointer_cast<PlainSession>(shared_from_this());
    }

    void startRead(std::span<char> space) override
    {
        m_socket.async_read_some(asio::buffer(space.data(), space.size()),
            [session = self()](const error_code& error, std::size_t count) {
                error ? session->onEndOfStream() : session->onRead(count);
            });
    }

    void startWrite(std::string_view octets) override
    {
        // An answer nearly always fits the socket's buffer: no wait, no trip through the loop.
        error_code error;
        const std::size_t count = m_socket.write_some(asio::buffer(octets), error);
        if (!error) return onWritten(count);
        if (error != asio::error::would_block && error != asio::error::try_again) return close();
        asio::async_write(m_socket, asio::buffer(octets),
            [session = self()](const error_code& failure, std::size_t written) {
                failure ? session->close() : session->onWritten(written);
            });
    }

    void endSending() override
    {
        error_code ignored;
        m_socket.shutdown(Socket::shutdown_send, ignored);
    }

    void closeTransport() override
    {
        error_code ignored;
        m_socket.close(ignored);
    }

    Socket m_socket;
};

class TlsSession final : public Session
{
public:
    TlsSession(SessionContext& context, std::uint64_t id, std::string remote, Socket socket,
        asio::ssl::context& tls)
        : Session{context, id, std::move(remote)}
        , m_stream{std::move(socket), tls}
    {
        error_code ignored;
        m_stream.next_layer().set_option(asio::ip::tcp::no_delay{true}, ignored);
        m_phase = Phase::Handshaking;
    }

    void start() override
    {
        m_stream.async_handshake(
            asio::ssl::stream_base::server, [session = self()](const error_code& error) {
                if (session->isClosed()) return;
                error ? session->close() : session->onReady();
            });
    }

private:
    std::shared_ptr<TlsSession> self()
    {
        return std::static_pointer_cast<TlsSession>(shared_from_this());
    }

    void startRead(std::span<char> space) override
    {
        m_stream.async_read_some(asio::buffer(space.data(), space.size()),
            [session = self()](const error_code& error, std::size_t count) {
                error ? session->onEndOfStream() : session->onRead(count);
            });
    }

    void startWrite(std::string_view octets) override
    {
        asio::async_write(m_stream, asio::buffer(octets),
            [session = self()](const error_code& error, std::size_t written) {
                error ? session->close() : session->onWritten(written);
            });
    }

    // The close_notify goes out in its own time; the lingering read then sees the other side's.
    void endSending() override
    {
        m_stream.async_shutdown([session = self()](const error_code&) { session->close(); });
    }

    void closeTransport() override
    {
        error_code ignored;
        m_stream.next_layer().close(ignored);
    }

    asio::ssl::stream<Socket> m_stream;
};

} // namespace

std::shared_ptr<Session> makePlainSession(
    SessionContext& context, std::uint64_t id, std::string remote, Socket socket)
{
    return std::make_shared<PlainSession>(context, id, std::move(remote), std::move(socket));
}

std::shared_ptr<Session> makeTlsSession(SessionContext& context, std::uint64_t id,
    std::string remote, Socket socket, asio::ssl::context& tls)
{
    return std::make_shared<TlsSession>(context, id, std::move(remote), std::move(socket), tls);
}

} // namespace http
