#include "processor/pg/connect.h"

#include "processor/pg/deadline.h"
#include "processor/pg/sql_state.h"

#include <algorithm>
#include <charconv>
#include <libpq-fe.h>
#include <poll.h>
#include <string_view>

namespace pg {
namespace {

using Setting = std::pair<std::string, std::string>;
using Settings = std::vector<Setting>;

struct FreeOptions
{
    void operator()(PQconninfoOption* raw) const noexcept { PQconninfoFree(raw); }
};

const std::string* find(const Settings& settings, std::string_view key)
{
    const auto found = std::ranges::find(settings, key, &Setting::first);
    return found == settings.end() ? nullptr : &found->second;
}

void setDefault(Settings& settings, const char* key, std::string value)
{
    if (find(settings, key) == nullptr) settings.emplace_back(key, std::move(value));
}

// What the URL says, and our own wishes where it says nothing.
base::Result<Settings> readUrl(const ConnectOptions& options)
{
    const std::unique_ptr<PQconninfoOption, FreeOptions> parsed{
        PQconninfoParse(options.url.c_str(), nullptr)};
    if (!parsed) { // libpq's own message repeats the URL, password and all
        return base::Error{base::ErrorKind::Invalid, "the database URL cannot be parsed"};
    }
    Settings settings;
    for (const PQconninfoOption* one = parsed.get(); one->keyword != nullptr; ++one) {
        const bool isReplaced = !options.user.empty() && std::string_view{"user"} == one->keyword;
        if (one->val != nullptr && !isReplaced) settings.emplace_back(one->keyword, one->val);
    }
    if (!options.user.empty()) settings.emplace_back("user", options.user);
    setDefault(settings, "fallback_application_name", options.applicationName);
    setDefault(settings, "client_encoding", "UTF8");
    // A host that died silently is noticed within 11 seconds, idle or sending.
    setDefault(settings, "keepalives", "1");
    setDefault(settings, "keepalives_idle", "5");
    setDefault(settings, "keepalives_interval", "2");
    setDefault(settings, "keepalives_count", "3");
    setDefault(settings, "tcp_user_timeout", "10000");
    return settings;
}

std::vector<std::string> splitAtCommas(std::string_view list)
{
    std::vector<std::string> parts;
    for (;;) {
        const auto comma = list.find(',');
        parts.emplace_back(list.substr(0, comma));
        if (comma == std::string_view::npos) return parts;
        list.remove_prefix(comma + 1);
    }
}

// One copy of the settings per host. libpq would walk the list itself, but its asynchronous
// interface has no timeout per host: the first that swallows packets would use up all the time.
std::vector<Settings> onePerHost(const Settings& settings)
{
    std::size_t hosts = 1;
    for (const char* key : {"host", "hostaddr"}) {
        if (const auto* list = find(settings, key)) {
            hosts = std::max(hosts, splitAtCommas(*list).size());
        }
    }
    std::vector<Settings> all(hosts, settings);
    if (hosts == 1) return all;
    for (std::size_t i = 0; i < hosts; ++i) {
        for (auto& [key, value] : all[i]) {
            if (key != "host" && key != "hostaddr" && key != "port") continue;
            const auto parts = splitAtCommas(value);
            if (parts.size() == 1) continue; // one port for all hosts
            if (parts.size() != hosts) return {settings}; // libpq has the words for this mistake
            value = parts[i];
        }
    }
    return all;
}

std::string firstLines(const char* message)
{
    std::string text = message == nullptr ? "" : message;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

base::Error notConnected(std::string why)
{
    return {base::ErrorKind::Unavailable, "connect: " + std::move(why), kNotConnected};
}

base::Result<Handle> connectTo(const Settings& settings, Deadline deadline)
{
    std::vector<const char*> keys;
    std::vector<const char*> values;
    for (const auto& [key, value] : settings) {
        keys.push_back(key.c_str());
        values.push_back(value.c_str());
    }
    keys.push_back(nullptr);
    values.push_back(nullptr);

    Handle raw{PQconnectStartParams(keys.data(), values.data(), 0)};
    if (!raw) return notConnected("out of memory");
    if (PQstatus(raw.get()) == CONNECTION_BAD) {
        return notConnected(firstLines(PQerrorMessage(raw.get())));
    }
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    while (next != PGRES_POLLING_OK) {
        const short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
        if (waitFor(PQsocket(raw.get()), events, deadline) == Ready::TimedOut) {
            const char* host = PQhost(raw.get());
            return notConnected("timed out at host " + std::string{host == nullptr ? "" : host});
        }
        next = PQconnectPoll(raw.get());
        if (next == PGRES_POLLING_FAILED) {
            return notConnected(firstLines(PQerrorMessage(raw.get())));
        }
    }
    if (PQsetnonblocking(raw.get(), 1) != 0) return notConnected("cannot be made non-blocking");
    return raw;
}

std::chrono::milliseconds timeoutPerHost(const ConnectOptions& options, const Settings& settings)
{
    int seconds = 0;
    if (const auto* text = find(settings, "connect_timeout")) {
        std::from_chars(text->data(), text->data() + text->size(), seconds);
    }
    return seconds > 0 ? std::chrono::seconds{seconds} : options.connectTimeout;
}

} // namespace

void FinishConnection::operator()(pg_conn* raw) const noexcept
{
    PQfinish(raw);
}

base::Result<Handle> connect(const ConnectOptions& options)
{
    const auto settings = readUrl(options);
    if (!settings) return settings.error();

    base::Error last = notConnected("no host");
    for (const Settings& host : onePerHost(*settings)) {
        auto raw = connectTo(host, deadlineAfter(timeoutPerHost(options, *settings)));
        if (raw) return raw;
        last = raw.error();
    }
    return last;
}

} // namespace pg
