#include "processor/daemon/logins.h"

#include "processor/base/log.h"
#include "sql/doctor.h"

namespace processor {

pg::ConnectOptions loginOf(const std::string& url)
{
    return {.url = url, .applicationName = "countersign-command"};
}

base::Result<pg::ConnectOptions> chooseLogin(const std::string& url)
{
    pg::ConnectOptions options = loginOf(url);
    auto given = pg::Connection::open(options);
    if (!given) return given.error();
    const auto rows = given->run(sql::kDoctorServer);
    if (!rows) return rows.error();
    options.applicationName = pg::ConnectOptions{}.applicationName;
    if (!rows->boolean(0, 3)) return options;

    options.user = kProcessorRole;
    if (const auto steppedDown = pg::Connection::open(options); !steppedDown) {
        base::logWarning(
            "the daemon works as a superuser, which passes every check of the database",
            {{"login", std::string{rows->text(0, 2)}}, {"instead", std::string{kProcessorRole}},
                {"error", steppedDown.error().message}});
        options.user.clear();
    }
    return options;
}

} // namespace processor
