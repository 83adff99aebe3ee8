#include "processor/pg/sql_state.h"

#include <array>

namespace pg {
namespace {

using base::ErrorKind;

struct Meaning
{
    std::string_view prefix;
    ErrorKind kind;
};

// PostgreSQL 15, appendix A. The first prefix that fits counts: a whole code before its class.
constexpr std::array kMeanings{
    Meaning{"08", ErrorKind::Unavailable}, // connection exception
    Meaning{"53", ErrorKind::Unavailable}, // out of memory, disk, connections
    Meaning{"25006", ErrorKind::Unavailable}, // read-only: a standby, or a primary on its way down
    Meaning{"25P03", ErrorKind::Unavailable}, // ended while idle in a transaction: we were frozen
    Meaning{"57P01", ErrorKind::Unavailable}, // terminated by an administrator
    Meaning{"57P02", ErrorKind::Unavailable}, // another server process crashed
    Meaning{"57P03", ErrorKind::Unavailable}, // starting up or shutting down
    Meaning{"57P05", ErrorKind::Unavailable}, // ended while idle

    Meaning{"40001", ErrorKind::Conflict}, // serialization failure
    Meaning{"40P01", ErrorKind::Conflict}, // deadlock
    Meaning{"55P03", ErrorKind::Conflict}, // lock timeout, NOWAIT
    Meaning{"57014", ErrorKind::Conflict}, // statement timeout or cancel

    Meaning{"22", ErrorKind::Invalid}, // data exception
    Meaning{"23", ErrorKind::Invalid}, // constraint, see Error::constraint
    Meaning{"CS", ErrorKind::Invalid}, // refusals of our own functions, see Error::code

    Meaning{"42", ErrorKind::Corrupt}, // missing table, column, right: wrong schema or wrong SQL
    Meaning{"XX", ErrorKind::Corrupt}, // internal error, damaged data
};

} // namespace

base::ErrorKind kindOfSqlState(std::string_view sqlState)
{
    for (const Meaning& meaning : kMeanings) {
        if (sqlState.starts_with(meaning.prefix)) return meaning.kind;
    }
    return ErrorKind::Corrupt;
}

} // namespace pg
