// Names in a row, for messages.
#pragma once

#include <string>
#include <vector>

namespace processor {

/// "one, two, three".
inline std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

} // namespace processor
