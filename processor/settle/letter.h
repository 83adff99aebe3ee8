// Letter: what a dead letter says beyond its event: text that people read, cause they group by.
#pragma once

#include "processor/base/result.h"
#include "processor/domain/failure.h"
#include "processor/domain/ids.h"

#include <string>
#include <string_view>

namespace settle {

struct Letter
{
    domain::EventNo no;
    std::string uid; // the same in every copy
    std::string error; // a sentence
    std::string errorClass; // SQLSTATE, or the failure's name
    std::string cause; // stable fingerprint, see causeOf()
    int attempt = 1; // the one that failed
};

/// The letter of an event that the decision itself refused.
Letter letterOfFailure(domain::EventNo no, domain::Failure failure, int attempt);

/// The letter of an event whose attempts ended with this error.
Letter letterOfError(
    domain::EventNo no, domain::Failure failure, const base::Error& error, int attempt);

/// 16 hexadecimal digits that are the same for the same kind of trouble: SHA-256 of the class, the
/// text without what differs from event to event (numbers, hexadecimal, quoted values), and the
/// place in the code, for which the name of a statement stands.
std::string causeOf(std::string_view errorClass, std::string_view text, std::string_view place);

} // namespace settle
