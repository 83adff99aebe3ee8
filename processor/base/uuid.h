// Random identifiers (UUID version 4) from the kernel's generator.
#pragma once

#include <string>

namespace base {

/// 36 characters, lower case, RFC 9562 version 4.
std::string randomUuid();

} // namespace base
