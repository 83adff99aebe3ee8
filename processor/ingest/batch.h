// Batch: what a gathering of deliveries amounts to – judged, folded, decided. No I/O.
#pragma once

#include "processor/ingest/delivery.h"
#include "processor/ingest/reference.h"
#include "processor/ingest/verdict.h"
#include "processor/pg/params.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ingest {

/// One delivery with all that is found out about it.
struct Item
{
    explicit Item(Delivery given) : delivery{std::move(given)} {}

    Delivery delivery;
    bool isCulprit = false; // stood alone when PostgreSQL refused its data

    // By judge(); only an item without `refused` can become an event.
    std::optional<Refused> refused = {};
    pg::Bytes key = {};
    pg::Bytes fingerprint = {};
    std::optional<std::string> chain = {}; // where its transaction is, if it names one

    // By decide().
    Verdict verdict = Verdict::Quarantined;
    std::optional<std::int64_t> eventNo = {};
    bool keepsBody = false;

    [[nodiscard]] const Claimed& claimed() const { return std::get<Claimed>(delivery.content); }
    /// An event that cannot be settled before its transaction is final.
    [[nodiscard]] bool waitsForFinality() const;
};

/// What stands in event_keys for a delivery whose key was there already.
struct KnownEvent
{
    std::int64_t eventNo;
    pg::Bytes fingerprint;
    bool isBodyKept;
};

using KeyNumbers = std::unordered_map<std::string, std::int64_t>; // key octets → event_no

/// The key's octets as a text, for maps.
[[nodiscard]] std::string asText(const pg::Bytes& octets);

/// Finds what refuses each delivery – or its key, fingerprint and chain. Needs a prepared
/// Reference. May be repeated: the result depends on delivery, culprit mark and reference alone.
void judge(std::span<Item> items, const Reference& reference);

/// The first item of each key, in order of arrival: the ones whose keys are inserted.
[[nodiscard]] std::vector<const Item*> leaders(std::span<const Item> items);

/// Verdict, number and fate of the body of each item. `inserted` are the keys that were new;
/// `known` has an entry for each item (by index) that is not refused and whose key was not.
/// The first delivery with a new key is accepted; whoever says the same is a duplicate of it,
/// whoever says something else a conflict. A body is kept once an event.
void decide(std::span<Item> items, const KeyNumbers& inserted,
    const std::unordered_map<std::size_t, KnownEvent>& known);

} // namespace ingest
