#include "processor/base/json_writer.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/logins.h"
#include "sql/people.h"

#include <cstdio>
#include <optional>
#include <string_view>

namespace processor {
namespace {

using config::PeopleAddCommand;

constexpr std::string_view kMayNot = "42501"; // insufficient_privilege

struct MadeLogin
{
    bool isDone; // false: this login may not, the DBA has to run the script
    std::string script;
};

base::Error refusal(std::string why)
{
    return {base::ErrorKind::Invalid, std::move(why)};
}

bool decides(std::string_view roles)
{
    return roles.find("operator") != std::string_view::npos
        || roles.find("approver") != std::string_view::npos;
}

bool administers(std::string_view roles)
{
    return roles.find("admin") != std::string_view::npos;
}

// An admin may act as the owner of everything and therefore decides nothing: not by this login, and
// not by another one of the same person.
base::Status checkPerson(pg::Connection& connection, const PeopleAddCommand& asked)
{
    const auto rows
        = connection.run(sql::kPeopleStanding, pg::Params{}.text(asked.login).text(asked.person));
    if (!rows) return rows.error();
    if (const auto known = rows->textOrNull(0, 0); known && *known != asked.person) {
        return refusal("the login '" + asked.login + "' is " + *known + "'s");
    }
    if (rows->boolean(0, 1)) {
        return refusal("'" + asked.login + "' is a superuser, who passes every check anyhow");
    }
    const std::string own = rows->textOrNull(0, 2).value_or("");
    const std::string all = own + ", " + rows->textOrNull(0, 3).value_or("");
    if ((asked.role == "admin" && decides(all)) || (decides(asked.role) && administers(all))) {
        return refusal("an admin is never an operator or approver, and " + asked.person + " has "
            + "the roles: " + (own.empty() ? all.substr(2) : own));
    }
    const bool isSame = own.empty() || own == asked.role || administers(own);
    if (!isSame || (administers(own) && asked.role != "admin")) {
        return refusal("the login '" + asked.login + "' has the role " + own
            + "; one login has one role, so revoke that first");
    }
    return base::Done{};
}

base::Result<MadeLogin> addPerson(pg::Connection& connection, const PeopleAddCommand& asked)
{
    if (const auto fits = checkPerson(connection, asked); !fits) return fits.error();
    const auto added
        = connection.run(sql::kPeopleAdd, pg::Params{}.text(asked.login).text(asked.person));
    if (!added) return added.error();
    const auto rows
        = connection.run(sql::kPeopleScript, pg::Params{}.text(asked.login).text(asked.role));
    if (!rows) return rows.error();
    std::string script{rows->text(0, 0)};
    const auto ran = connection.runScript(script);
    if (!ran && ran.error().code != kMayNot) return ran.error();
    return MadeLogin{static_cast<bool>(ran), std::move(script)};
}

std::string addReport(const PeopleAddCommand& asked, const MadeLogin& made, bool asJson)
{
    if (asJson) {
        return base::JsonWriter{}
                   .beginObject()
                   .field("login", asked.login)
                   .field("person", asked.person)
                   .field("role", asked.role)
                   .field("done", made.isDone)
                   .field("script", made.script)
                   .endObject()
                   .take()
            + "\n";
    }
    if (made.isDone)
        return asked.login + " is " + asked.person + "'s login as " + asked.role + "\n";
    return "-- This login may not make roles; for the DBA to run, who also sets a password:\n"
        + made.script + "\n";
}

std::string listReport(const pg::Rows& rows, bool asJson)
{
    base::JsonWriter json;
    std::string text;
    json.beginObject().key("people").beginArray();
    for (int row = 0; row < rows.size(); ++row) {
        const auto roles = rows.textOrNull(row, 2);
        json.beginObject().field("login", rows.text(row, 0)).field("person", rows.text(row, 1));
        json.key("roles");
        if (roles) {
            json.text(*roles);
        } else {
            json.null();
        }
        json.endObject();
        text += std::string{rows.text(row, 0)} + "  " + std::string{rows.text(row, 1)} + "  "
            + roles.value_or("no role granted yet") + "\n";
    }
    return asJson ? json.endArray().endObject().take() + "\n" : text;
}

} // namespace

ExitCode peopleAddCommand(const PeopleAddCommand& command, const config::Request& request)
{
    auto connection = pg::Connection::open(loginOf(request.settings.database.url.reveal()));
    if (!connection) return failed(connection.error());
    const auto made = addPerson(*connection, command);
    if (!made) return failed(made.error());
    std::fputs(addReport(command, *made, request.asJson).c_str(), stdout);
    return ExitCode::Ok;
}

ExitCode peopleListCommand(const config::Request& request)
{
    auto connection = pg::Connection::open(loginOf(request.settings.database.url.reveal()));
    if (!connection) return failed(connection.error());
    const auto rows = connection->run(sql::kPeopleList);
    if (!rows) return failed(rows.error());
    std::fputs(listReport(*rows, request.asJson).c_str(), stdout);
    return ExitCode::Ok;
}

} // namespace processor
