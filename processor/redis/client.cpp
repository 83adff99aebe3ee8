#include "processor/redis/client.h"

#include "processor/base/check.h"
#include "processor/redis/endpoint.h"
#include "processor/redis/reply_errors.h"
#include "processor/redis/tls.h"

#include <hiredis/hiredis.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <poll.h>
#include <utility>

namespace redis {

namespace {

using Clock = std::chrono::steady_clock;

struct FreeContext
{
    void operator()(redisContext* raw) const noexcept { redisFree(raw); }
};

struct FreeReply
{
    void operator()(redisReply* raw) const noexcept { freeReplyObject(raw); }
};
using RawReply = std::unique_ptr<redisReply, FreeReply>;

timeval toTimeval(std::chrono::milliseconds duration)
{
    return {.tv_sec = duration.count() / 1000, .tv_usec = duration.count() % 1000 * 1000};
}

void ignoreBrokenPipes()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction current = {};
        if (sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) {
            std::signal(SIGPIPE, SIG_IGN);
        }
    });
}

Reply toReply(const redisReply& raw)
{
    Reply reply;
    switch (raw.type) {
    case REDIS_REPLY_NIL:
        break;
    case REDIS_REPLY_INTEGER:
        reply.type = Reply::Type::Integer;
        reply.integer = raw.integer;
        break;
    case REDIS_REPLY_ARRAY:
        reply.type = Reply::Type::Array;
        reply.items.reserve(raw.elements);
        for (std::size_t i = 0; i < raw.elements; ++i) {
            reply.items.push_back(toReply(*raw.element[i]));
        }
        break;
    default: // an int of hiredis, and what RESP2 has besides is text
        reply.type = raw.type == REDIS_REPLY_ERROR ? Reply::Type::Error : Reply::Type::Text;
        reply.text.assign(raw.str, static_cast<std::size_t>(raw.len));
        break;
    }
    return reply;
}

/// hiredis' form of a command; views into the arguments, which must live on.
struct CommandArguments
{
    template <class Texts>
    explicit CommandArguments(const Texts& texts)
    {
        CHECK(!texts.empty());
        data.reserve(texts.size());
        sizes.reserve(texts.size());
        for (const auto& text : texts) {
            data.push_back(text.data());
            sizes.push_back(text.size());
        }
    }

    std::vector<const char*> data;
    std::vector<std::size_t> sizes;
};

} // namespace

struct Client::State
{
    explicit State(ClientOptions given)
        : options{std::move(given)}
        , endpoint{parseEndpoint(options.url)}
    {}

    base::Status ensureConnected();
    base::Status connect();
    base::Status logIn();
    base::Status setTimeout(std::chrono::milliseconds timeout);
    [[nodiscard]] bool isStale() const;

    base::Status send(const CommandArguments& command);
    base::Result<Reply> receive();
    base::Result<Reply> exchange(
        const CommandArguments& command, std::chrono::milliseconds timeout);
    base::Result<Reply> finish(Reply reply);
    base::Result<std::string> load(std::string_view script);

    base::Error lose(const std::string& why);
    [[nodiscard]] std::string place() const { return "Redis at " + nameOf(*endpoint); }

    const ClientOptions options;
    const base::Result<Endpoint> endpoint;
    std::unique_ptr<redisContext, FreeContext> context;
    std::chrono::milliseconds socketTimeout{0};
    bool hasAnswered = false; // this connection has served a command
    Clock::time_point attemptAt{}; // the last one
    Clock::time_point retryAt{}; // no connection attempt before
    std::string lastFailure;
    std::map<std::string, std::string, std::less<>> scriptHashes;
};

/// Gives the connection up and says why. One that never served is a failed attempt to connect.
base::Error Client::State::lose(const std::string& why)
{
    context.reset();
    lastFailure = why;
    if (!hasAnswered) {
        retryAt = attemptAt + base::kRedisReconnectPause;
    }
    return {base::ErrorKind::Unavailable, place() + ": " + why};
}

