#include "processor/crypto/tls_client.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace crypto {

namespace {

struct FreeTlsContext
{
    void operator()(SSL_CTX* raw) const noexcept { SSL_CTX_free(raw); }
};

bool requireName(SSL* session, const std::string& host)
{
    // An address is matched against the certificate's addresses, never against its names.
    X509_VERIFY_PARAM* const rules = SSL_get0_param(session);
    if (X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1) {
        return true;
    }
    return SSL_set1_host(session, host.c_str()) == 1
        && SSL_set_tlsext_host_name(session, host.c_str()) == 1;
}

} // namespace

void FreeTlsSession::operator()(ssl_st* raw) const noexcept
{
    SSL_free(raw);
}

base::Result<TlsSession> newTlsClientSession(const std::string& host)
{
    const base::Error failed{base::ErrorKind::Unavailable, "OpenSSL cannot set up a TLS session"};
    if (host.empty()) {
        return base::Error{base::ErrorKind::Invalid, "TLS needs the name of the server"};
    }
    const std::unique_ptr<SSL_CTX, FreeTlsContext> context{SSL_CTX_new(TLS_client_method())};
    if (context == nullptr || SSL_CTX_set_default_verify_paths(context.get()) != 1
        || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1) {
        return failed;
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    TlsSession session{SSL_new(context.get())}; // holds its own reference to the context
    if (session == nullptr || !requireName(session.get(), host)) {
        return failed;
    }
    return session;
}

} // namespace crypto
