// Native webhooks: made, signed, sent, and their answers read.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"
#include "processor/crypto/hmac.h"
#include "tests/support/http_client.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace support {

/// The fields of a native body; `more` adds optional text fields, such as {"asset", "USDC"}.
struct Payment
{
    std::string eventId;
    std::string eventType = "deposit";
    std::int64_t userId = 1;
    std::string amount = "1";
    std::vector<std::pair<std::string, std::string>> more = {};
};

[[nodiscard]] std::string bodyOf(const Payment& payment);

struct WebhookAnswer
{
    int status = 0;
    std::string word; // "accepted", "duplicate", …, or the refusal's code
    std::string detail; // of a refusal
    std::string traceId;
    std::string retryAfter; // the header, or empty
};

/// One provider on one kept connection. Not shared between threads.
class WebhookSender
{
public:
    /// `address` is HOST:PORT; the secret is that of the source.
    WebhookSender(
        std::string address, const base::Secret& secret, std::string target = "/webhook/payments");

    base::Result<WebhookAnswer> send(const Payment& payment, const HttpHeaders& more = {});
    /// Signs any bytes as they are.
    base::Result<WebhookAnswer> sendBody(std::string_view body, const HttpHeaders& more = {});
    /// With exactly these headers and no signature of ours.
    base::Result<WebhookAnswer> sendUnsigned(
        std::string_view body, const HttpHeaders& headers = {});

    [[nodiscard]] std::string signatureOf(std::string_view body) const; // lower hex

private:
    HttpClient m_client;
    crypto::HmacSha256 m_key;
    std::string m_target;
};

} // namespace support
