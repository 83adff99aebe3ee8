// Writes a file of users and opening balances into the books: all of it or nothing.
#pragma once

#include "processor/daemon/user_file.h"
#include "processor/pg/connection.h"

#include <cstddef>

namespace processor {

struct ImportReport
{
    std::size_t users;
    std::size_t balances;
};

/// After it each listed account has balance = initial_balance = what the file says; the same file
/// again changes nothing. Refuses (Invalid, with the first 20 of each) unknown assets, users known
/// under another reference, and users whose money has moved already.
/// Only zero rows of users known before may stay behind a failure: they say nothing.
base::Result<ImportReport> importUsers(pg::Connection& connection, const UserFile& file);

} // namespace processor
