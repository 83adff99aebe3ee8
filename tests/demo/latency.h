// Latency: how long from sending a webhook to seeing its payment confirmed, at a calm rate.
#pragma once

#include "processor/base/secret.h"
#include "processor/pg/connection.h"
#include "tests/demo/tally.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace demo {

struct LatencyOptions
{
    std::string address; // HOST:PORT of the webhook listener
    base::Secret secret;
    std::string databaseUrl;
    std::string prefix; // of the event ids
    std::chrono::milliseconds every{20}; // 50 a second
    std::size_t count = 500;
};

struct Latency
{
    std::size_t measured = 0;
    std::chrono::microseconds p50{0};
    std::chrono::microseconds p99{0};
    std::chrono::microseconds worst{0};
};

/// From just before the POST is written until another connection sees payment.confirmed committed
/// in payment_log, which it asks every 2 ms: both on one clock, commits included.
base::Result<Latency> measureLatency(const LatencyOptions& options, Tally& tally);

} // namespace demo
