// What countersignd can be told to do; one function and one file per command.
#pragma once

#include "processor/config/load.h"
#include "processor/daemon/exit_code.h"

namespace processor {

/// Does what was asked and returns how the process is to end.
ExitCode run(const config::Request& request);

/// Until SIGTERM or SIGINT. Standard output gets the ready line and nothing else.
ExitCode serve(const config::Settings& settings);

ExitCode migrateCommand(const config::MigrateCommand& command, const config::Request& request);
ExitCode doctorCommand(const config::Request& request);
ExitCode usersImportCommand(
    const config::UsersImportCommand& command, const config::Request& request);
ExitCode assetsAddCommand(const config::AssetsAddCommand& command, const config::Request& request);

/// Writes down whose login it is; then makes the login, or prints how where this one may not.
ExitCode peopleAddCommand(const config::PeopleAddCommand& command, const config::Request& request);
ExitCode peopleListCommand(const config::Request& request);

ExitCode lettersListCommand(
    const config::LettersListCommand& command, const config::Request& request);
ExitCode lettersShowCommand(
    const config::LettersShowCommand& command, const config::Request& request);
/// Finding (1) when some came back and some did not.
ExitCode lettersDrainCommand(const config::Request& request);

/// Says on standard error why a command did not do it, and how the process ends for that reason.
ExitCode failed(const base::Error& error);

} // namespace processor
