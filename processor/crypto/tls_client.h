// A TLS session of a client, for libraries that speak TLS but do not check names.
#pragma once

#include "processor/base/result.h"

#include <memory>
#include <string>

struct ssl_st; // OpenSSL's SSL

namespace crypto {

struct FreeTlsSession
{
    void operator()(ssl_st* raw) const noexcept;
};
using TlsSession = std::unique_ptr<ssl_st, FreeTlsSession>;

/// A session not yet connected, TLS 1.2 or later: the server must prove itself by the system's
/// roots (or $SSL_CERT_FILE, $SSL_CERT_DIR) and by a certificate for `host`, a name or an address.
[[nodiscard]] base::Result<TlsSession> newTlsClientSession(const std::string& host);

} // namespace crypto
