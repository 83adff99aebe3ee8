#include "processor/base/check.h"

#include "processor/base/log.h"

#include <cstdint>
#include <cstdlib>

namespace base {

void checkFailed(const char* condition, const char* file, int line) noexcept
{
    log(LogLevel::Critical, "a promise of our own code is broken, the process ends",
        {{"check", std::string{condition}}, {"file", std::string{file}},
            {"line", std::int64_t{line}}});
    std::abort();
}

} // namespace base
