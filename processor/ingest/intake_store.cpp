#include "processor/ingest/intake_store.h"

#include "processor/domain/log_kind.h"
#include "processor/ingest/headers_json.h"
#include "sql/intake.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace ingest {
namespace {

pg::Bytes bytesOf(std::span<const std::byte> octets)
{
    return {octets.begin(), octets.end()};
}

pg::Bytes bytesOf(const std::string& text)
{
    const auto octets = std::as_bytes(std::span{text.data(), text.size()});
    return {octets.begin(), octets.end()};
}

std::string headersOf(const Item& item)
{
    return headersJson(item.delivery.headers, item.delivery.source->signatureHeader);
}

// An array literal, because arrays of arrays must be rectangular.
std::optional<std::string> positionText(const std::optional<std::vector<std::int32_t>>& position)
{
    if (!position) return std::nullopt;
    std::string text = "{";
    for (const std::int32_t number : *position) {
        text += (text.size() > 1 ? "," : "") + std::to_string(number);
    }
    return text + "}";
}

void addQuarantine(pg::Transaction& transaction, std::span<const Item> items)
{
    // One row a body: ON CONFLICT cannot change a row twice in one statement.
    std::map<crypto::Digest, std::pair<const Item*, std::int64_t>> bodies;
    for (const Item& item : items) {
        if (!item.refused) continue;
        auto& entry = bodies[item.delivery.bodySha256];
        if (entry.first == nullptr) entry.first = &item;
        ++entry.second;
    }
    if (bodies.empty()) return;
    std::vector<std::string> sources, reasons, details, headers;
    std::vector<pg::Bytes> hashes, contents;
    std::vector<std::int64_t> counts;
    for (const auto& [hash, entry] : bodies) {
        const Item& item = *entry.first;
        sources.push_back(item.delivery.source->name);
        reasons.emplace_back(rowOf(item.refused->reason).code);
        details.push_back(item.refused->detail);
        hashes.push_back(bytesOf(hash));
        contents.push_back(bytesOf(item.delivery.body));
        headers.push_back(headersOf(item));
        counts.push_back(entry.second);
    }
    pg::Params params;
    params.textArray(sources).textArray(reasons).textArray(details).byteaArray(hashes);
    params.byteaArray(contents).textArray(headers).bigintArray(counts);
    transaction.add(sql::kIntakeQuarantineUpsert, std::move(params));
}

void addEvents(pg::Transaction& transaction, std::span<const Item* const> accepted)
{
    std::vector<std::int64_t> numbers, users, workNumbers, workUsers;
    std::vector<std::string> ids, types, sources, assets, amounts, traceIds;
    std::vector<std::optional<std::string>> merchants, originals, chains, hashes, positions,
        addresses;
    for (const Item* item : accepted) {
        const Claimed& claimed = item->claimed();
        numbers.push_back(*item->eventNo);
        ids.push_back(claimed.eventId);
        types.emplace_back(domain::toText(claimed.type));
        sources.push_back(item->delivery.source->name);
        users.push_back(claimed.user.value());
        assets.push_back(claimed.asset);
        amounts.push_back(claimed.amount.toText());
        merchants.push_back(claimed.merchant);
        originals.push_back(claimed.originalEventId);
        chains.push_back(item->chain);
        hashes.push_back(claimed.txHash);
        positions.push_back(positionText(claimed.txPosition));
        addresses.push_back(claimed.toAddress);
        traceIds.push_back(item->delivery.traceId);
        if (item->waitsForFinality()) continue;
        workNumbers.push_back(*item->eventNo);
        workUsers.push_back(claimed.user.value());
    }
    pg::Params params;
    params.bigintArray(numbers).textArray(ids).textArray(types).textArray(sources);
    params.bigintArray(users).textArray(assets).textArray(amounts).textArray(merchants);
    params.textArray(originals).textArray(chains).textArray(hashes).textArray(positions);
    params.textArray(addresses).textArray(traceIds);
    params.bigintArray(workNumbers).bigintArray(workUsers);
    transaction.add(sql::kIntakeEventsInsert, std::move(params));
}

void addWaits(pg::Transaction& transaction, std::span<const Item* const> accepted)
{
    std::vector<std::int64_t> numbers, users;
    std::vector<std::string> chains;
    for (const Item* item : accepted) {
        if (!item->waitsForFinality()) continue;
        numbers.push_back(*item->eventNo);
        users.push_back(item->claimed().user.value());
        chains.push_back(*item->chain);
    }
    if (numbers.empty()) return;
    pg::Params params;
    params.bigintArray(numbers).bigintArray(users).textArray(chains);
    transaction.add(sql::kIntakeWaitsInsert, std::move(params));
}

void addDeliveries(
    pg::Transaction& transaction, std::span<const Item> items, std::span<const RefusedRow> samples)
{
    std::vector<std::optional<std::int64_t>> numbers;
    std::vector<std::string> sources, verdicts, traceIds;
    std::vector<pg::Bytes> hashes;
    std::vector<std::optional<pg::Bytes>> contents;
    std::vector<std::optional<std::string>> headers, remotes;
    for (const Item& item : items) {
        numbers.push_back(item.eventNo);
        sources.push_back(item.delivery.source->name);
        verdicts.emplace_back(textOf(item.verdict));
        traceIds.push_back(item.delivery.traceId);
        hashes.push_back(bytesOf(item.delivery.bodySha256));
        remotes.emplace_back(item.delivery.remote);
        // A quarantined body stands in quarantine; a repeated one is kept already.
        contents.push_back(
            item.keepsBody ? std::optional{bytesOf(item.delivery.body)} : std::nullopt);
        headers.push_back(item.keepsBody ? std::optional{headersOf(item)} : std::nullopt);
    }
    for (const RefusedRow& row : samples) {
        numbers.emplace_back(std::nullopt);
        sources.push_back(row.source);
        verdicts.emplace_back("refused");
        traceIds.push_back(row.traceId);
        hashes.push_back(bytesOf(row.bodySha256));
        remotes.push_back(row.remote.empty() ? std::nullopt : std::optional{row.remote});
        contents.push_back(row.body.empty() ? std::nullopt : std::optional{bytesOf(row.body)});
        headers.emplace_back(row.headers);
    }
    pg::Params params;
    params.bigintArray(numbers).textArray(sources).textArray(verdicts).byteaArray(hashes);
    params.byteaArray(contents).textArray(headers).textArray(traceIds).textArray(remotes);
    transaction.add(sql::kIntakeDeliveriesInsert, std::move(params));
}

std::vector<const Item*> acceptedOf(std::span<const Item> items)
{
    std::vector<const Item*> accepted;
    for (const Item& item : items) {
        if (item.verdict == Verdict::Accepted) accepted.push_back(&item);
    }
    return accepted;
}

} // namespace

