#include "processor/config/layers.h"

#include "processor/config/text_file.h"

#include <array>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace config {

namespace {

/// The text in a file without the line ends at its end, which every editor puts there.
base::Result<std::string> readValueFile(const std::string& path)
{
    auto text = readTextFile(path);
    if (!text) {
        return text;
    }
    while (text->ends_with('\n') || text->ends_with('\r')) {
        text->pop_back();
    }
    if (text->empty()) {
        return base::Error{base::ErrorKind::Invalid, "file '" + path + "' is empty"};
    }
    return text;
}

/// One option in one layer: itself, or the name of a file that holds it.
struct Claim
{
    Layer layer;
    std::optional<Said> value;
    std::optional<Said> file;
};

class Merger
{
public:
    explicit Merger(std::vector<std::string>& complaints) : m_complaints{complaints} {}

    void apply(const Option& option, const Claim& claim, Value& value)
    {
        if (claim.value && claim.file) {
            complain(option,
                claim.value->where + " and " + claim.file->where
                    + " are both given: which one is meant?");
            value = {std::string{option.fallback}, claim.layer, claim.value->where};
        } else if (claim.value) {
            value = {claim.value->value, claim.layer, claim.value->where};
        } else if (claim.file) {
            auto text = readValueFile(claim.file->value);
            if (!text) {
                complain(option, claim.file->where + ": " + text.error().message);
                text = std::string{option.fallback}; // so that this stays its only complaint
            }
            value = {*text, claim.layer, claim.file->where};
        }
    }

private:
    void complain(const Option& option, const std::string& text)
    {
        m_complaints.push_back(std::string{option.key} + ": " + text);
    }

    std::vector<std::string>& m_complaints;
};

std::optional<Said> find(const SaidByName& said, const std::string& name)
{
    const auto found = said.find(name);
    return found == said.end() ? std::nullopt : std::optional{found->second};
}

/// An empty variable counts as not set: that is how compose files and units leave one out.
std::optional<Said> ask(const EnvironmentLookup& environment, const std::string& name)
{
    const auto value = environment(name);
    return value && !value->empty() ? std::optional{Said{*value, name}} : std::nullopt;
}

std::optional<Said> onlyIf(bool condition, std::optional<Said> said)
{
    return condition ? std::move(said) : std::nullopt;
}

} // namespace

EnvironmentLookup processEnvironment()
{
    return [](std::string_view name) -> std::optional<std::string> {
        const char* const value = std::getenv(std::string{name}.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>{value};
    };
}

Values mergeLayers(const SaidByName& file, const EnvironmentLookup& environment,
    const SaidByName& flags, std::vector<std::string>& complaints)
{
    Values values;
    Merger merger{complaints};
    std::set<std::string, std::less<>> known;
    for (const Option& option : options()) {
        Value& value = values[option.id];
        value = {std::string{option.fallback}, Layer::Default, {}};
        const bool hasFile = option.hasFileForm();
        const std::array claims{
            Claim{Layer::File, find(file, std::string{option.key}),
                onlyIf(hasFile, find(file, fileKeyOf(option)))},
            Claim{Layer::Environment, ask(environment, std::string{option.environment}),
                onlyIf(hasFile, ask(environment, fileEnvironmentOf(option)))},
            Claim{Layer::Argument, find(flags, flagOf(option)),
                onlyIf(hasFile, find(flags, fileFlagOf(option)))},
        };
        for (const Claim& claim : claims) {
            merger.apply(option, claim, value);
        }
        known.insert(std::string{option.key});
        if (hasFile) {
            known.insert(fileKeyOf(option));
        }
    }
    for (const auto& [name, said] : file) {
        if (!known.contains(name)) {
            complaints.push_back(name + ": " + said.where + ": there is no such option");
        }
    }
    return values;
}

} // namespace config
