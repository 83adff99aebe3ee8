// ConflictAlerts: people are told of conflicts once per source, however many events are in one.
#pragma once

#include "processor/base/alert.h"

#include <deque>
#include <map>
#include <string>

namespace ingest {

/// The key is `event_conflict:<source>`, its count counts every conflicting delivery, its detail
/// names the latest events. Sources are few; whoever has a source's secret can make any number of
/// conflicts. One thread.
class ConflictAlerts
{
public:
    explicit ConflictAlerts(base::Alerter& alerter) : m_alerter{alerter} {}

    void tell(const std::string& source, const std::string& eventId);

private:
    base::Alerter& m_alerter;
    std::map<std::string, std::deque<std::string>> m_latest; // newest first, by source
};

} // namespace ingest
