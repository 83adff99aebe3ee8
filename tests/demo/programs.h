// Programs: the two processes of the demonstration, one with the stores and one that settles.
#pragma once

#include "processor/base/result.h"
#include "processor/base/secret.h"
#include "tests/support/daemon.h"

#include <memory>
#include <string>

namespace demo {

struct Endpoints
{
    std::string http; // HOST:PORT
    std::string admin;
    std::string databaseUrl;
    std::string redisUrl;
    std::string secretFile;
};

/// Everything started here ends with the object. Use it from the main thread alone.
class Programs
{
public:
    /// Starts `serve --embedded FOLDER` without settle, and waits for its ready line.
    static base::Result<Programs> start(const std::string& folder);

    [[nodiscard]] const Endpoints& endpoints() const { return m_endpoints; }
    [[nodiscard]] base::Result<base::Secret> secret() const;

    /// `countersignd users import FILE`.
    base::Status importUsers(const std::string& csvFile);

    /// Starts the settling process, which joins by the first one's URLs.
    base::Status startWorker();
    /// SIGKILL.
    void killWorker();

    /// The name of a process that ended by itself, with the end of its log; empty: all run.
    [[nodiscard]] std::string whoEnded() const;
    /// SIGTERM to both; an error names who did not end with 0.
    base::Status stop();

private:
    Programs() = default;

    std::string m_folder;
    Endpoints m_endpoints;
    std::unique_ptr<support::Daemon> m_server;
    std::unique_ptr<support::Daemon> m_worker;
    int m_workers = 0;
};

} // namespace demo
