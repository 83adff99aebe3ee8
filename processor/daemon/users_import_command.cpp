#include "processor/base/json_writer.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/logins.h"
#include "processor/daemon/user_import.h"

#include <chrono>
#include <cstdio>
#include <fstream>

namespace processor {

ExitCode usersImportCommand(
    const config::UsersImportCommand& command, const config::Request& request)
{
    std::ifstream in{command.file, std::ios::binary};
    if (!in) return failed({base::ErrorKind::Invalid, "cannot read " + command.file});
    const auto file = readUserFile(in);
    if (!file) {
        return failed({base::ErrorKind::Invalid,
            command.file + ", nothing was imported:\n" + file.error().message});
    }
    pg::ConnectOptions options = loginOf(request.settings.database.url.reveal());
    options.statementTimeout = std::chrono::minutes{1};
    auto connection = pg::Connection::open(options);
    if (!connection) return failed(connection.error());
    const auto report = importUsers(*connection, *file);
    if (!report) return failed(report.error());

    const std::string text = request.asJson ? base::JsonWriter{}
                                                  .beginObject()
                                                  .field("users", report->users)
                                                  .field("balances", report->balances)
                                                  .endObject()
                                                  .take()
                                            : std::to_string(report->users) + " users, "
            + std::to_string(report->balances) + " opening balances";
    std::printf("%s\n", text.c_str());
    return ExitCode::Ok;
}

} // namespace processor
