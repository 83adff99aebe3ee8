#include "processor/settle/event_numbers.h"

#include "processor/base/check.h"

#include <algorithm>

namespace settle {

std::vector<std::int64_t> valuesOf(const std::vector<domain::EventNo>& numbers)
{
    std::vector<std::int64_t> values;
    values.reserve(numbers.size());
    for (const domain::EventNo no : numbers) values.push_back(no.value());
    return values;
}

pg::Params boundedNumbers(const std::vector<domain::EventNo>& numbers)
{
    CHECK(!numbers.empty());
    const auto values = valuesOf(numbers);
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    pg::Params params;
    params.bigintArray(values).bigint(*lowest).bigint(*highest);
    return params;
}

} // namespace settle
