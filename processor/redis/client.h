// One Redis connection (hiredis). Replies are plain values; a lost connection is Unavailable and
// the next command reconnects. Not shared between threads.
#pragma once

#include "processor/base/limits.h"
#include "processor/base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redis {

/// A reply as Redis sent it. Error replies become base::Error (code = first word; kind Unavailable
/// when time or an operator heals it: LOADING, READONLY, OOM, NOAUTH, …; otherwise Conflict) when
/// they are the whole reply; inside an array they stay values.
struct Reply
{
    enum class Type { Nil, Integer, Text, Error, Array };
    Type type = Type::Nil;
    std::int64_t integer = 0;
    std::string text = {};
    std::vector<Reply> items = {};
};

struct ClientOptions
{
    /// redis://[user:password@]host:port/db, rediss://… (TLS), unix://PATH[?db=N]
    std::string url;
    std::chrono::milliseconds connectTimeout = base::kRedisTimeout;
    std::chrono::milliseconds commandTimeout = base::kRedisTimeout;
};

/// When a connection does not come about, or dies before it has served, the next attempt is made
/// kRedisReconnectPause after it at the earliest: until then commands fail at once, so that a loop
/// without Redis does not hammer it.
/// The first Client of a process sets SIGPIPE to ignored unless somebody handles it, because
/// hiredis writes to sockets whose other end may be gone.
class Client
{
public:
    /// Connects with the first command. A URL that cannot be used is told by every command.
    explicit Client(ClientOptions options);
    Client(Client&&) noexcept;
    ~Client();

    /// One command, binary-safe arguments. Connects first when there is no connection.
    base::Result<Reply> run(const std::vector<std::string_view>& arguments);
    /// As run(), but the server may block for up to `block` (more than 0, as the command says)
    /// beyond the command time-out.
    base::Result<Reply> runBlocking(
        const std::vector<std::string_view>& arguments, std::chrono::milliseconds block);
    /// EVALSHA, loading the script on NOSCRIPT.
    base::Result<Reply> runScript(std::string_view script, const std::vector<std::string>& keys,
        const std::vector<std::string>& arguments);
    /// Many commands in one round trip; one reply each, errors stay values.
    base::Result<std::vector<Reply>> runPipeline(
        const std::vector<std::vector<std::string>>& commands);

    /// True when the last command left a connection; it may have died since.
    [[nodiscard]] bool isConnected() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace redis
