// CountedWrites: statements that each say how many rows they must write, or all is rolled back.
#pragma once

#include "processor/pg/transaction.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace settle {

/// Gathers the writes of one round trip.
class CountedWrites
{
public:
    explicit CountedWrites(pg::Transaction& transaction) : m_transaction{transaction} {}

    void add(const pg::Statement& statement, pg::Params params, std::size_t rows);
    /// A write that may find its row already there.
    void addUncounted(const pg::Statement& statement, pg::Params params);

    /// One round trip. Another number of rows than promised: somebody changed what was read, so it
    /// is Conflict with code "row_count", and the transaction is over.
    base::Status send();

private:
    struct Expected
    {
        const char* statement;
        std::optional<std::size_t> rows;
    };

    pg::Transaction& m_transaction;
    std::vector<Expected> m_expected;
};

inline constexpr const char* kRowCountCode = "row_count";

} // namespace settle
