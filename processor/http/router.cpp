#include "processor/http/router.h"

#include "processor/http/refusal.h"

#include <utility>

namespace http {

Router& Router::add(std::string method, std::string path, Handler handler)
{
    m_routes.push_back({std::move(method), std::move(path), std::move(handler)});
    return *this;
}

bool Router::fits(const Route& route, std::string_view path)
{
    const std::string_view pattern = route.path;
    if (!pattern.ends_with("/*")) return path == pattern;
    const std::string_view front = pattern.substr(0, pattern.size() - 1);
    if (!path.starts_with(front)) return false;
    const std::string_view rest = path.substr(front.size());
    return !rest.empty() && rest.find('/') == std::string_view::npos;
}

void Router::operator()(Request request, Responder responder) const
{
    std::string allowed;
    for (const Route& route : m_routes) {
        if (!fits(route, request.path())) continue;
        const bool isHead = request.method == "HEAD" && route.method == "GET";
        if (route.method == request.method || isHead) {
            route.handler(std::move(request), std::move(responder));
            return;
        }
        if (allowed.find(route.method) == std::string::npos) {
            allowed += (allowed.empty() ? "" : ", ") + route.method;
        }
    }
    if (allowed.empty()) {
        responder.send(refusal(404, "not_found", "there is nothing at this path", request.traceId));
        return;
    }
    Response response = refusal(
        405, "method_not_allowed", "this path answers to " + allowed + " only", request.traceId);
    response.headers.push_back({"Allow", allowed});
    responder.send(std::move(response));
}

} // namespace http
