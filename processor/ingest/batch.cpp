#include "processor/ingest/batch.h"

#include "processor/base/check.h"
#include "processor/crypto/sha256.h"
#include "processor/domain/fingerprint.h"
#include "processor/domain/idempotency_key.h"

#include <set>
#include <unordered_set>
#include <utility>

namespace ingest {
namespace {

std::optional<Refused> refusalOf(const Item& item, const Reference& reference)
{
    if (const auto* refused = std::get_if<Refused>(&item.delivery.content)) return *refused;
    if (item.isCulprit) {
        return Refused{Reason::DataError, "the database refused the data of this event"};
    }
    const Claimed& claimed = item.claimed();
    const Asset* asset = reference.asset(claimed.asset);
    if (asset == nullptr) {
        return Refused{Reason::UnknownAsset, "asset is not known here, or not enabled"};
    }
    if (claimed.chain && *claimed.chain != asset->chain) {
        return Refused{Reason::UnknownAsset, "asset is not known on this chain"};
    }
    if (!reference.hasUser(claimed.user)) return Refused{Reason::UnknownUser, "user not found"};
    if (claimed.toAddress) {
        const auto owner = reference.ownerOf(asset->chain, *claimed.toAddress);
        if (owner && *owner != claimed.user) {
            return Refused{Reason::ForeignAddress, "to_address belongs to another user"};
        }
    }
    return std::nullopt;
}

pg::Bytes hashed(const std::string& octets)
{
    const crypto::Digest digest = crypto::sha256(octets);
    return {digest.begin(), digest.end()};
}

pg::Bytes fingerprintOf(const Claimed& claimed, const std::optional<std::string>& chain)
{
    domain::FingerprintFields fields{.eventType = domain::toText(claimed.type),
        .user = claimed.user,
        .address = std::nullopt,
        .asset = claimed.asset,
        .amount = claimed.amount};
    if (claimed.merchant) fields.merchant = *claimed.merchant;
    if (claimed.originalEventId) fields.original = *claimed.originalEventId;
    if (chain) fields.chain = *chain;
    if (claimed.txHash) fields.txHash = *claimed.txHash;
    return hashed(domain::fingerprintBytes(fields));
}

// An event as the items of one batch see it: the first of them, or what the database knew.
struct Seen
{
    std::int64_t eventNo;
    pg::Bytes fingerprint;
};

} // namespace

bool Item::waitsForFinality() const
{
    return claimed().txHash.has_value() && domain::isCredit(claimed().type);
}

std::string asText(const pg::Bytes& octets)
{
    return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

void judge(std::span<Item> items, const Reference& reference)
{
    for (Item& item : items) {
        item.refused = refusalOf(item, reference);
        if (item.refused) continue;
        const Claimed& claimed = item.claimed();
        // A chain is stored, and is part of what the event says, where it says where its
        // transaction is; otherwise the asset says it all.
        if (claimed.txHash) item.chain = reference.asset(claimed.asset)->chain;
        item.key
            = hashed(domain::idempotencyKeyBytes(claimed.eventId, domain::toText(claimed.type)));
        item.fingerprint = fingerprintOf(claimed, item.chain);
    }
}

std::vector<const Item*> leaders(std::span<const Item> items)
{
    std::vector<const Item*> first;
    std::unordered_set<std::string> seen;
    for (const Item& item : items) {
        if (!item.refused && seen.insert(asText(item.key)).second) first.push_back(&item);
    }
    return first;
}

void decide(std::span<Item> items, const KeyNumbers& inserted,
    const std::unordered_map<std::size_t, KnownEvent>& known)
{
    std::unordered_map<std::string, Seen> events;
    std::set<std::pair<std::int64_t, crypto::Digest>> bodies;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Item& item = items[i];
        item.eventNo.reset();
        item.keepsBody = false;
        item.verdict = Verdict::Quarantined;
        if (item.refused) continue;

        const std::string key = asText(item.key);
        const auto fresh = inserted.find(key);
        bool isKept = false;
        if (fresh == inserted.end()) {
            const auto found = known.find(i);
            CHECK(found != known.end()); // whoever is not new was read
            events.insert_or_assign(key, Seen{found->second.eventNo, found->second.fingerprint});
            isKept = found->second.isBodyKept;
        }
        const auto [event, isFirst] = events.try_emplace(
            key, fresh != inserted.end() ? Seen{fresh->second, item.fingerprint} : Seen{});
        item.eventNo = event->second.eventNo;
        if (isFirst) {
            item.verdict = Verdict::Accepted;
        } else {
            const bool saysTheSame = event->second.fingerprint == item.fingerprint;
            item.verdict = saysTheSame ? Verdict::Duplicate : Verdict::Conflict;
        }
        item.keepsBody = bodies.emplace(*item.eventNo, item.delivery.bodySha256).second && !isKept;
    }
}

} // namespace ingest
