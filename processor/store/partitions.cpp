#include "processor/store/partitions.h"

#include "sql/partitions.h"

namespace store {

base::Result<std::int64_t> makePartitions(pg::Connection& connection)
{
    const auto made = connection.run(sql::kPartitionsMake);
    if (!made) {
        return made.error();
    }
    CHECK(made->size() == 1);
    return made->bigint(0, 0);
}

} // namespace store
