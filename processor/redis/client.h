// One Redis connection (hiredis). Replies are plain values; a lost connection is Unavailable and
// the next command reconnects. Not shared between threads.
#pragma once

#include "processor/base/result.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace redis {

/// A reply as Redis sent it. Error replies become base::Error (kind Conflict, code = first word)
/// when they are the whole reply; inside an array they stay values.
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
    std::string url; // redis://[user:password@]host:port/db, rediss://…, unix://PATH
    std::chrono::milliseconds connectTimeout{2000};
    std::chrono::milliseconds commandTimeout{2000};
};

class Client
{
public:
    explicit Client(ClientOptions options);
    Client(Client&&) noexcept;
    ~Client();

    /// One command, binary-safe arguments. Connects first when there is no connection.
    base::Result<Reply> run(const std::vector<std::string_view>& arguments);
    /// As run(), but the server may block for up to `block` beyond the command time-out.
    base::Result<Reply> runBlocking(
        const std::vector<std::string_view>& arguments, std::chrono::milliseconds block);
    /// EVALSHA, loading the script on NOSCRIPT.
    base::Result<Reply> runScript(std::string_view script, const std::vector<std::string>& keys,
        const std::vector<std::string>& arguments);
    /// Many commands in one round trip; one reply each, errors stay values.
    base::Result<std::vector<Reply>> runPipeline(
        const std::vector<std::vector<std::string>>& commands);

    [[nodiscard]] bool isConnected() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace redis
