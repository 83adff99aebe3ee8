#include "processor/daemon/commands.h"
#include "processor/daemon/doctor.h"
#include "processor/daemon/logins.h"

#include <cstdio>
#include <iterator>

namespace processor {

ExitCode doctorCommand(const config::Request& request)
{
    const config::Settings& settings = request.settings;
    auto diagnoses = examineDatabase(loginOf(settings.database.url.reveal()));
    const auto examine = [&](const std::string& url, const char* subject) {
        auto more = examineRedis(url, subject);
        diagnoses.insert(
            diagnoses.end(), std::move_iterator{more.begin()}, std::move_iterator{more.end()});
    };
    const std::string& redis = settings.redis.url.reveal();
    const std::string& streams = settings.redis.streamsUrl.reveal();
    examine(redis, "Redis");
    if (streams != redis) examine(streams, "Redis of the stream");
    std::fputs(reportOf(diagnoses, request.asJson).c_str(), stdout);
    return isAnyWrong(diagnoses) ? ExitCode::Finding : ExitCode::Ok;
}

} // namespace processor
