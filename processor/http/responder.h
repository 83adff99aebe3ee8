// Responder: the right to answer one request, once, from any thread.
#pragma once

#include "processor/http/message.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace http {

/// Where answers go. Implemented by the server, and by tests. Thread-safe.
class Outbox
{
public:
    virtual ~Outbox() = default;
    /// Without a response the request gets 503 `unavailable`.
    virtual void answer(
        std::uint64_t connection, std::uint64_t slot, std::optional<Response> response)
        = 0;
};

/// Move-only. One that is dropped unanswered answers 503, so no client waits for nobody. An answer
/// to a connection that is gone, or of a server that is gone, does nothing.
class Responder
{
public:
    Responder(std::shared_ptr<Outbox> outbox, std::uint64_t connection, std::uint64_t slot);
    Responder(Responder&&) noexcept = default;
    Responder& operator=(Responder&& other) noexcept;
    ~Responder();

    /// CHECKs that it is the first answer.
    void send(Response response);
    [[nodiscard]] bool isOpen() const { return m_outbox != nullptr; }

private:
    void giveUp();

    std::shared_ptr<Outbox> m_outbox;
    std::uint64_t m_connection;
    std::uint64_t m_slot;
};

/// Called on the server's thread; must not block. The answer may come later, from elsewhere.
using Handler = std::function<void(Request, Responder)>;

} // namespace http
