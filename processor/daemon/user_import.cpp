#include "processor/daemon/user_import.h"

#include "processor/pg/transaction.h"
#include "sql/user_import.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <span>

namespace processor {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kChunk = 1'000;
constexpr std::size_t kNamesMax = 20;
constexpr const char* kOtherReference = "users known under another external_ref";
constexpr pg::TransactionLimits kLimits{.statement = 60s, .lock = 10s};

base::Error refusal(const std::string& reason, const pg::Rows& rows)
{
    std::string text = reason + ":";
    for (int row = 0; row < rows.size(); ++row) text += " " + std::to_string(rows.bigint(row, 0));
    return {base::ErrorKind::Invalid, text};
}

base::Status requireKnownAssets(pg::Connection& connection, const UserFile& file)
{
    const auto rows = connection.run(sql::kUserImportAssets);
    if (!rows) return rows.error();
    std::set<std::string, std::less<>> known;
    for (int row = 0; row < rows->size(); ++row) known.emplace(rows->text(row, 0));

    std::set<std::string> unknown;
    for (const OpeningBalance& listed : file.balances) {
        if (!known.contains(listed.asset)) unknown.insert(listed.asset);
    }
    if (unknown.empty()) return base::Done{};
    std::string text = "unknown assets:";
    std::size_t named = 0;
    for (const std::string& asset : unknown) {
        if (++named <= kNamesMax) text += " " + asset;
    }
    return base::Error{base::ErrorKind::Invalid, text};
}

pg::Params paramsOf(std::span<const ListedUser> users)
{
    std::vector<std::int64_t> ids;
    std::vector<std::optional<std::string>> references;
    for (const ListedUser& user : users) {
        ids.push_back(user.id.value());
        references.push_back(user.externalRef);
    }
    pg::Params params;
    params.bigintArray(ids).textArray(references);
    return params;
}

base::Status requireSameReferences(pg::Connection& connection, std::span<const ListedUser> users)
{
    const auto others = connection.run(sql::kUserImportOtherReferences, paramsOf(users));
    if (!others) return others.error();
    if (!others->empty()) return refusal(kOtherReference, *others);
    return base::Done{};
}

base::Status makeRowsAhead(pg::Connection& connection, std::span<const OpeningBalance> balances)
{
    std::vector<std::int64_t> users;
    std::vector<std::string> assets;
    for (const OpeningBalance& listed : balances) {
        users.push_back(listed.user.value());
        assets.push_back(listed.asset);
    }
    pg::Transaction transaction{connection, kLimits};
    transaction.add(sql::kUserImportZeroRowsAhead,
        std::move(pg::Params{}.bigintArray(users).textArray(assets)));
    if (const auto made = transaction.commit(); !made) return made.error();
    return base::Done{};
}

base::Status writeUsers(pg::Transaction& transaction, std::span<const ListedUser> users)
{
    const pg::Params params = paramsOf(users);
    transaction.add(sql::kUserImportUsers, params);
    transaction.add(sql::kUserImportOtherReferences, params);
    const auto written = transaction.send();
    if (!written) {
        if (written.error().constraint == "users_external_ref") {
            return base::Error{base::ErrorKind::Invalid,
                "an external_ref belongs to another user already: " + written.error().message};
        }
        return written.error();
    }
    if (const pg::Rows& others = written->back(); !others.empty()) {
        return refusal(kOtherReference, others);
    }
    return base::Done{};
}

base::Status writeBalances(pg::Transaction& transaction, std::span<const OpeningBalance> balances)
{
    std::vector<std::int64_t> users;
    std::vector<std::string> assets;
    std::vector<std::string> amounts;
    for (const OpeningBalance& listed : balances) {
        users.push_back(listed.user.value());
        assets.push_back(listed.asset);
        amounts.push_back(listed.amount.toNumeric());
    }
    transaction.add(sql::kUserImportWrite,
        std::move(pg::Params{}.bigintArray(users).textArray(assets).textArray(amounts)));
    const auto written = transaction.send();
    if (!written) return written.error();
    if (const pg::Rows& busy = written->front(); !busy.empty()) {
        return refusal("the money of these users has moved already", busy);
    }
    return base::Done{};
}

template <class Item, class Write>
base::Status inChunks(const std::vector<Item>& items, const Write& write)
{
    for (std::size_t from = 0; from < items.size(); from += kChunk) {
        const std::span<const Item> chunk{
            items.data() + from, std::min(kChunk, items.size() - from)};
        if (auto written = write(chunk); !written) return written;
    }
    return base::Done{};
}

} // namespace

base::Result<ImportReport> importUsers(pg::Connection& connection, const UserFile& file)
{
    if (const auto known = requireKnownAssets(connection, file); !known) return known.error();

    const auto same = inChunks(
        file.users, [&](auto chunk) { return requireSameReferences(connection, chunk); });
    if (!same) return same.error();
    const auto ahead
        = inChunks(file.balances, [&](auto chunk) { return makeRowsAhead(connection, chunk); });
    if (!ahead) return ahead.error();

    pg::Transaction transaction{connection, kLimits};
    const auto users
        = inChunks(file.users, [&](auto chunk) { return writeUsers(transaction, chunk); });
    if (!users) return users.error();
    const auto balances
        = inChunks(file.balances, [&](auto chunk) { return writeBalances(transaction, chunk); });
    if (!balances) return balances.error();
    if (const auto committed = transaction.commit(); !committed) return committed.error();
    return ImportReport{file.users.size(), file.balances.size()};
}

} // namespace processor
