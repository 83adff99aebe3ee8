#include "processor/http/responder.h"

#include "processor/base/check.h"

#include <utility>

namespace http {

Responder::Responder(std::shared_ptr<Outbox> outbox, std::uint64_t connection, std::uint64_t slot)
    : m_outbox{std::move(outbox)}
    , m_connection{connection}
    , m_slot{slot}
{}

Responder& Responder::operator=(Responder&& other) noexcept
{
    if (this != &other) {
        giveUp();
        m_outbox = std::move(other.m_outbox);
        m_connection = other.m_connection;
        m_slot = other.m_slot;
    }
    return *this;
}

Responder::~Responder()
{
    giveUp();
}

void Responder::send(Response response)
{
    CHECK(isOpen());
    std::exchange(m_outbox, nullptr)->answer(m_connection, m_slot, std::move(response));
}

void Responder::giveUp()
{
    if (isOpen()) std::exchange(m_outbox, nullptr)->answer(m_connection, m_slot, std::nullopt);
}

} // namespace http
