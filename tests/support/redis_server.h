// A private Redis for one test, on a Unix socket, killed at the end of the scope.
#pragma once

#include "processor/base/result.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace support {

class RedisServer
{
public:
    /// Starts redis-server and waits until it answers (also "NOAUTH" or "LOADING" is an answer).
    /// `settings` go to its command line, for instance {"--requirepass", "sesame"}. Without
    /// redis-server in PATH it is an error, which a test has to fail for.
    static base::Result<std::unique_ptr<RedisServer>> start(std::vector<std::string> settings = {});
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;

    [[nodiscard]] std::string socketPath() const { return m_folder.file("redis.sock"); }
    [[nodiscard]] std::string url() const { return "unix://" + socketPath(); }
    [[nodiscard]] std::string folder() const { return m_folder.path(); }

    /// SIGKILL, and its end awaited.
    void kill();
    /// kill(), then starts it in the same folder, with more settings for this time: empty, unless
    /// the settings or SAVE kept the data.
    base::Status restart(const std::vector<std::string>& more = {});
    /// SIGSTOP: connections stay open and nothing answers until thaw().
    void freeze();
    void thaw();

private:
    explicit RedisServer(std::vector<std::string> settings);
    base::Status launch(const std::vector<std::string>& more);

    const std::vector<std::string> m_settings;
    TempFolder m_folder;
    std::unique_ptr<Process> m_process;
};

} // namespace support
