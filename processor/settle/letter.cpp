#include "processor/settle/letter.h"

#include "processor/base/hex.h"
#include "processor/base/utf8.h"
#include "processor/base/uuid.h"
#include "processor/crypto/sha256.h"

#include <array>
#include <span>

namespace settle {
namespace {

constexpr std::size_t kCauseOctets = 8;
constexpr std::size_t kErrorTextMax = 1'000;

bool isWord(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The end of a quoted or bracketed value that begins at `from`; `from` itself if it does not end.
std::size_t endOfValue(std::string_view text, std::size_t from)
{
    const char close = text[from] == '(' ? ')' : text[from];
    const std::size_t end = text.find(close, from + 1);
    return end == std::string_view::npos ? from : end;
}

/// Values in quotes or brackets and words with a digit in them (numbers, ids, hashes) become #.
std::string normalised(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '\'' || text[i] == '"' || text[i] == '(') {
            const std::size_t end = endOfValue(text, i);
            if (end != i) {
                out += '#';
                i = end + 1;
                continue;
            }
        }
        if (!isWord(text[i])) {
            out += text[i++];
            continue;
        }
        std::size_t end = i;
        bool hasDigit = false;
        for (; end < text.size() && isWord(text[end]); ++end) hasDigit |= isDigit(text[end]);
        out += hasDigit ? std::string_view{"#"} : text.substr(i, end - i);
        i = end;
    }
    return out;
}

/// pg puts the name of the statement before what the server says.
std::string_view placeOf(std::string_view message)
{
    const std::size_t colon = message.find(':');
    return colon == std::string_view::npos ? std::string_view{"settle"} : message.substr(0, colon);
}

std::string_view sentenceOf(domain::Failure failure)
{
    switch (failure) {
    case domain::Failure::InsufficientFunds:
        return "the balance does not cover the amount";
    case domain::Failure::DuplicatePayment:
        return "another event holds this transfer";
    case domain::Failure::Orphaned:
        return "its transaction vanished in a reorganisation";
    case domain::Failure::NotOnChain:
        return "the receipt does not say what the event says";
    case domain::Failure::Exhausted:
        return "all attempts failed";
    case domain::Failure::Poison:
        return "its worker ended during each of its last tries";
    case domain::Failure::DataError:
        return "PostgreSQL refused its data";
    case domain::Failure::UnknownEventType:
        return "no live instance knows this event type";
    case domain::Failure::BalanceOverflow:
        return "the balance would reach 10^20";
    case domain::Failure::OriginalMissing:
        return "there is no confirmed deposit of this user, asset and merchant with that event id";
    case domain::Failure::RefundExceedsOriginal:
        return "the refunds would exceed their deposit";
    case domain::Failure::UserVanished:
        return "the user is gone since intake";
    case domain::Failure::StateContradiction:
        return "state and outcome exclude each other";
    }
    return "unknown failure";
}

} // namespace

std::string causeOf(std::string_view errorClass, std::string_view text, std::string_view place)
{
    const std::string sentence = normalised(text); // outlives the loop that looks at it
    std::string told;
    for (const std::string_view part : {errorClass, std::string_view{sentence}, place}) {
        told += part;
        told += '\0';
    }
    const auto digest = crypto::sha256(told);
    return base::toHex(std::span{digest}.first(kCauseOctets));
}

Letter letterOfFailure(domain::EventNo no, domain::Failure failure, int attempt)
{
    const auto name = domain::toText(failure);
    const auto sentence = sentenceOf(failure);
    return Letter{no, base::randomUuid(), std::string{sentence}, std::string{name},
        causeOf(name, sentence, "decide"), attempt};
}

Letter letterOfError(
    domain::EventNo no, domain::Failure failure, const base::Error& error, int attempt)
{
    const bool hasOwnClass = failure == domain::Failure::StateContradiction || error.code.empty();
    const std::string errorClass = hasOwnClass ? std::string{domain::toText(failure)} : error.code;
    return Letter{no, base::randomUuid(), base::cleanText(error.message, kErrorTextMax), errorClass,
        causeOf(errorClass, error.message, placeOf(error.message)), attempt};
}

} // namespace settle
