#include "processor/base/json_writer.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/logins.h"
#include "processor/daemon/schema.h"

#include <cstdio>

namespace processor {
namespace {

std::string migrationReport(const std::vector<std::string>& names, bool isPlan, bool asJson)
{
    if (asJson) {
        base::JsonWriter json;
        json.beginObject()
            .field("schema", schemaNumber())
            .key(isPlan ? "missing" : "applied")
            .beginArray();
        for (const std::string& name : names) json.text(name);
        return json.endArray().endObject().take() + "\n";
    }
    if (names.empty()) return "the schema is current\n";
    std::string text;
    for (const std::string& name : names)
        text += (isPlan ? "would apply " : "applied ") + name + "\n";
    return text;
}

} // namespace

ExitCode migrateCommand(const config::MigrateCommand& command, const config::Request& request)
{
    auto direct = pg::Connection::open(loginOf(request.settings.database.directUrl.reveal()));
    if (!direct) return failed(direct.error());
    const auto names = command.planOnly ? missingMigrations(*direct) : migrate(*direct);
    if (!names) return failed(names.error());
    std::fputs(migrationReport(*names, command.planOnly, request.asJson).c_str(), stdout);
    return ExitCode::Ok;
}

} // namespace processor
