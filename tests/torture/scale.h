// How much torture: a little with all other tests, in full when COUNTERSIGN_TORTURE=full is set.
#pragma once

#include <cstdlib>
#include <string_view>

namespace torture {

[[nodiscard]] inline bool isFull()
{
    const char* scale = std::getenv("COUNTERSIGN_TORTURE");
    return scale != nullptr && std::string_view{scale} == "full";
}

template <class T>
[[nodiscard]] T scaled(T little, T full)
{
    return isFull() ? full : little;
}

} // namespace torture
