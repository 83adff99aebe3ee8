// Committer: makes gatherings durable, one transaction at a time, and answers whoever waits.
#pragma once

#include "processor/base/alert.h"
#include "processor/base/result.h"
#include "processor/ingest/batch.h"
#include "processor/ingest/conflict_alerts.h"
#include "processor/ingest/counters.h"
#include "processor/ingest/gate.h"
#include "processor/ingest/reference.h"
#include "processor/ingest/refused_samples.h"
#include "processor/store/own_connection.h"
#include "processor/store/payment_log.h"

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ingest {

struct CommitterOptions
{
    pg::ConnectOptions database;
    std::set<std::string> chainsWithEndpoint = {}; // CAIP-2
    std::function<void()> onWork = {}; // after a commit that made work for the settlers
    Gate* gate = nullptr; // is told how long transactions take
};

/// No answer leaves before its transaction has committed. A commit whose answer was lost is looked
/// up by running the gathering again: a key that carries the very number we gave it is ours. What
/// the database cannot take now is answered 503, what it will never take is quarantined. One
/// thread.
class Committer
{
public:
    Committer(CommitterOptions options, store::PaymentLog& log, base::Alerter& alerter,
        Counters& counters);

    /// Returns when every delivery is answered; bounded by kIntakePatience and one round of
    /// time-outs.
    void commit(std::vector<Delivery> deliveries, std::span<const RefusedRow> samples,
        const std::stop_token& stop);

private:
    using Time = std::chrono::steady_clock::time_point;

    // An attempt whose commit stayed without answer: the numbers it had given, and its verdicts.
    struct Unanswered
    {
        KeyNumbers numbers;
        std::vector<std::pair<Verdict, std::optional<std::int64_t>>> verdicts;
    };
    using Known = std::unordered_map<std::size_t, KnownEvent>;

    void commitPart(std::span<Item> items, std::span<const RefusedRow> samples, Time giveUp,
        const std::stop_token& stop);
    base::Status tryUntil(std::span<Item> items, std::span<const RefusedRow> samples, Time giveUp,
        const std::stop_token& stop);
    base::Status attempt(std::span<Item> items, std::span<const RefusedRow> samples,
        std::optional<Unanswered>& unanswered);
    base::Status prepare(pg::Connection& connection, std::span<Item> items);
    base::Status write(
        pg::Transaction& transaction, std::span<Item> items, std::span<const RefusedRow> samples);
    base::Status proveCommitted(
        pg::Transaction& transaction, std::span<Item> items, const Unanswered& unanswered);
    void answerAll(std::span<Item> items);
    void refuseAll(std::span<Item> items, const base::Error& error);
    void tellPeople(const Item& item);

    store::OwnConnection m_database;
    const std::set<std::string> m_chainsWithEndpoint;
    const std::function<void()> m_onWork;
    Gate* const m_gate;
    store::PaymentLog& m_log;
    base::Alerter& m_alerter;
    ConflictAlerts m_conflicts{m_alerter};
    Counters& m_counters;
    Reference m_reference;
    bool m_isAway = false; // the last gathering found no database: the next does not wait for it
};

} // namespace ingest
