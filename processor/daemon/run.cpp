#include "processor/daemon/commands.h"

#include "processor/base/log.h"

#include <cstdio>
#include <type_traits>

namespace processor {
namespace {

ExitCode codeOf(base::ErrorKind kind)
{
    switch (kind) {
    case base::ErrorKind::Invalid:
    case base::ErrorKind::NotFound:
        return ExitCode::Data;
    case base::ErrorKind::Conflict:
        return ExitCode::Busy;
    case base::ErrorKind::Corrupt:
        return ExitCode::Config;
    case base::ErrorKind::Unavailable:
    case base::ErrorKind::Unknown:
        break;
    }
    return ExitCode::Unavailable;
}

} // namespace

ExitCode failed(const base::Error& error)
{
    std::fprintf(stderr, "countersignd: %s\n", error.message.c_str());
    return codeOf(error.kind);
}

ExitCode run(const config::Request& request)
{
    return std::visit(
        [&](const auto& command) {
            using Command = std::decay_t<decltype(command)>;
            if constexpr (std::is_same_v<Command, config::ServeCommand>) {
                return serve(request.settings);
            } else if constexpr (std::is_same_v<Command, config::MigrateCommand>) {
                return migrateCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::DoctorCommand>) {
                return doctorCommand(request);
            } else if constexpr (std::is_same_v<Command, config::UsersImportCommand>) {
                return usersImportCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::AssetsAddCommand>) {
                return assetsAddCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::PeopleAddCommand>) {
                return peopleAddCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::PeopleListCommand>) {
                return peopleListCommand(request);
            } else if constexpr (std::is_same_v<Command, config::LettersListCommand>) {
                return lettersListCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::LettersShowCommand>) {
                return lettersShowCommand(command, request);
            } else if constexpr (std::is_same_v<Command, config::LettersDrainCommand>) {
                return lettersDrainCommand(request);
            } else {
                std::fputs(request.report.c_str(), stdout);
                return ExitCode::Ok;
            }
        },
        request.command);
}

} // namespace processor
