// A named SQL statement, embedded at build time from sql/queries.
#pragma once

namespace pg {

struct Statement
{
    const char* name; // appears in errors, metrics and failpoints
    const char* text;
};

} // namespace pg
