#include "processor/daemon/doctor.h"

#include "processor/redis/client.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

namespace processor {
namespace {

constexpr int kMajorLeast = 6; // 6.2 brought XAUTOCLAIM and exact trimming by id
constexpr int kMinorLeast = 2;
constexpr std::int64_t kClockSecondsMost = 1;

// The value of a line `name:value` of INFO.
std::string valueOf(std::string_view info, std::string_view name)
{
    const std::string mark = "\n" + std::string{name} + ":";
    const auto found = info.find(mark);
    if (found == std::string_view::npos) return {};
    const auto from = found + mark.size();
    return std::string{info.substr(from, info.find_first_of("\r\n", from) - from)};
}

bool isRecent(const std::string& version)
{
    int major = 0;
    int minor = 0;
    const char* const end = version.data() + version.size();
    const auto first = std::from_chars(version.data(), end, major);
    if (first.ptr != end && *first.ptr == '.') std::from_chars(first.ptr + 1, end, minor);
    return major > kMajorLeast || (major == kMajorLeast && minor >= kMinorLeast);
}

Diagnosis clockOf(const redis::Reply& time, const std::string& subject)
{
    std::int64_t theirs = 0;
    if (!time.items.empty()) {
        const std::string& text = time.items.front().text;
        std::from_chars(text.data(), text.data() + text.size(), theirs);
    }
    const auto ours = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::system_clock::now().time_since_epoch());
    const std::int64_t apart = std::abs(theirs - ours.count());
    const bool isFine = apart <= kClockSecondsMost;
    return {subject + " clock", isFine ? Grade::Fine : Grade::Warning,
        "at most " + std::to_string(apart + 1) + " s apart from this host"};
}

} // namespace

std::vector<Diagnosis> examineRedis(const std::string& url, const std::string& subject)
{
    redis::Client client{{.url = url}};
    const auto info = client.run({"INFO"});
    if (!info) {
        return {{subject, Grade::Warning,
            info.error().message + "; payments are settled without it, nobody hears of them"}};
    }
    std::vector<Diagnosis> diagnoses;
    const std::string version = valueOf(info->text, "redis_version");
    diagnoses.push_back({subject + " version", isRecent(version) ? Grade::Fine : Grade::Wrong,
        version + (isRecent(version) ? "" : "; 6.2 is the oldest that can be used")});

    const std::string policy = valueOf(info->text, "maxmemory_policy");
    const bool isKept = policy == "noeviction";
    diagnoses.push_back({subject + " when full", isKept ? Grade::Fine : Grade::Warning,
        "maxmemory-policy " + policy
            + (isKept ? ""
                      : "; set noeviction, or Redis drops dead letters and rate limits at will")});

    const bool isKeptOnDisk = valueOf(info->text, "aof_enabled") == "1";
    diagnoses.push_back({subject + " on disk", isKeptOnDisk ? Grade::Fine : Grade::Note,
        isKeptOnDisk
            ? "appendonly yes"
            : "appendonly no: after its restart the stream is rebuilt from PostgreSQL, and "
              "copies of dead letters made while PostgreSQL was away are gone"});

    if (const auto time = client.run({"TIME"})) diagnoses.push_back(clockOf(*time, subject));
    return diagnoses;
}

} // namespace processor
