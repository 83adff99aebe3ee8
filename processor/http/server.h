// Server: HTTP/1.1 (and HTTPS) on one port, one loop, one thread.
#pragma once

#include "processor/base/limits.h"
#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/http/responder.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

namespace http {

struct ServerOptions
{
    std::string listenOn = "127.0.0.1:0"; // HOST:PORT, [IPv6]:PORT; port 0 = any
    std::string tlsCertFile = {}; // PEM with its chain; both or none
    std::string tlsKeyFile = {};
    std::size_t bodyMax = base::kBodyMax; // at most that
    std::size_t connectionsMax = base::kConnectionsMax;
    std::chrono::milliseconds requestDeadline{base::kRequestDeadline}; // from its first octet
    std::chrono::milliseconds idleTimeout{base::kIdleTimeout};
    std::chrono::milliseconds drain{base::kDrainOnStop};
};

/// Bounds that hold for every client are in base/limits.h. When all connections are taken the one
/// that has been idle longest makes room; when none is idle the new one is closed.
class Server
{
public:
    /// Binds and listens; nothing is accepted before run(). Invalid: address or TLS files cannot be
    /// used; Conflict: the port is taken.
    static base::Result<Server> listen(ServerOptions options, Handler handler);
    Server(Server&&) noexcept;
    ~Server();

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::string address() const; // HOST:PORT as bound

    /// Serves on this thread until stop is requested; then accepts no more, answers what is under
    /// way (at most options.drain) and returns. Call once. `pulse` beats with the sweep.
    void run(const std::stop_token& stop, base::Pulse* pulse = nullptr);

    /// Open connections; any thread.
    [[nodiscard]] std::size_t connections() const;

private:
    struct Core;
    explicit Server(std::unique_ptr<Core> core);
    std::unique_ptr<Core> m_core;
};

} // namespace http
