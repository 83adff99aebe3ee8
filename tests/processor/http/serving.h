// A server on a thread of its own, on any port, gone at the end of the scope.
#pragma once

#include "processor/http/refusal.h"
#include "processor/http/router.h"
#include "processor/http/server.h"
#include "tests/support/http_client.h"
#include "tests/support/require.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// Answers POST /echo with the body, and GET /hello with "hello".
inline http::Router echoRoutes()
{
    http::Router router;
    router.add("POST", "/echo", [](http::Request request, http::Responder responder) {
        responder.send({.status = 200, .body = request.body, .contentType = "text/plain"});
    });
    router.add("GET", "/hello", [](http::Request, http::Responder responder) {
        responder.send({.status = 200, .body = "hello", .contentType = "text/plain"});
    });
    return router;
}

class Serving
{
public:
    explicit Serving(http::Handler handler = echoRoutes(), http::ServerOptions options = {})
        : m_server{support::require(http::Server::listen(std::move(options), std::move(handler)))}
        , m_thread{[this](const std::stop_token& stop) { m_server.run(stop); }}
    {}

    [[nodiscard]] std::string address() const { return m_server.address(); }
    [[nodiscard]] http::Server& server() { return m_server; }
    void requestStop() { m_thread.request_stop(); }
    void join() { m_thread.join(); }
    [[nodiscard]] support::HttpClient connect() const
    {
        support::HttpClient client{m_server.address()};
        support::require(client.open());
        return client;
    }

private:
    http::Server m_server;
    std::jthread m_thread;
};

/// Keeps requests until the test answers them.
class Keeper
{
public:
    http::Handler handler()
    {
        return [this](http::Request request, http::Responder responder) {
            const std::scoped_lock lock{m_mutex};
            m_kept.emplace_back(std::move(request), std::move(responder));
            m_changed.notify_all();
        };
    }

    /// Waits until `count` requests are here; false after 10 s.
    [[nodiscard]] bool waitFor(std::size_t count)
    {
        std::unique_lock lock{m_mutex};
        return m_changed.wait_for(
            lock, std::chrono::seconds{10}, [&] { return m_kept.size() >= count; });
    }

    [[nodiscard]] std::size_t count()
    {
        const std::scoped_lock lock{m_mutex};
        return m_kept.size();
    }

    void answer(std::size_t index, std::string body)
    {
        const std::scoped_lock lock{m_mutex};
        m_kept.at(index).second.send({.status = 200, .body = std::move(body)});
    }

    void drop()
    {
        const std::scoped_lock lock{m_mutex};
        m_kept.clear();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<std::pair<http::Request, http::Responder>> m_kept;
};
