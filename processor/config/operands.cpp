#include "processor/config/operands.h"

#include "processor/base/hex.h"
#include "processor/base/limits.h"
#include "processor/config/checks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace config {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";
constexpr std::int64_t kDecimalsMax = 18; // NUMERIC(38,18)

bool consistsOf(std::string_view text, const std::string& allowed)
{
    return text.find_first_not_of(allowed) == std::string_view::npos;
}

// CAIP-2: namespace of 3-8, ':', reference of 1-32 characters.
bool isChain(std::string_view text)
{
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view space = text.substr(0, colon);
    const std::string_view reference = colon < text.size() ? text.substr(colon + 1) : "";
    const std::string lower = std::string{kLetters} + std::string{kDigits} + "-";
    return space.size() >= 3 && space.size() <= 8 && consistsOf(space, lower) && !reference.empty()
        && reference.size() <= 32 && consistsOf(reference, lower + std::string{kCapitals} + "_");
}

bool isContract(std::string_view text)
{
    constexpr std::size_t kAddressDigits = 40;
    return text.starts_with("0x") && text.size() == 2 + kAddressDigits
        && base::fromHex(text.substr(2)).has_value();
}

bool isId(const std::string& text)
{
    const auto number = parseInteger(text);
    return number && *number > 0;
}

bool hasControl(const std::string& text)
{
    return std::ranges::any_of(text, [](char c) {
        const auto octet = static_cast<unsigned char>(c);
        return octet < 0x20U || octet == 0x7FU;
    });
}

base::Error badOperand(const char* name, const std::string& value, const char* rule)
{
    return {base::ErrorKind::Invalid, std::string{name} + " '" + value + "': " + rule};
}

} // namespace

base::Result<AssetsAddCommand> parseAsset(const std::string& code, const std::string& chain,
    const std::string& contract, const std::string& decimals)
{
    if (code.empty() || code.size() > 32
        || !consistsOf(code, std::string{kCapitals} + std::string{kDigits})) {
        return badOperand("CODE", code, "1-32 capital letters and digits, for instance USDC");
    }
    if (!isChain(chain)) {
        return badOperand("CHAIN", chain, "a CAIP-2 name is needed, for instance eip155:1");
    }
    AssetsAddCommand command{.code = code, .chain = chain, .contract = {}, .decimals = 0};
    if (contract != "native") {
        if (!isContract(contract)) {
            return badOperand(
                "CONTRACT", contract, "0x and 40 hexadecimal digits, or the word native");
        }
        command.contract = contract;
        std::ranges::transform(*command.contract, command.contract->begin(),
            [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    }
    const auto number = parseInteger(decimals);
    if (!number || *number < 0 || *number > kDecimalsMax) {
        return badOperand("DECIMALS", decimals, "a number of 0..18");
    }
    command.decimals = static_cast<int>(*number);
    return command;
}

base::Result<PeopleAddCommand> parsePerson(
    const std::string& name, const std::string& role, const std::string& person)
{
    constexpr std::size_t kLoginMax = 63; // PostgreSQL would cut the rest off
    constexpr std::size_t kPersonMax = 100;
    constexpr std::array<std::string_view, 4> kPeopleRoles{
        "support", "operator", "approver", "admin"};
    if (name.empty() || name.size() > kLoginMax || hasControl(name)) {
        return badOperand("NAME", name, "1 to 63 octets without control characters");
    }
    if (name.starts_with("pg_") || name.starts_with("countersign_") || name == "public"
        || name == "none") {
        return badOperand("NAME", name, "reserved; take another one");
    }
    if (std::ranges::find(kPeopleRoles, role) == kPeopleRoles.end()) {
        return badOperand("ROLE", role, "support, operator, approver or admin");
    }
    if (person.size() > kPersonMax || hasControl(person)) {
        return badOperand("PERSON", person, "1 to 100 octets without control characters");
    }
    return PeopleAddCommand{.login = name, .person = person.empty() ? name : person, .role = role};
}

base::Result<LettersListCommand> parseLetterFilter(const LetterFilterWords& words)
{
    constexpr std::array<std::string_view, 4> kStates{"open", "replaying", "resolved", "discarded"};
    LettersListCommand command;
    if (!words.cause.empty()) {
        command.cause = words.cause;
    }
    if (!words.state.empty()) {
        if (std::ranges::find(kStates, words.state) == kStates.end()) {
            return badOperand("STATE", words.state, "open, replaying, resolved or discarded");
        }
        command.state = words.state;
    }
    if (!words.limit.empty()) {
        const auto limit = parseInteger(words.limit);
        if (!limit || *limit < 1 || *limit > std::int64_t{base::kLettersListMax}) {
            return badOperand("LIMIT", words.limit, "a number of 1..1000");
        }
        command.limit = *limit;
    }
    if (!words.after.empty()) {
        if (!isId(words.after)) {
            return badOperand("AFTER", words.after, "the id of a letter");
        }
        command.after = parseInteger(words.after);
    }
    return command;
}

base::Result<LettersShowCommand> parseLetterId(const std::string& id)
{
    if (!isId(id)) {
        return badOperand("ID", id, "the id of a letter, as 'letters list' shows it");
    }
    return LettersShowCommand{*parseInteger(id)};
}

} // namespace config
