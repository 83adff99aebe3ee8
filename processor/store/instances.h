// Instances: this process's name and heartbeat, and who else is alive.
#pragma once

#include "processor/base/progress.h"
#include "processor/base/result.h"
#include "processor/pg/connection.h"
#include "processor/store/own_connection.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace store {

/// Names one start of one process on one boot of one host, so that it is never mistaken for an
/// earlier or a later one: a process number alone comes back.
struct InstanceIdentity
{
    std::string host;
    std::string bootId; // /proc/sys/kernel/random/boot_id
    std::string instance; // <host>:<first 8 of boot id>:<pid>:<start of the process in ticks>
};

/// Error: Corrupt when /proc cannot be read.
base::Result<InstanceIdentity> readInstanceIdentity();

/// When a process ("self" or its number) began, in ticks since the boot; NotFound when it is over.
base::Result<std::string> processStart(const std::string& process);

struct LiveInstances
{
    std::int64_t instances = 0;
    std::int64_t settlers = 0; // each mention of 'settle' in the roles of a live instance counts
};

/// Writes the heartbeat. `roles` may name 'settle' once for each settling thread.
base::Status beatInstance(pg::Connection& connection, const InstanceIdentity& identity,
    const std::vector<std::string>& roles, const std::string& version);

/// Who has beaten within the last 15 seconds.
base::Result<LiveInstances> liveInstances(pg::Connection& connection);

/// Names of those that have beaten within `patience`.
base::Result<std::set<std::string>> instancesHeardOf(
    pg::Connection& connection, std::chrono::seconds patience);

/// Takes those off the list that have been dead for a day; how many.
base::Result<std::int64_t> forgetInstances(pg::Connection& connection);

/// Takes this instance off the list (a clean end), and those that have been dead for a day.
base::Status leaveInstances(pg::Connection& connection, const InstanceIdentity& identity);

/// Beats every 5 seconds and remembers who else is alive. One thread runs it, any may ask.
class Heartbeat
{
public:
    Heartbeat(pg::ConnectOptions database, InstanceIdentity identity,
        std::vector<std::string> roles, std::string version);

    /// One beat and one look around.
    base::Status runOnce();
    /// Beats until stopped, then leaves the list.
    void run(const std::stop_token& stop, base::Pulse& pulse);

    /// As last seen; at least 1, so that it can divide.
    [[nodiscard]] int settlers() const { return m_settlers.load(); }
    /// As last seen, this one included; at least 1.
    [[nodiscard]] int instances() const { return m_instances.load(); }

private:
    OwnConnection m_database;
    const InstanceIdentity m_identity;
    const std::vector<std::string> m_roles;
    const std::string m_version;
    std::atomic<int> m_settlers{1};
    std::atomic<int> m_instances{1};
};

} // namespace store
