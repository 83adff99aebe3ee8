// The table of options: everything there is to know about each of them, in one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace config {

enum class OptionId {
    Roles,
    Http,
    Admin,
    AdminToken,
    DatabaseUrl,
    DatabaseDirectUrl,
    RedisUrl,
    RedisStreamsUrl,
    Embedded,
    WebhookSecret,
    RatePerSecond,
    RatePerMinute,
    TlsCert,
    TlsKey,
    BodyMax,
    RequestDeadline,
    SettleFrom,
    Settlers,
    Poll,
    Recovery,
    EthRpcUrl,
    AlertEmail,
    LogLevel,
    StreamEntriesMax,
    BacklogMax,
    CommitLatencyMax,
    Janitor,
    Partitions,
    DrainAt,
    ScheduleTimezone,
};
inline constexpr std::size_t kOptionCount
    = static_cast<std::size_t>(OptionId::ScheduleTimezone) + 1;

enum class OptionType {
    Integer,
    Choice, // of `choices`
    Roles,
    Address, // HOST:PORT
    DatabaseUrl,
    RedisUrl,
    HttpUrl,
    WebhookSecret,
    Token,
    File, // exists and can be read
    Folder,
    Email,
    TimeOfDay, // HH:MM
    Timezone, // a name; PostgreSQL knows which there are
};

/// What may be shown of a value. All but Public can also be given by the name of a file.
enum class Secrecy { Public, HidePassword, HidePath, HideAll };

/// Which commands an option means something to; a set of bits.
enum CommandBit : unsigned {
    kForServe = 1,
    kForMigrate = 2,
    kForDoctor = 4,
    kForImports = 8, // users import, assets add, people
    kForLetters = 16, // letters list, show
    kForDrain = 32, // letters drain
};

struct Option
{
    OptionId id;
    OptionType type;
    std::string_view key; // in the TOML file; underscores as dashes after "--" as argument
    std::string_view environment;
    std::string_view fallback = {}; // the default as text; empty: none
    std::string_view defaultNote = {}; // what happens without, where `fallback` cannot say it
    std::int64_t least = 0; // of an integer
    std::int64_t most = 0;
    std::string_view unit = {};
    std::string_view choices = {}; // "a|b"
    Secrecy secrecy = Secrecy::Public;
    unsigned usedBy = kForServe;
    std::string_view help;

    [[nodiscard]] bool hasFileForm() const { return secrecy != Secrecy::Public; }
    /// False for pure secrets: arguments can be seen by everybody on the machine.
    [[nodiscard]] bool hasFlag() const { return secrecy != Secrecy::HideAll; }
};

/// Names derived from the key; "_file", "_FILE" and "-file" are the forms for a file's name.
[[nodiscard]] std::string flagOf(const Option& option); // "--database-url"
[[nodiscard]] std::string fileKeyOf(const Option& option); // "database_url_file"
[[nodiscard]] std::string fileEnvironmentOf(const Option& option); // "DATABASE_URL_FILE"
[[nodiscard]] std::string fileFlagOf(const Option& option); // "--database-url-file"

/// All options, in the order in which they are shown.
[[nodiscard]] std::span<const Option, kOptionCount> options();
[[nodiscard]] const Option& optionOf(OptionId id);

/// `value` as it may be shown to anybody.
[[nodiscard]] std::string masked(const Option& option, std::string_view value);

} // namespace config
