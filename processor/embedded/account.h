// The system account the stores run under: PostgreSQL refuses root, so root hands them to another.
#pragma once

#include "processor/base/result.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace embedded {

struct Account
{
    uid_t uid;
    gid_t gid;
    std::vector<gid_t> groups;
    bool isOther; // differs from the account of this process: children must change to it
};

/// The account for the stores below `storeFolder`. An ordinary user keeps its own. Root takes the
/// owner of an existing folder (it may have been made by a user), else `postgres`.
base::Result<Account> chooseAccount(const std::string& storeFolder);

/// Refuses with the name of the first folder on the way to `folder` that `account` cannot enter.
base::Status requireReachable(const Account& account, const std::string& folder);

/// Changes this process for good; only async-signal-safe calls, for use between fork and exec.
/// Returns 0 or errno.
int becomeAccount(const Account& account) noexcept;

} // namespace embedded
