#include "processor/settle/orphans.h"

#include "processor/domain/event_type.h"
#include "sql/settle.h"

#include <array>
#include <string>

namespace settle {
namespace {

std::string alertKey(const std::string& outcome, const std::string& type, const std::string& id)
{
    const auto known = domain::eventTypeFromText(type);
    if (outcome == "insufficient_funds") return "orphan_withdrawal_insuf:" + id;
    if (known && domain::isDebit(*known)) return "orphan_withdrawal:" + id;
    return "orphan_deposit:" + id;
}

} // namespace

base::Status judgeOrphan(pg::Connection& connection, const Work& orphan, base::Alerter& alerter)
{
    pg::Transaction transaction{connection, {base::kStatementTimeout, base::kLockTimeout}};
    transaction.add(sql::kSettleFindOrphan, std::move(pg::Params{}.bigint(orphan.no.value())));
    const auto found = transaction.send();
    if (!found) return found.error();
    const std::string number = std::to_string(orphan.no.value());
    const auto outcome = found->front().textOrNull(0, 0);
    const std::string id = found->front().textOrNull(0, 1).value_or(number);
    const std::string type = found->front().textOrNull(0, 2).value_or("");
    if (!outcome) {
        alerter.raise(base::AlertLevel::Critical, "orphan_work:" + number,
            "work row " + number + " has neither an event nor an outcome");
        return base::Done{};
    }
    alerter.raise(base::AlertLevel::Critical, alertKey(*outcome, type, id),
        "event " + id + " (number " + number + ") has the outcome " + *outcome
            + " but its row is gone");
    const std::array numbers{orphan.no.value()};
    transaction.add(sql::kSettleDeleteWork, std::move(pg::Params{}.bigintArray(numbers)));
    const auto done = transaction.commit();
    if (!done) return done.error();
    return base::Done{};
}

} // namespace settle
