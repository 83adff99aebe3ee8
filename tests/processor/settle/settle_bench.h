// SettleBench: a database, events put into it as intake would, and settlers that work on them.
#pragma once

#include "processor/settle/settler.h"
#include "tests/support/stack.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

struct Given
{
    std::string id;
    std::string type = "deposit";
    std::int64_t user = 1;
    std::string amount = "10";
    std::string asset = "ETH";
    std::optional<std::string> merchant = {};
    std::optional<std::string> original = {};
    std::optional<std::string> txHash = {};
    std::optional<std::string> txPosition = {}; // as PostgreSQL writes an array: {3}
};

/// One test's. All settlers made here share its log, alerts and metrics, as in one process.
class SettleBench
{
public:
    explicit SettleBench(support::TestStack& stack);

    support::Database& database() { return m_database; }

    /// Writes the event's rows as intake does and returns its number. It stands in the queue then.
    std::int64_t put(const Given& given);
    /// Many deposits `prefix-1` … of 1 each, over users 1…users.
    void putDeposits(const std::string& prefix, int count, int users);

    /// What a settler of this bench uses; the caller may change it before making one.
    settle::SettlerParts parts();
    std::unique_ptr<settle::Settler> settler();
    /// Runs it until a call makes no progress; returns the sum of what it did.
    settle::Report settleAll(settle::Settler& settler);
    settle::Report settleAll();

    /// "confirmed", "failed insufficient_funds", "enqueued", "pending", …
    std::string state(std::int64_t no);
    std::int64_t count(const std::string& table, const std::string& where = "true");
    /// Every settlement of this event id fails with 23514.
    void refuse(const std::string& id);
    /// What dispatch does with a wait, but at once.
    void makeDue(std::int64_t no);
    /// Everything the design promises of the rows of settled events; empty when it holds.
    std::string complaints();

    std::vector<std::string> alertKeys();
    std::vector<std::int64_t> settledNumbers();
    base::Wakeup wakeup;

private:
    support::Database m_database;
    store::PaymentLog m_log{"test"};
    base::Alerter m_alerter;
    base::Metrics m_metrics;
    std::mutex m_mutex; // guards the next two
    std::vector<std::string> m_alertKeys;
    std::vector<std::int64_t> m_settled;
};
