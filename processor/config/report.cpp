#include "processor/config/report.h"

#include "processor/base/json_writer.h"

namespace config {

namespace {

/// TOML's basic strings and JSON's share their escapes, but for the quoted form of DEL.
std::string tomlValue(const Option& option, std::string_view text)
{
    if (option.type == OptionType::Integer && !text.empty()) {
        return std::string{text};
    }
    std::string quoted;
    base::appendJsonString(quoted, text);
    return quoted;
}

std::string_view layerName(Layer layer)
{
    switch (layer) {
    case Layer::Default:
        return "default";
    case Layer::File:
        return "file";
    case Layer::Environment:
        return "environment";
    case Layer::Argument:
        return "argument";
    }
    return {};
}

std::string namesOf(const Option& option)
{
    std::string text = "environment " + std::string{option.environment};
    if (option.hasFileForm()) {
        text += " or " + fileEnvironmentOf(option);
    }
    text += ", argument ";
    text += option.hasFlag() ? flagOf(option) : fileFlagOf(option);
    if (option.hasFlag() && option.hasFileForm()) {
        text += " or " + fileFlagOf(option);
    }
    return text;
}

std::string boundsOf(const Option& option)
{
    if (option.type == OptionType::Integer) {
        return std::to_string(option.least) + ".." + std::to_string(option.most)
            + (option.unit.empty() ? "" : " " + std::string{option.unit});
    }
    return std::string{option.choices};
}

} // namespace

std::string sampleFile()
{
    std::string text = "# Countersign: every option, commented out, with its default.\n"
                       "# Order: default < this file < environment < argument.\n";
    for (const Option& option : options()) {
        text += "\n# " + std::string{option.help} + "\n# " + namesOf(option) + "\n";
        if (const std::string bounds = boundsOf(option); !bounds.empty()) {
            text += "# possible: " + bounds + "\n";
        }
        if (!option.defaultNote.empty()) {
            text += "# default: ";
            text += option.fallback.empty() ? "" : std::string{option.fallback} + ", ";
            text += std::string{option.defaultNote} + "\n";
        }
        if (option.hasFileForm()) {
            text += "# or the name of a file that holds it: " + fileKeyOf(option) + "\n";
        }
        text += "#" + std::string{option.key} + " = " + tomlValue(option, option.fallback) + "\n";
    }
    return text;
}

std::string sampleJson()
{
    base::JsonWriter json;
    json.beginArray();
    for (const Option& option : options()) {
        json.beginObject()
            .field("key", option.key)
            .field("environment", option.environment)
            .field("flag", option.hasFlag() ? flagOf(option) : std::string{})
            .field("file_flag", option.hasFileForm() ? fileFlagOf(option) : std::string{})
            .field("default", option.fallback)
            .field("default_note", option.defaultNote)
            .field("possible", boundsOf(option))
            .field("secret", option.secrecy == Secrecy::HideAll)
            .field("help", option.help)
            .endObject();
    }
    return json.endArray().take() + "\n";
}

std::string shownValues(const Values& values)
{
    std::string text;
    for (const Option& option : options()) {
        const Value& value = values[option.id];
        text += std::string{option.key} + " = " + tomlValue(option, masked(option, value.text))
            + "  # " + std::string{layerName(value.layer)}
            + (value.where.empty() ? "" : ": " + value.where) + "\n";
    }
    return text;
}

std::string shownValuesJson(const Values& values)
{
    base::JsonWriter json;
    json.beginObject();
    for (const Option& option : options()) {
        const Value& value = values[option.id];
        json.key(option.key)
            .beginObject()
            .field("value", masked(option, value.text))
            .field("layer", layerName(value.layer))
            .field("where", value.where)
            .endObject();
    }
    return json.endObject().take() + "\n";
}

} // namespace config
