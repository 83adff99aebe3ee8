// Verdict: what became of an authentic delivery; the public words of `deliveries` and of answers.
#pragma once

#include <string_view>

namespace ingest {

enum class Verdict {
    Accepted,
    Duplicate,
    Conflict, // the same id and type, but it says something else
    Quarantined,
};

constexpr std::string_view textOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Accepted:
        return "accepted";
    case Verdict::Duplicate:
        return "duplicate";
    case Verdict::Conflict:
        return "conflict";
    case Verdict::Quarantined:
        break;
    }
    return "quarantined";
}

} // namespace ingest
