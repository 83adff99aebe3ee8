#include "processor/store/partitions.h"

#include "sql/partitions.h"

namespace store {

base::Result<std::int64_t> makePartitions(pg::Transaction& transaction)
{
    transaction.add(sql::kPartitionsMake);
    const auto made = transaction.send();
    if (!made) {
        return made.error();
    }
    CHECK(made->front().size() == 1);
    return made->front().bigint(0, 0);
}

} // namespace store
