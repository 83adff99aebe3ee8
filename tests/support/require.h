// Unpacks a Result of the test's own machinery: without stores a test fails, it is never skipped.
#pragma once

#include "processor/base/result.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace support {

/// The value, or the end of the test program with the error's text.
template <class T>
T require(base::Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "test support: %s\n", result.error().message.c_str());
        std::abort();
    }
    return std::move(*result);
}

} // namespace support
