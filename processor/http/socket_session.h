// Sessions over TCP, plain and with TLS. Included by server.cpp alone, for it brings Asio.
#pragma once

#include "processor/http/session.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <memory>

namespace http {

std::shared_ptr<Session> makePlainSession(SessionContext& context, std::uint64_t id,
    std::string remote, boost::asio::ip::tcp::socket socket);

std::shared_ptr<Session> makeTlsSession(SessionContext& context, std::uint64_t id,
    std::string remote, boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& tls);

} // namespace http