base::Result<KeyNumbers> insertKeys(
    pg::Transaction& transaction, std::span<const Item* const> leaders)
{
    KeyNumbers inserted;
    if (leaders.empty()) return inserted;
    std::vector<pg::Bytes> keys, fingerprints;
    for (const Item* item : leaders) {
        keys.push_back(item->key);
        fingerprints.push_back(item->fingerprint);
    }
    transaction.add(
        sql::kIntakeKeysInsert, std::move(pg::Params{}.byteaArray(keys).byteaArray(fingerprints)));
    const auto answers = transaction.send();
    if (!answers) return answers.error();
    const pg::Rows& rows = answers->front();
    for (int row = 0; row < rows.size(); ++row) {
        inserted.emplace(asText(bytesOf(rows.bytea(row, 0))), rows.bigint(row, 1));
    }
    return inserted;
}

base::Result<std::unordered_map<std::size_t, KnownEvent>> readKnown(
    pg::Transaction& transaction, std::span<const Item> items, const KeyNumbers& inserted)
{
    std::unordered_map<std::size_t, KnownEvent> known;
    std::vector<std::size_t> places;
    std::vector<pg::Bytes> keys, hashes;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].refused || inserted.contains(asText(items[i].key))) continue;
        places.push_back(i);
        keys.push_back(items[i].key);
        hashes.push_back(bytesOf(items[i].delivery.bodySha256));
    }
    if (places.empty()) return known;
    transaction.add(
        sql::kIntakeKeysRead, std::move(pg::Params{}.byteaArray(keys).byteaArray(hashes)));
    const auto answers = transaction.send();
    if (!answers) return answers.error();
    const pg::Rows& rows = answers->front();
    for (int row = 0; row < rows.size(); ++row) {
        const auto place = static_cast<std::size_t>(rows.bigint(row, 0)) - 1;
        known.emplace(places.at(place),
            KnownEvent{rows.bigint(row, 1), bytesOf(rows.bytea(row, 2)), rows.boolean(row, 3)});
    }
    if (known.size() != places.size()) {
        return base::Error{
            base::ErrorKind::Conflict, "a key that was there a moment ago cannot be seen"};
    }
    return known;
}

void addWrites(
    pg::Transaction& transaction, std::span<const Item> items, std::span<const RefusedRow> samples)
{
    addQuarantine(transaction, items);
    const auto accepted = acceptedOf(items);
    if (!accepted.empty()) {
        addEvents(transaction, accepted);
        addWaits(transaction, accepted);
    }
    addDeliveries(transaction, items, samples);
}

std::vector<store::LogEntry> logEntries(std::span<const Item> items)
{
    std::vector<store::LogEntry> entries;
    for (const Item* item : acceptedOf(items)) {
        if (item->waitsForFinality()) continue;
        const Claimed& claimed = item->claimed();
        entries.push_back({.eventNo = *item->eventNo,
            .kind = std::string{domain::toText(domain::LogKind::Enqueued)},
            .traceId = item->delivery.traceId,
            .paymentId = claimed.eventId,
            .eventType = std::string{domain::toText(claimed.type)},
            .userId = claimed.user.value(),
            .merchantId = claimed.merchant,
            .asset = claimed.asset,
            .amount = claimed.amount.toText()});
    }
    return entries;
}

} // namespace ingest
