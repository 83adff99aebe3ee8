#include "tests/support/webhook.h"

#include "processor/base/hex.h"
#include "processor/base/json_writer.h"
#include "tests/support/json_text.h"

namespace support {

std::string bodyOf(const Payment& payment)
{
    base::JsonWriter json;
    json.beginObject()
        .field("event_id", payment.eventId)
        .field("event_type", payment.eventType)
        .field("user_id", payment.userId)
        .field("amount", payment.amount);
    for (const auto& [name, value] : payment.more) json.field(name, value);
    return json.endObject().take();
}

WebhookSender::WebhookSender(std::string address, const base::Secret& secret, std::string target)
    : m_client{std::move(address)}
    , m_key{secret}
    , m_target{std::move(target)}
{}

base::Result<WebhookAnswer> WebhookSender::send(const Payment& payment, const HttpHeaders& more)
{
    return sendBody(bodyOf(payment), more);
}

base::Result<WebhookAnswer> WebhookSender::sendBody(std::string_view body, const HttpHeaders& more)
{
    HttpHeaders headers{
        {"Content-Type", "application/json"}, {"X-Alchemy-Signature", signatureOf(body)}};
    headers.insert(headers.end(), more.begin(), more.end());
    return sendUnsigned(body, headers);
}

base::Result<WebhookAnswer> WebhookSender::sendUnsigned(
    std::string_view body, const HttpHeaders& headers)
{
    const auto response = m_client.post(m_target, headers, body);
    if (!response) return response.error();
    const auto status = textMember(response->body, "status");
    return WebhookAnswer{.status = response->status,
        .word = status.empty() ? textMember(response->body, "error") : status,
        .detail = textMember(response->body, "detail"),
        .traceId = textMember(response->body, "trace_id"),
        .retryAfter = response->header("retry-after")};
}

std::string WebhookSender::signatureOf(std::string_view body) const
{
    return base::toHex(m_key.sign(body));
}

} // namespace support
