#include "processor/base/json_writer.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/jobs.h"
#include "processor/daemon/logins.h"

#include <cstdio>
#include <unistd.h>

namespace processor {
namespace {

std::string textOf(const watch::DrainReport& report, bool asJson)
{
    if (!asJson) {
        const std::string text = report.text();
        return text.empty() ? "no letters in Redis" : text;
    }
    return base::JsonWriter{}
        .beginObject()
        .field("drained", report.drained)
        .field("failed", report.failed)
        .field("left", report.left)
        .field("stopped_early", report.isCutShort)
        .endObject()
        .take();
}

} // namespace

// Under the same lease as the daemon's own drain, so that the two take turns.
ExitCode lettersDrainCommand(const config::Request& request)
{
    const config::Settings& settings = request.settings;
    store::PaymentLog log{"letters-drain:" + std::to_string(getpid())};
    base::Alerter alerter;
    base::Metrics metrics;
    watch::LetterDrain drain{
        {.url = settings.redis.url.reveal()}, settings.ingest.webhookSecret, log, alerter, metrics};
    watch::DrainReport report;
    schedule::Scheduler scheduler{
        {.database = loginOf(settings.database.url.reveal()), .setsTimes = false},
        {drainJob(drain, settings.watch.drainAt, &report)}, alerter, metrics};

    const auto said = scheduler.runNow(kDrainJob, {});
    const bool isPartly = !said && report.failed > 0; // some came back, some did not
    if (!said && !isPartly) return failed(said.error());
    std::printf("%s\n", textOf(report, request.asJson).c_str());
    return isPartly ? ExitCode::Finding : ExitCode::Ok;
}

} // namespace processor