// An idle connection on which something can be read has been closed by the server. Seen before a
// command is sent, it costs nobody an error; after that it is unknown what the server has done.
// (Not so with TLS, where session tickets arrive unasked.)
bool Client::State::isStale() const
{
    if (endpoint->isTls) {
        return false;
    }
    pollfd probe{.fd = context->fd, .events = POLLIN, .revents = 0};
    return poll(&probe, 1, 0) != 0;
}

base::Status Client::State::ensureConnected()
{
    if (!endpoint) {
        return endpoint.error();
    }
    if (endpoint->isTls && !canUseTls()) {
        return startTls(nullptr, {}); // says why not, before anything is sent in clear
    }
    if (context != nullptr && !isStale()) {
        return base::Done{};
    }
    context.reset();
    if (Clock::now() < retryAt) {
        return base::Error{base::ErrorKind::Unavailable, place() + ": " + lastFailure};
    }
    hasAnswered = false;
    attemptAt = Clock::now();
    if (auto connected = connect(); !connected) {
        return connected;
    }
    return logIn();
}

base::Status Client::State::connect()
{
    const timeval limit = toTimeval(options.connectTimeout);
    context.reset(endpoint->socketPath.empty()
            ? redisConnectWithTimeout(endpoint->host.c_str(), endpoint->port, limit)
            : redisConnectUnixWithTimeout(endpoint->socketPath.c_str(), limit));
    if (context == nullptr) {
        return lose("out of memory");
    }
    if (context->err != 0) {
        return lose(std::string{context->errstr});
    }
    fcntl(context->fd, F_SETFD, FD_CLOEXEC); // programs we start must not keep it open
    socketTimeout = {};
    if (auto set = setTimeout(options.commandTimeout); !set) {
        return set;
    }
    if (!endpoint->socketPath.empty()) {
        return base::Done{};
    }
    redisEnableKeepAlive(context.get());
    if (endpoint->isTls) {
        if (const auto secured = startTls(context.get(), endpoint->host); !secured) {
            const base::ErrorKind kind = secured.error().kind;
            return base::Error{kind, lose(secured.error().message).message};
        }
    }
    return base::Done{};
}

base::Status Client::State::logIn()
{
    std::vector<std::vector<std::string>> commands;
    if (!endpoint->password.empty()) {
        commands.push_back({"AUTH"});
        if (!endpoint->user.empty()) {
            commands.back().push_back(endpoint->user);
        }
        commands.back().push_back(endpoint->password.reveal());
    }
    if (endpoint->database != 0) {
        commands.push_back({"SELECT", std::to_string(endpoint->database)});
    }
    for (const auto& command : commands) {
        const auto answer = exchange(CommandArguments{command}, options.commandTimeout);
        if (!answer) {
            hasAnswered = false; // a refused login counts as no connection
            base::Error refusal = lose(command.front() + " failed: " + answer.error().message);
            refusal.code = answer.error().code;
            return refusal;
        }
    }
    hasAnswered = false; // decided by the first real command
    return base::Done{};
}

base::Status Client::State::setTimeout(std::chrono::milliseconds timeout)
{
    if (timeout != socketTimeout) {
        if (redisSetTimeout(context.get(), toTimeval(timeout)) != REDIS_OK) {
            return lose(std::string{context->errstr});
        }
        socketTimeout = timeout;
    }
    return base::Done{};
}

base::Status Client::State::send(const CommandArguments& command)
{
    auto* const texts = const_cast<const char**>(command.data.data()); // hiredis 0.14 is not const
    if (redisAppendCommandArgv(
            context.get(), static_cast<int>(command.data.size()), texts, command.sizes.data())
        != REDIS_OK) {
        return lose(std::string{context->errstr});
    }
    return base::Done{};
}

base::Result<Reply> Client::State::receive()
{
    void* raw = nullptr;
    if (redisGetReply(context.get(), &raw) != REDIS_OK || raw == nullptr) {
        const bool isTimeout = context->err == REDIS_ERR_IO && errno == EAGAIN;
        return lose(isTimeout ? "no answer in time" : std::string{context->errstr});
    }
    const RawReply owned{static_cast<redisReply*>(raw)};
    hasAnswered = true;
    return toReply(*owned);
}

