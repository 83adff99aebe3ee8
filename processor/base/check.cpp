#include "processor/base/check.h"

#include "processor/base/log.h"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace base {

void checkFailed(const char* condition, const char* file, int line) noexcept
{
    thread_local bool t_isFailing = false;
    if (std::exchange(t_isFailing, true)) {
        std::abort(); // the log itself broke a promise while it told of the first one
    }
    log(LogLevel::Critical, "a promise of our own code is broken, the process ends",
        {{"check", std::string{condition}}, {"file", std::string{file}},
            {"line", std::int64_t{line}}});
    std::abort();
}

} // namespace base
