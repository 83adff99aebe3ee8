// Signed traffic that goes on while things break, and remembers what was answered 200.
#pragma once

#include "processor/base/secret.h"
#include "tests/support/webhook.h"

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

/// Senders on threads of their own: deposits of 1 to users 1…users, each event sent until some
/// answer comes, every fifth one sent twice. Addresses may change while it runs (a restart).
class Traffic
{
public:
    Traffic(base::Secret secret, int senders, std::int64_t users);
    ~Traffic();

    /// Where to send from now on; empty means nobody is there, senders wait.
    void aim(const std::string& address);
    void stop();

    /// Event ids that were answered 200 accepted or duplicate.
    std::set<std::string> promised();

private:
    void run(std::stop_token stop, int sender);
    bool sendOne(support::WebhookSender& sender, const support::Payment& payment);
    std::string address();

    base::Secret m_secret;
    std::int64_t m_users;
    std::mutex m_mutex;
    std::string m_address;
    std::set<std::string> m_promised;
    std::vector<std::jthread> m_threads;
};
