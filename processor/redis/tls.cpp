#include "processor/redis/tls.h"

#ifdef HAVE_HIREDIS_SSL

#include "processor/crypto/tls_client.h"

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>

namespace redis {

bool canUseTls()
{
    return true;
}

base::Status startTls(redisContext* context, const std::string& host)
{
    auto session = crypto::newTlsClientSession(host);
    if (!session) {
        return session.error();
    }
    // hiredis' own TLS contexts check the chain but not the name, so the session is made by us.
    if (redisInitiateSSL(context, session->get()) != REDIS_OK) {
        return base::Error{
            base::ErrorKind::Unavailable, std::string{"TLS to Redis failed: "} + context->errstr};
    }
    session->release(); // freed with the connection from here on
    return base::Done{};
}

} // namespace redis

#else

namespace redis {

bool canUseTls()
{
    return false;
}

base::Status startTls(redisContext*, const std::string&)
{
    return base::Error{base::ErrorKind::Invalid, "TLS to Redis needs hiredis 1.0"};
}

} // namespace redis

#endif
