// A PgBouncer in transaction mode before a PostgreSQL, as an operator would run it.
#pragma once

#include "processor/base/result.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>

namespace support {

/// Each user of each database gets at most `poolSize` connections to the server; who comes later
/// waits. Ends with this object. Not being able to start is an error that fails the test.
class PgBouncer
{
public:
    /// `serverUrl` is a libpq URI of a PostgreSQL on a Unix socket.
    static base::Result<std::unique_ptr<PgBouncer>> start(
        const std::string& serverUrl, int poolSize);

    /// The way to the database of the server's URL, through the pooler.
    [[nodiscard]] const std::string& url() const { return m_url; }
    /// What it logged.
    [[nodiscard]] std::string log() const { return m_process->errorOutput(); }

private:
    PgBouncer() = default;

    TempFolder m_folder;
    std::string m_url;
    std::unique_ptr<Process> m_process;
};

} // namespace support
