#include "processor/daemon/earlier_life.h"

#include "processor/base/log.h"
#include "sql/instances.h"

#include <utility>

namespace processor {
namespace {

// "<host>:<boot>:<pid>:<start>", the host's name possibly with colons of its own.
std::string cutLastPart(std::string& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string::npos) return std::exchange(text, {});
    std::string part = text.substr(colon + 1);
    text.resize(colon);
    return part;
}

} // namespace

bool isRunning(const std::string& instance, const store::InstanceIdentity& identity)
{
    std::string rest = instance;
    const std::string start = cutLastPart(rest);
    const std::string pid = cutLastPart(rest);
    const std::string boot = cutLastPart(rest);
    if (!identity.bootId.starts_with(boot)) return false;
    const auto started = store::processStart(pid);
    return started && *started == start;
}

base::Result<bool> endedUnclean(pg::Connection& connection, const store::InstanceIdentity& identity)
{
    pg::Params known;
    known.text(identity.host).text(identity.instance);
    const auto others = connection.run(sql::kInstanceSettlersOfHost, known);
    if (!others) return others.error();

    bool anyEnded = false;
    for (int row = 0; row < others->size(); ++row) {
        const std::string instance{others->text(row, 0)};
        if (isRunning(instance, identity)) continue;
        base::logWarning(
            "an earlier process of this host ended without taking leave", {{"earlier", instance}});
        pg::Params dead;
        dead.text(instance);
        if (const auto left = connection.run(sql::kInstanceLeave, dead); !left) return left.error();
        anyEnded = true;
    }
    return anyEnded;
}

} // namespace processor
