// Makes PostgreSQL refuse some rows for real: a trigger, as only a superuser could install it.
#pragma once

#include "tests/support/database.h"

#include <string>

namespace torture {

/// From now on rows of `table` for which `condition` (on NEW) holds cannot be inserted: PostgreSQL
/// answers with that SQLSTATE.
inline void refuseRows(support::Database& database, const std::string& table,
    const std::string& condition, const std::string& sqlState)
{
    database.run("CREATE FUNCTION refuse_" + table
        + "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF " + condition
        + " THEN RAISE EXCEPTION 'refused on purpose' USING ERRCODE = '" + sqlState
        + "'; END IF; RETURN NEW; END $$; CREATE TRIGGER refuse BEFORE INSERT ON " + table
        + " FOR EACH ROW EXECUTE FUNCTION refuse_" + table + "()");
}

/// The end of it.
inline void acceptRows(support::Database& database, const std::string& table)
{
    database.run("DROP FUNCTION refuse_" + table + " CASCADE");
}

} // namespace torture
