#include "processor/base/log.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/earlier_life.h"
#include "processor/daemon/name_list.h"
#include "processor/daemon/ready_line.h"
#include "processor/daemon/service.h"
#include "processor/daemon/service_manager.h"
#include "processor/daemon/signals.h"
#include "processor/daemon/stores.h"
#include "processor/daemon/version.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <variant>

namespace processor {
namespace {

using namespace std::chrono_literals;

constexpr auto kLookEvery = 500ms;

ExitCode refused(const base::Error& error, ExitCode code)
{
    base::logCritical("cannot serve", {{"error", error.message}});
    return code;
}

base::Result<bool> mustBeCareful(
    const config::Settings& settings, const Stores& stores, const store::InstanceIdentity& identity)
{
    if (!settings.roles.contains(config::Role::Settle)) return false;
    auto connection = pg::Connection::open(stores.database());
    if (!connection) return connection.error();
    return endedUnclean(*connection, identity);
}

// Until told to stop, or until a thread ends by itself.
ExitCode watch(Service& service, const Signals& signals, ServiceManager& manager)
{
    bool wasStuck = false;
    for (;;) {
        const auto signal = signals.wait(kLookEvery);
        if (signal && *signal != SIGHUP) {
            base::logInfo("stopping", {{"signal", std::int64_t{*signal}}});
            return ExitCode::Ok;
        }
        if (const auto failed = service.failed(); !failed.empty()) {
            base::logCritical("stopping, because a thread ended", {{"threads", listed(failed)}});
            return ExitCode::Software;
        }
        const auto stuck = service.stuck();
        if (!stuck.empty() && !wasStuck) {
            base::logError("loops do not go round any more", {{"threads", listed(stuck)}});
        }
        wasStuck = !stuck.empty();
        manager.tend(!wasStuck);
    }
}

ExitCode serveWith(const config::Settings& settings, const Stores& stores,
    const store::InstanceIdentity& identity, const Signals& signals)
{
    const auto careful = mustBeCareful(settings, stores, identity);
    if (!careful) return refused(careful.error(), ExitCode::Unavailable);
    auto made = Service::make(settings, stores, identity, *careful);
    if (!made) {
        const bool isTaken = made.error().kind == base::ErrorKind::Conflict;
        return refused(made.error(), isTaken ? ExitCode::Busy : ExitCode::Config);
    }
    Service& service = **made;
    service.start();

    ReadyFile readyFile;
    const std::string line = readyLine(settings, stores, service);
    ExitCode code = ExitCode::Ok;
    if (settings.embedded.folder) {
        if (const auto written = readyFile.write(stores.stack()->folder(), line); !written) {
            code = refused(written.error(), ExitCode::Unavailable);
        }
    }
    ServiceManager manager;
    if (code == ExitCode::Ok) {
        std::printf("%s\n", line.c_str());
        std::fflush(stdout);
        manager.ready();
        base::logInfo(
            "serving", {{"http", service.httpAddress()}, {"admin", service.adminAddress()}});
        code = watch(service, signals, manager);
    }
    manager.stopping();
    // Whoever hangs holds what it uses: no destructor may run, and PostgreSQL rolls back.
    if (!service.stop()) std::_Exit(number(ExitCode::Software));
    return code;
}

} // namespace

ExitCode serve(const config::Settings& settings)
{
    const Signals signals;
    const auto identity = store::readInstanceIdentity();
    if (!identity) return refused(identity.error(), ExitCode::Software);
    base::startLog(settings.log.level, identity->instance);
    base::logInfo(
        "starting", {{"version", std::string{kVersion}}, {"roles", settings.roles.text()}});

    auto stores = Stores::open(settings, signals);
    if (const auto* refusal = std::get_if<Refusal>(&stores)) {
        if (refusal->code != ExitCode::Ok) {
            base::logCritical("cannot serve", {{"error", refusal->message}});
        }
        return refusal->code;
    }
    const ExitCode code = serveWith(settings, std::get<Stores>(stores), *identity, signals);
    base::logInfo("stopped", {{"status", std::int64_t{number(code)}}});
    return code;
}

} // namespace processor
