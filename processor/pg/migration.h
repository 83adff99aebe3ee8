// One numbered, immutable step of the schema, embedded at build time from sql/migrations.
#pragma once

namespace pg {

/// A text that starts with the line `-- migrate: no transaction` runs outside a transaction, in
/// pieces separated by lines `-- migrate: next`; every piece must be idempotent.
struct Migration
{
    int number;
    const char* name;
    const char* text;
    const char* sha256; // of the file, 64 lower hex digits
};

} // namespace pg
