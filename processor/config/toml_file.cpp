#include "processor/config/toml_file.h"

#include "processor/config/text_file.h"

#include <toml++/toml.h>

#include <exception>
#include <optional>
#include <utility>

namespace config {

namespace {

class TomlReader
{
public:
    TomlReader(const std::string& path, std::vector<std::string>& complaints)
        : m_path{path}
        , m_complaints{complaints}
    {}

    void read(const toml::table& table, const std::string& prefix)
    {
        for (const auto& [name, node] : table) {
            const std::string key = prefix + std::string{name.str()};
            if (const toml::table* const inner = node.as_table()) {
                read(*inner, key + ".");
            } else if (const auto text = textOf(node)) {
                m_said.insert_or_assign(key, Said{*text, whereIs(node)});
            } else {
                m_complaints.push_back(
                    key + ": " + whereIs(node) + ": a text or a whole number is needed here");
            }
        }
    }

    [[nodiscard]] SaidByName take() { return std::move(m_said); }

private:
    static std::optional<std::string> textOf(const toml::node& node)
    {
        if (const auto* const text = node.as_string()) {
            return text->get();
        }
        if (const auto* const number = node.as_integer()) {
            return std::to_string(number->get());
        }
        const toml::array* const list = node.as_array();
        if (list == nullptr) {
            return std::nullopt;
        }
        std::string joined;
        for (const toml::node& item : *list) {
            const auto* const text = item.as_string();
            if (text == nullptr) {
                return std::nullopt;
            }
            joined += (joined.empty() ? "" : ",") + text->get();
        }
        return joined;
    }

    [[nodiscard]] std::string whereIs(const toml::node& node) const
    {
        return m_path + ", line " + std::to_string(node.source().begin.line);
    }

    const std::string& m_path;
    std::vector<std::string>& m_complaints;
    SaidByName m_said;
};

} // namespace

SaidByName readTomlFile(const std::string& path, std::vector<std::string>& complaints)
{
    const auto content = readTextFile(path);
    if (!content) {
        complaints.push_back(content.error().message);
        return {};
    }
    try {
        TomlReader reader{path, complaints};
        reader.read(toml::parse(*content), "");
        return reader.take();
    } catch (const toml::parse_error& problem) {
        complaints.push_back(path + ", line " + std::to_string(problem.source().begin.line) + ": "
            + std::string{problem.description()});
    } catch (const std::exception& problem) {
        complaints.push_back(path + ": " + problem.what());
    }
    return {};
}

} // namespace config
