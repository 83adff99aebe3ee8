// Every size and bound of the processor in one place, their relations checked by the compiler.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace base {

// HTTP. A body of kBodyMax is far above any honest webhook; the header limit is Beast's.
inline constexpr std::size_t kBodyMax = 65'536;
inline constexpr std::size_t kHeaderMax = 8'192;
inline constexpr std::chrono::seconds kRequestDeadline{5};
inline constexpr std::chrono::seconds kIdleTimeout{60}; // of a kept connection between requests
inline constexpr std::chrono::seconds kWriteDeadline{10}; // for a client that does not read
inline constexpr std::size_t kConnectionsMax = 4'096;
inline constexpr std::size_t kPipelinedMax = 16; // requests of one connection under way
inline constexpr std::size_t kLingerMax = 1'048'576; // dropped after a refusal, so that it arrives
inline constexpr std::chrono::seconds kLingerTime{1};
inline constexpr std::size_t kTraceIdMax = 128;
inline constexpr std::size_t kIdMax = 200; // event, merchant and original event ids, in characters

// Intake: one transaction at a time per process gathers what came in while the last one ran.
inline constexpr std::size_t kIntakeQueueMax = 4'096;
inline constexpr std::size_t kIntakeGatherMax = 500;
inline constexpr std::size_t kIntakeGatherBytesMax = 1'048'576;
inline constexpr std::size_t kIntakeQueueBytesMax = 67'108'864;
inline constexpr std::chrono::milliseconds kIntakePatience{3'000}; // to try one gathering again
inline constexpr std::chrono::seconds kIntakeRetryAfter{2}; // told to whoever gets a 503
inline constexpr std::size_t kIntakeUsersCached = 262'144; // users seen to exist
inline constexpr std::chrono::seconds kAssetsFresh{5};
inline constexpr std::size_t kTxPositionMax = 32;
inline constexpr std::size_t kConflictsNamedMax = 20; // latest event ids of a source's alert
inline constexpr std::size_t kRefusedSamplesMax = 10; // a minute
inline constexpr std::size_t kRefusedBodyMax = 1'024;
inline constexpr std::size_t kRateLimitBatchMax = 256;
inline constexpr std::chrono::milliseconds kRateLimitTimeout{100}; // or without Redis
inline constexpr std::size_t kRateLimitAddressesMax = 100'000; // remembered without Redis

// Settlement. Reads of one batch must stay under kPipelineReadMax, or a half-read pipeline of a
// frozen worker would keep the server busy writing and no timer of its would run.
inline constexpr int kLanes = 64;
inline constexpr std::size_t kSettleBatchMax = 500;
inline constexpr std::size_t kPipelineReadMax = 131'072;
inline constexpr std::size_t kEnqueueBatchMax = 500;
inline constexpr std::chrono::milliseconds kStatementTimeout{5'000};
inline constexpr std::chrono::milliseconds kLockTimeout{2'000};

// Relay and stream readers.
inline constexpr std::size_t kRelayBatchMax = 500;
inline constexpr std::size_t kStreamReadMax = 500;
inline constexpr std::chrono::milliseconds kStreamBlock{5'000};
inline constexpr std::chrono::seconds kStreamIdleClaim{60};
inline constexpr std::chrono::milliseconds kRelayPause{2}; // under load: no sooner after a read
inline constexpr std::int64_t kStreamEntriesMax = 5'000'000;

// Retries: uniform(0, min(60 s, 2^n s)), n = 1…5.
inline constexpr int kRetriesMax = 5;
inline constexpr int kAttemptsMax = 6;

// Connections.
inline constexpr std::size_t kPoolMin = 2;
inline constexpr std::size_t kPoolMax = 10;
inline constexpr std::chrono::milliseconds kRedisTimeout{2'000};
inline constexpr std::chrono::milliseconds kRedisReconnectPause{200};

// Dead letters.
inline constexpr std::size_t kDrainBatchMax = 500;
inline constexpr int kDrainFailuresMax = 10;
inline constexpr std::chrono::seconds kDrainTimeMax{30}; // a run; the next one is a minute away
inline constexpr std::size_t kRefusedLettersMax = 10'000; // remembered, so that each is copied once
inline constexpr std::size_t kLettersListMax = 1'000;

// Jobs.
inline constexpr std::chrono::seconds kJobLease{60}; // renewed by each transaction of the job
inline constexpr std::chrono::milliseconds kJobPoll{1'000};
inline constexpr std::size_t kRecoveryBatchMax = 50;
inline constexpr std::int64_t kRecoveryRecent = 50'000; // newest events looked at in each run
inline constexpr std::int64_t kRecoveryWalk = 10'000; // and older ones, in turn

// Backpressure: a commit slower than the limit closes intake for a moment, then for longer.
inline constexpr std::chrono::milliseconds kGateHoldFirst{1'000};
inline constexpr std::chrono::milliseconds kGateHoldMost{15'000};
inline constexpr std::chrono::milliseconds kBacklogSample{1'000};

// Alerts.
inline constexpr std::size_t kAlertKeysMax = 1'000;
inline constexpr std::size_t kAlertQueueMax = 1'000;
inline constexpr std::chrono::seconds kAlertCooldown{300};

// Service loops.
inline constexpr std::chrono::seconds kHeartbeat{5};
inline constexpr std::chrono::seconds kStuckTransaction{10};
inline constexpr std::chrono::seconds kStuckCheck{3};
inline constexpr std::chrono::seconds kConsumerDead{60}; // without a heartbeat, silent in Redis
inline constexpr std::chrono::seconds kLanesFreeWithin{15};
inline constexpr std::chrono::seconds kDrainOnStop{10};

static_assert(kIntakeGatherMax <= kIntakeQueueMax);
static_assert(kBodyMax <= kIntakeGatherBytesMax, "one request must always fit a gathering");
static_assert(kIntakeGatherBytesMax <= kIntakeQueueBytesMax);
static_assert(kIntakePatience < kRequestDeadline, "a sender hears 503 before it gives up");
static_assert(kHeaderMax <= kBodyMax);
static_assert(kRelayBatchMax <= kSettleBatchMax);
static_assert(kStreamReadMax <= kSettleBatchMax);
static_assert(
    kSettleBatchMax * 250 <= kPipelineReadMax, "250 octets of one event and its account are read");
static_assert((kLanes & (kLanes - 1)) == 0, "lane = user_id mod kLanes stays cheap and even");
static_assert(kAttemptsMax == kRetriesMax + 1);
static_assert(kLockTimeout < kStatementTimeout, "a lock wait ends before its statement does");
static_assert(kStuckTransaction + kStuckCheck < kLanesFreeWithin);
static_assert(kPoolMin <= kPoolMax);
static_assert(kRedisTimeout < kStreamBlock, "blocking reads need their own, longer time-out");
static_assert(kAlertQueueMax <= kAlertKeysMax);

} // namespace base
