// Short words for writing batches down in a test.
#pragma once

#include "processor/domain/decide.h"

#include <cstdint>
#include <string>
#include <vector>

namespace model {

/** An amount that is known to be right; ends the process if it is not. */
domain::Amount amount(const std::string& numeric);

/** The account of `user` in ETH at version 0. */
domain::Account account(
    std::int64_t user, const std::string& balance, const std::string& debt = "0");

/** Event `no` with the id `e<no>`, of user 1 in ETH unless changed. */
domain::Candidate payment(std::int64_t no, const std::string& type, const std::string& amount);

/** The same for a refund of a deposit with the id `original`. */
domain::Candidate refund(std::int64_t no, const std::string& original, const std::string& amount);

/** The deposit `d` of user 1 over `amount` ETH. */
domain::Original original(
    domain::OriginalState state, const std::string& amount, const std::string& refunded = "0");

/** A batch of these accounts and events. */
domain::Batch batch(
    std::vector<domain::Account> accounts, std::vector<domain::Candidate> candidates);

/** A copy of `thing` that `change` has changed. */
template <class Thing, class Change>
Thing with(Thing thing, Change change)
{
    change(thing);
    return thing;
}

} // namespace model
