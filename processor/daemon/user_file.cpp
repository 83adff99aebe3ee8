#include "processor/daemon/user_file.h"

#include "processor/base/limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace processor {
namespace {

constexpr std::size_t kComplaintsMax = 20;
constexpr std::size_t kColumns = 4;

struct Record
{
    std::size_t line; // where it begins
    std::vector<std::string> fields;
    bool isBroken = false; // a quote that never closes, or text after one
};

/// One record per call; a quoted field may contain commas, doubled quotes and line breaks.
class CsvReader
{
public:
    explicit CsvReader(std::istream& in) : m_in{in} {}

    std::optional<Record> next()
    {
        if (m_in.peek() == std::istream::traits_type::eof()) return std::nullopt;
        Record record{.line = m_line, .fields = {""}};
        bool isQuoted = false;
        bool wasQuoted = false;
        for (char c = 0; m_in.get(c);) {
            if (c == '\n') ++m_line;
            if (isQuoted) {
                if (c != '"') {
                    record.fields.back() += c;
                } else if (m_in.peek() == '"') {
                    record.fields.back() += static_cast<char>(m_in.get());
                } else {
                    isQuoted = false;
                    wasQuoted = true;
                }
            } else if (c == '\n') {
                return record;
            } else if (c == ',') {
                record.fields.emplace_back();
                wasQuoted = false;
            } else if (c == '"' && record.fields.back().empty() && !wasQuoted) {
                isQuoted = true;
            } else if (c != '\r' || m_in.peek() != '\n') {
                record.isBroken = record.isBroken || wasQuoted || c == '"';
                record.fields.back() += c;
            }
        }
        record.isBroken = record.isBroken || isQuoted;
        return record;
    }

private:
    std::istream& m_in;
    std::size_t m_line = 1;
};

class Judge
{
public:
    void take(const Record& record)
    {
        if (record.fields == std::vector<std::string>{""}) return; // a blank line
        if (record.isBroken) return complain(record, "broken quotes");
        if (record.fields.size() != kColumns) {
            return complain(record,
                "needs " + std::to_string(kColumns) + " columns: user_id, external_ref, asset, "
                    + "opening balance");
        }
        const auto user = readUser(record);
        if (!user) return;
        readBalance(record, *user);
    }

    base::Result<UserFile> finish()
    {
        if (!m_complaints.empty()) {
            if (m_dropped > 0) {
                m_complaints += "\nand " + std::to_string(m_dropped) + " more";
            }
            return base::Error{base::ErrorKind::Invalid, m_complaints};
        }
        UserFile file;
        for (auto& [id, reference] : m_users) {
            file.users.push_back({domain::UserId{id}, std::move(reference)});
        }
        for (auto& [account, amount] : m_balances) {
            file.balances.push_back({domain::UserId{account.first}, account.second, amount});
        }
        return file;
    }

private:
    void complain(const Record& record, const std::string& reason)
    {
        if (++m_count > kComplaintsMax) {
            ++m_dropped;
            return;
        }
        if (!m_complaints.empty()) m_complaints += '\n';
        m_complaints += "line " + std::to_string(record.line) + ": " + reason;
    }

    std::optional<std::int64_t> readUser(const Record& record)
    {
        const std::string& text = record.fields[0];
        std::int64_t id = 0;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (failure != std::errc{} || end != text.data() + text.size() || id <= 0) {
            complain(record, "user_id is not a positive whole number");
            return std::nullopt;
        }
        std::optional<std::string> reference;
        if (!record.fields[1].empty()) reference = record.fields[1];
        if (reference && reference->size() > base::kIdMax) {
            complain(record, "external_ref is longer than 200 bytes");
            return std::nullopt;
        }
        const auto [known, isNew] = m_users.try_emplace(id, reference);
        if (!isNew && reference && known->second && *reference != *known->second) {
            complain(record, "another external_ref than in an earlier line");
            return std::nullopt;
        }
        if (!isNew && reference) known->second = reference;
        return id;
    }

    void readBalance(const Record& record, std::int64_t user)
    {
        const std::string& asset = record.fields[2];
        const std::string& text = record.fields[3];
        if (asset.empty() && text.empty()) return;
        if (asset.empty() || text.empty()) {
            return complain(record, "asset and opening balance come together or not at all");
        }
        const auto amount = domain::Amount::parseBalance(text);
        if (!amount) return complain(record, "opening balance: " + amount.error().message);
        if (!m_balances.try_emplace({user, asset}, *amount).second) {
            complain(record, "a second balance of the same user and asset");
        }
    }

    std::map<std::int64_t, std::optional<std::string>> m_users;
    std::map<std::pair<std::int64_t, std::string>, domain::Amount> m_balances;
    std::string m_complaints;
    std::size_t m_count = 0;
    std::size_t m_dropped = 0;
};

bool isHeading(const Record& record)
{
    return !record.fields.empty() && record.fields[0] == "user_id";
}

} // namespace

base::Result<UserFile> readUserFile(std::istream& in)
{
    CsvReader reader{in};
    Judge judge;
    bool isFirst = true;
    while (const auto record = reader.next()) {
        if (!std::exchange(isFirst, false) || !isHeading(*record)) judge.take(*record);
    }
    return judge.finish();
}

} // namespace processor
