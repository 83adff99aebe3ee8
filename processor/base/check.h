// CHECK: a broken promise of our own code ends the process; PostgreSQL rolls back, the service
// manager restarts. Bad input and bad days are base::Error instead.
#pragma once

namespace base {

[[noreturn]] void checkFailed(const char* condition, const char* file, int line) noexcept;

} // namespace base

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) [[unlikely]]                                                             \
            ::base::checkFailed(#condition, __FILE__, __LINE__);                                   \
    } while (false)
