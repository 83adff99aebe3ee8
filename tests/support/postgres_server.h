// A private PostgreSQL for one test program: no Redis, no restarts that the test did not ask for.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/folder.h"
#include "processor/embedded/keeper.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace support {

/// On a Unix socket in a folder of its own, without fsync, as user postgres when we are root. Ends
/// with this object and with this process, however that ends. Not being able to start is an error
/// that fails the test, never a reason to skip it.
class PostgresServer
{
public:
    /// `settings` are "name=value".
    static base::Result<std::unique_ptr<PostgresServer>> start(
        const std::vector<std::string>& settings = {});

    /// A libpq URI of the superuser.
    [[nodiscard]] std::string url(const std::string& database = "countersign") const;
    /// Creates an empty database and returns its URI.
    base::Result<std::string> createDatabase();

    [[nodiscard]] pid_t pid() const { return m_keeper->pid(); }
    [[nodiscard]] std::string socketFile() const;
    /// Down, in order, until resume().
    void pause() { m_keeper->hold(); }
    base::Status resume() { return m_keeper->release(); }

private:
    PostgresServer() = default;

    TempFolder m_temp;
    std::unique_ptr<embedded::Folder> m_folder;
    std::unique_ptr<embedded::Keeper> m_keeper;
    int m_databases = 0;
};

} // namespace support
