#include "processor/daemon/commands.h"
#include "processor/daemon/letters.h"
#include "processor/daemon/logins.h"

#include <cstdio>

namespace processor {

ExitCode lettersListCommand(
    const config::LettersListCommand& command, const config::Request& request)
{
    auto connection = pg::Connection::open(loginOf(request.settings.database.url.reveal()));
    if (!connection) return failed(connection.error());
    const auto page = listLetters(*connection, command);
    if (!page) return failed(page.error());
    const std::string text = request.asJson ? letterPageJson(*page, command.limit)
                                            : letterPageText(*page, command.limit);
    std::fputs(text.c_str(), stdout);
    return ExitCode::Ok;
}

ExitCode lettersShowCommand(
    const config::LettersShowCommand& command, const config::Request& request)
{
    auto connection = pg::Connection::open(loginOf(request.settings.database.url.reveal()));
    if (!connection) return failed(connection.error());
    const auto story = showLetter(*connection, command.id);
    if (!story) return failed(story.error());
    const std::string text = request.asJson ? letterStoryJson(*story) : letterStoryText(*story);
    std::fputs(text.c_str(), stdout);
    return ExitCode::Ok;
}

} // namespace processor
