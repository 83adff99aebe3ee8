// A private PostgreSQL and Redis on Unix sockets in one folder, running while the object lives.
#pragma once

#include "processor/base/result.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace embedded {

enum class Store { Postgres, Redis };

struct StackOptions
{
    std::string folder;
    bool fsync = true; // false only where losing everything with the machine is fine: tests
    std::vector<std::string> postgresSettings = {}; // "name=value", over the defaults
    std::vector<std::string> redisSettings = {}; // "name value", over the defaults
    // Up again after a death. Called on the thread that watches the store, so it must be short.
    std::function<void(Store)> onRestarted = {};
};

/// The stores end with this process, also when it is killed, and a store that dies is restarted.
class Stack
{
public:
    /// Creates the folder and the stores on first use and returns when both answer. Errors:
    /// Conflict when another process serves the folder, NotFound when a program is not installed,
    /// Invalid when the folder cannot be used, else Unavailable with the end of the store's log.
    static base::Result<std::unique_ptr<Stack>> start(StackOptions options);
    ~Stack();
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;

    /// libpq URI of the stack's superuser over the socket.
    [[nodiscard]] std::string databaseUrl(const std::string& database = "countersign") const;
    /// unix://PATH
    [[nodiscard]] std::string redisUrl() const;
    /// The webhook secret, made on first use: 64 hexadecimal digits and a newline, mode 0600.
    [[nodiscard]] std::string secretFile() const;
    [[nodiscard]] const std::string& folder() const; // absolute

    /// Of the running store; -1 while it is down.
    [[nodiscard]] pid_t pid(Store store) const;
    [[nodiscard]] bool isUp(Store store) const;
    [[nodiscard]] bool waitUp(Store store, std::chrono::milliseconds limit) const;

    /// Ends a store in order and keeps it down, for outages made on purpose.
    void hold(Store store);
    /// Starts a held store and waits until it answers.
    base::Status release(Store store);

    /// Ends both in order (the destructor does the same). The stack cannot be started again.
    void stop();

private:
    struct State;
    explicit Stack(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace embedded
