// Router: which handler a path and method belong to; everything else is refused.
#pragma once

#include "processor/http/responder.h"

#include <string>
#include <string_view>
#include <vector>

namespace http {

/// A path that no route has is 404 `not_found`; one with another method is 405
/// `method_not_allowed` with Allow. GET routes answer HEAD as well.
class Router
{
public:
    /// `path` is exact, or ends with `/*`: then anything non-empty without a slash follows, and
    /// the handler finds it at the end of Request::path().
    Router& add(std::string method, std::string path, Handler handler);

    void operator()(Request request, Responder responder) const;

private:
    struct Route
    {
        std::string method;
        std::string path;
        Handler handler;
    };
    [[nodiscard]] static bool fits(const Route& route, std::string_view path);

    std::vector<Route> m_routes;
};

} // namespace http
