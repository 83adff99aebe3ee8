// Sends webhooks over several connections, as providers do: again after 503, never after 200.
#pragma once

#include "processor/base/secret.h"
#include "tests/demo/tally.h"
#include "tests/demo/traffic.h"

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

namespace demo {

struct SenderOptions
{
    std::string address; // HOST:PORT
    base::Secret secret;
    std::size_t connections = 8;
};

/// Starts at once; the messages and the tally must outlive it.
class Sender
{
public:
    Sender(SenderOptions options, const std::vector<Message>& messages, Tally& tally);

    /// How many messages have been taken up so far.
    [[nodiscard]] std::size_t taken() const { return m_next.load(); }
    /// Waits until each message has its final answer.
    void finish();

private:
    void work(const std::stop_token& stop);

    SenderOptions m_options;
    const std::vector<Message>& m_messages;
    Tally& m_tally;
    std::atomic<std::size_t> m_next{0};
    std::vector<std::jthread> m_threads;
};

} // namespace demo
