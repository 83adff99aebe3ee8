// Who said what: each option's value with the layer it comes from, the highest layer winning.
#pragma once

#include "processor/config/load.h"
#include "processor/config/options.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace config {

/// In rising order.
enum class Layer { Default, File, Environment, Argument };

/// What one layer says, by the layer's own names, with where it stands ("line 3").
struct Said
{
    std::string value;
    std::string where;
};
using SaidByName = std::map<std::string, Said, std::less<>>;

struct Value
{
    std::string text;
    Layer layer = Layer::Default;
    std::string where; // for people: "WEBHOOK_SECRET_FILE", "countersign.toml, line 3"
};

class Values
{
public:
    [[nodiscard]] const Value& operator[](OptionId id) const
    {
        return m_values[static_cast<std::size_t>(id)];
    }
    Value& operator[](OptionId id) { return m_values[static_cast<std::size_t>(id)]; }
    [[nodiscard]] const std::string& text(OptionId id) const { return (*this)[id].text; }
    /// True when somebody gave it, false for a default.
    [[nodiscard]] bool isGiven(OptionId id) const { return (*this)[id].layer != Layer::Default; }

private:
    std::array<Value, kOptionCount> m_values;
};

/// Puts the layers on top of each other; values given as a file's name are read. Complaints are
/// added to `complaints`: a name nobody knows, a value given in both forms, a file not readable.
[[nodiscard]] Values mergeLayers(const SaidByName& file, const EnvironmentLookup& environment,
    const SaidByName& flags, std::vector<std::string>& complaints);

} // namespace config
