#include "processor/ingest/conflict_alerts.h"

#include "processor/base/json_writer.h"
#include "processor/base/limits.h"

#include <algorithm>

namespace ingest {

void ConflictAlerts::tell(const std::string& source, const std::string& eventId)
{
    std::deque<std::string>& latest = m_latest[source];
    if (const auto known = std::ranges::find(latest, eventId); known != latest.end()) {
        latest.erase(known);
    }
    latest.push_front(eventId);
    if (latest.size() > base::kConflictsNamedMax) latest.pop_back();

    base::JsonWriter detail;
    detail.beginObject().field("source", source).key("latest_event_ids").beginArray();
    for (const std::string& id : latest) detail.text(id);
    m_alerter.raise(base::AlertLevel::Warning, "event_conflict:" + source,
        "event " + eventId + " was delivered again and says something else",
        detail.endArray().endObject().take());
}

} // namespace ingest