/// An error reply that is the whole answer becomes an Error.
base::Result<Reply> Client::State::finish(Reply reply)
{
    if (reply.type != Reply::Type::Error) {
        return reply;
    }
    base::Error error = errorOfReply(reply.text);
    if (needsNewConnection(error)) {
        context.reset();
    }
    return error;
}

base::Result<Reply> Client::State::exchange(
    const CommandArguments& command, std::chrono::milliseconds timeout)
{
    if (const auto set = setTimeout(timeout); !set) {
        return set.error();
    }
    if (const auto sent = send(command); !sent) {
        return sent.error();
    }
    auto reply = receive();
    return reply ? finish(std::move(*reply)) : reply;
}

base::Result<std::string> Client::State::load(std::string_view script)
{
    const std::vector<std::string_view> command{"SCRIPT", "LOAD", script};
    const auto loaded = exchange(CommandArguments{command}, options.commandTimeout);
    if (!loaded) {
        return loaded.error();
    }
    scriptHashes.insert_or_assign(std::string{script}, loaded->text);
    return loaded->text;
}

Client::Client(ClientOptions options) : m_state{std::make_unique<State>(std::move(options))}
{
    ignoreBrokenPipes();
}

Client::Client(Client&&) noexcept = default;
Client::~Client() = default;

base::Result<Reply> Client::run(const std::vector<std::string_view>& arguments)
{
    if (const auto ready = m_state->ensureConnected(); !ready) {
        return ready.error();
    }
    return m_state->exchange(CommandArguments{arguments}, m_state->options.commandTimeout);
}

base::Result<Reply> Client::runBlocking(
    const std::vector<std::string_view>& arguments, std::chrono::milliseconds block)
{
    CHECK(block.count() > 0); // 0 is for ever to Redis
    if (const auto ready = m_state->ensureConnected(); !ready) {
        return ready.error();
    }
    return m_state->exchange(CommandArguments{arguments}, block + m_state->options.commandTimeout);
}

base::Result<Reply> Client::runScript(std::string_view script, const std::vector<std::string>& keys,
    const std::vector<std::string>& arguments)
{
    State& state = *m_state;
    if (const auto ready = state.ensureConnected(); !ready) {
        return ready.error();
    }
    const auto known = state.scriptHashes.find(script);
    auto hash = known != state.scriptHashes.end() ? base::Result<std::string>{known->second}
                                                  : state.load(script);
    if (!hash) {
        return hash.error();
    }
    const std::string keyCount = std::to_string(keys.size());
    std::vector<std::string_view> command{"EVALSHA", *hash, keyCount};
    command.insert(command.end(), keys.begin(), keys.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto answer = state.exchange(CommandArguments{command}, state.options.commandTimeout);
    if (!answer && answer.error().code == "NOSCRIPT") {
        // Another server, or its cache was flushed: the script has not run. EVAL also loads it.
        command[0] = "EVAL";
        command[1] = script;
        answer = state.exchange(CommandArguments{command}, state.options.commandTimeout);
    }
    return answer;
}

base::Result<std::vector<Reply>> Client::runPipeline(
    const std::vector<std::vector<std::string>>& commands)
{
    State& state = *m_state;
    std::vector<Reply> replies;
    if (commands.empty()) {
        return replies;
    }
    if (const auto ready = state.ensureConnected(); !ready) {
        return ready.error();
    }
    if (const auto set = state.setTimeout(state.options.commandTimeout); !set) {
        return set.error();
    }
    for (const auto& command : commands) {
        if (const auto sent = state.send(CommandArguments{command}); !sent) {
            return sent.error();
        }
    }
    replies.reserve(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
        auto reply = state.receive();
        if (!reply) {
            return reply.error();
        }
        replies.push_back(std::move(*reply));
    }
    return replies;
}

bool Client::isConnected() const
{
    return m_state->context != nullptr;
}

} // namespace redis
