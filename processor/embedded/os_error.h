// errno as an Error, for system calls whose failure only time or an administrator can heal.
#pragma once

#include "processor/base/result.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace embedded {

inline base::Error osError(const std::string& what)
{
    return base::Error{base::ErrorKind::Unavailable, what + ": " + strerror(errno)};
}

} // namespace embedded
