#include "processor/store/instances.h"

#include "processor/base/limits.h"
#include "processor/base/log.h"
#include "processor/base/wakeup.h"
#include "sql/instances.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <unistd.h>
#include <utility>

namespace store {
namespace {

// proc(5): after the program's name, which stands in brackets and may hold anything, the start time
// is the 20th value.
constexpr int kStartTimeAfterName = 20;

int boundedCount(std::int64_t count)
{
    return static_cast<int>(std::clamp<std::int64_t>(count, 1, base::kLanes));
}

} // namespace

base::Result<std::string> processStart(const std::string& process)
{
    const std::string path = "/proc/" + process + "/stat";
    std::ifstream file{path};
    std::string text;
    std::getline(file, text);
    const auto nameEnd = text.rfind(')');
    if (nameEnd == std::string::npos || text.substr(nameEnd, 3) == ") Z") {
        return base::Error{base::ErrorKind::NotFound, path + " is not there"};
    }
    std::size_t from = nameEnd + 1;
    for (int value = 1; value < kStartTimeAfterName && from != std::string::npos; ++value) {
        from = text.find(' ', from + 1);
    }
    if (from == std::string::npos) {
        return base::Error{base::ErrorKind::Corrupt, path + " is too short"};
    }
    const auto to = text.find(' ', from + 1);
    return text.substr(from + 1, to == std::string::npos ? to : to - from - 1);
}

base::Result<InstanceIdentity> readInstanceIdentity()
{
    InstanceIdentity identity;
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0) {
        return base::Error{base::ErrorKind::Corrupt, "the host has no name"};
    }
    identity.host = host.data();
    std::ifstream boot{"/proc/sys/kernel/random/boot_id"};
    if (!std::getline(boot, identity.bootId) || identity.bootId.size() < 8) {
        return base::Error{base::ErrorKind::Corrupt, "the boot id cannot be read"};
    }
    const auto start = processStart("self");
    if (!start) {
        return start.error();
    }
    identity.instance = identity.host + ":" + identity.bootId.substr(0, 8) + ":"
        + std::to_string(getpid()) + ":" + *start;
    return identity;
}

base::Status beatInstance(pg::Connection& connection, const InstanceIdentity& identity,
    const std::vector<std::string>& roles, const std::string& version)
{
    pg::Params params;
    params.text(identity.instance)
        .text(identity.host)
        .text(identity.bootId)
        .textArray(roles)
        .text(version);
    if (auto beaten = connection.run(sql::kInstanceBeat, params); !beaten) {
        return beaten.error();
    }
    return base::Done{};
}

base::Result<LiveInstances> liveInstances(pg::Connection& connection)
{
    const auto rows = connection.run(sql::kInstanceLive);
    if (!rows) {
        return rows.error();
    }
    CHECK(rows->size() == 1);
    return LiveInstances{rows->bigint(0, 0), rows->bigint(0, 1)};
}

base::Result<std::set<std::string>> instancesHeardOf(
    pg::Connection& connection, std::chrono::seconds patience)
{
    const auto rows = connection.run(
        sql::kInstanceHeardOf, pg::Params{}.bigint(std::int64_t{patience.count()}));
    if (!rows) {
        return rows.error();
    }
    std::set<std::string> names;
    for (int row = 0; row < rows->size(); ++row) {
        names.emplace(rows->text(row, 0));
    }
    return names;
}

base::Result<std::int64_t> forgetInstances(pg::Connection& connection)
{
    const auto forgotten = connection.run(sql::kInstanceForget);
    if (!forgotten) {
        return forgotten.error();
    }
    return forgotten->affected();
}

base::Status leaveInstances(pg::Connection& connection, const InstanceIdentity& identity)
{
    pg::Params params;
    params.text(identity.instance);
    if (auto left = connection.run(sql::kInstanceLeave, params); !left) {
        return left.error();
    }
    if (auto forgotten = forgetInstances(connection); !forgotten) {
        return forgotten.error();
    }
    return base::Done{};
}

Heartbeat::Heartbeat(pg::ConnectOptions database, InstanceIdentity identity,
    std::vector<std::string> roles, std::string version)
    : m_database{std::move(database)}
    , m_identity{std::move(identity)}
    , m_roles{std::move(roles)}
    , m_version{std::move(version)}
{}

base::Status Heartbeat::runOnce()
{
    const auto connection = m_database.get();
    if (!connection) {
        return connection.error();
    }
    if (auto beaten = beatInstance(**connection, m_identity, m_roles, m_version); !beaten) {
        return beaten;
    }
    const auto live = liveInstances(**connection);
    if (!live) {
        return live.error();
    }
    m_instances.store(boundedCount(live->instances));
    m_settlers.store(boundedCount(live->settlers));
    return base::Done{};
}

void Heartbeat::run(const std::stop_token& stop, base::Pulse& pulse)
{
    base::Wakeup never; // a plain wait that ends with the stop
    while (!stop.stop_requested()) {
        pulse.beat();
        if (const auto beaten = runOnce(); !beaten) {
            base::logWarning("heartbeat not written", {{"error", beaten.error().message}});
        }
        (void)never.waitFor(base::kHeartbeat, stop);
    }
    if (const auto connection = m_database.get(); connection) {
        if (const auto left = leaveInstances(**connection, m_identity); !left) {
            base::logWarning(
                "instance stays on the list until it is missed", {{"error", left.error().message}});
        }
    }
}

} // namespace store
