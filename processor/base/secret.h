// Secret: text that can be used but not printed by accident.
#pragma once

#include <string>
#include <utility>

namespace base {

class Secret
{
public:
    Secret() = default;
    explicit Secret(std::string value) : m_value{std::move(value)} {}
    [[nodiscard]] const std::string& reveal() const { return m_value; }
    [[nodiscard]] bool empty() const { return m_value.empty(); }
    [[nodiscard]] static const char* masked() { return "***"; }

private:
    std::string m_value;
};

} // namespace base
