// Judges what stands behind a command's name.
#pragma once

#include "processor/base/result.h"
#include "processor/config/command.h"

#include <string>

namespace config {

/// `assets add CODE CHAIN CONTRACT|native DECIMALS`: Invalid, naming the word, unless CODE is 1-32
/// capitals and digits, CHAIN a CAIP-2 name, CONTRACT 0x and 40 hexadecimal digits (taken in lower
/// case) or "native", and DECIMALS 0..18.
[[nodiscard]] base::Result<AssetsAddCommand> parseAsset(const std::string& code,
    const std::string& chain, const std::string& contract, const std::string& decimals);

/// `people add NAME ROLE [--person PERSON]`: Invalid, naming the word, unless NAME can be a
/// person's login (1-63 octets, none a control character; not "public", "none", and not reserved as
/// pg_… and countersign_… are), ROLE is one of people's, PERSON 1-100 characters. An empty
/// PERSON is NAME.
[[nodiscard]] base::Result<PeopleAddCommand> parsePerson(
    const std::string& name, const std::string& role, const std::string& person);

/// What `letters list` was given as text; empty where nothing was given.
struct LetterFilterWords
{
    std::string cause;
    std::string state;
    std::string limit;
    std::string after;
};

/// Invalid, naming the word, unless the state is one of a letter's, LIMIT 1..1000 and AFTER an id.
[[nodiscard]] base::Result<LettersListCommand> parseLetterFilter(const LetterFilterWords& words);

/// `letters show ID`.
[[nodiscard]] base::Result<LettersShowCommand> parseLetterId(const std::string& id);

} // namespace config
