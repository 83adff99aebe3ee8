// countersignd: the headless processor. Arguments → config → run; what runs is listed in
// processor/daemon/service.h.
#include "processor/config/load.h"
#include "processor/daemon/commands.h"

#include <cstdio>
#include <string>
#include <variant>
#include <vector>

namespace {

int sayFarewell(const config::Farewell& farewell)
{
    switch (farewell.kind) {
    case config::Farewell::Kind::Help:
        std::fputs(farewell.text.c_str(), stdout);
        return number(processor::ExitCode::Ok);
    case config::Farewell::Kind::Usage:
        std::fputs(farewell.text.c_str(), stderr);
        return number(processor::ExitCode::Usage);
    case config::Farewell::Kind::Complaints:
        break;
    }
    std::fputs(farewell.text.c_str(), stderr);
    return number(processor::ExitCode::Config);
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const auto loaded = config::load(arguments, config::processEnvironment());
    if (const auto* farewell = std::get_if<config::Farewell>(&loaded)) {
        return sayFarewell(*farewell);
    }
    return number(processor::run(std::get<config::Request>(loaded)));
}
