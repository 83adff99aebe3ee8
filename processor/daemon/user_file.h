// UserFile: a CSV of users and opening balances, read and judged as a whole.
#pragma once

#include "processor/base/result.h"
#include "processor/domain/amount.h"
#include "processor/domain/ids.h"

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace processor {

struct ListedUser
{
    domain::UserId id;
    std::optional<std::string> externalRef;
};

struct OpeningBalance
{
    domain::UserId user;
    std::string asset;
    domain::Amount amount;
};

/// Users sorted by id, balances by user and then by the bytes of the asset: the order of locks.
struct UserFile
{
    std::vector<ListedUser> users;
    std::vector<OpeningBalance> balances;
};

/// Reads RFC 4180 text with the columns user_id, external_ref, asset and opening balance; a first
/// line of column names is skipped. Empty asset and balance: a user without an account. A user may
/// stand in several lines, once per asset. Error: Invalid, with the line and reason of each of the
/// first 20 complaints.
base::Result<UserFile> readUserFile(std::istream& in);

} // namespace processor
