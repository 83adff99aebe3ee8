#include "processor/config/load.h"

#include "processor/base/check.h"
#include "processor/config/arguments.h"
#include "processor/config/checks.h"
#include "processor/config/layers.h"
#include "processor/config/report.h"
#include "processor/config/rules.h"
#include "processor/config/toml_file.h"

#include <algorithm>
#include <utility>

namespace config {

namespace {

template <class... Visitors>
struct Overloaded : Visitors...
{
    using Visitors::operator()...;
};

unsigned bitsOf(const Command& command)
{
    return std::visit(Overloaded{
                          [](const ServeCommand&) -> unsigned { return kForServe; },
                          [](const MigrateCommand&) -> unsigned { return kForMigrate; },
                          [](const DoctorCommand&) -> unsigned { return kForDoctor; },
                          [](const ConfigSampleCommand&) -> unsigned { return 0; },
                          [](const ConfigShowCommand&) -> unsigned { return ~0U; },
                          [](const UsersImportCommand&) -> unsigned { return kForImports; },
                          [](const AssetsAddCommand&) -> unsigned { return kForImports; },
                          [](const PeopleAddCommand&) -> unsigned { return kForImports; },
                          [](const PeopleListCommand&) -> unsigned { return kForImports; },
                          [](const LettersListCommand&) -> unsigned { return kForLetters; },
                          [](const LettersShowCommand&) -> unsigned { return kForLetters; },
                          [](const LettersDrainCommand&) -> unsigned { return kForDrain; },
                      },
        command);
}

/// Values that have passed the checks, in their types.
class Typed
{
public:
    explicit Typed(const Values& values) : m_values{values} {}

    [[nodiscard]] const std::string& text(OptionId id) const { return m_values.text(id); }
    [[nodiscard]] base::Secret secret(OptionId id) const { return base::Secret{text(id)}; }
    template <class T = std::int64_t>
    [[nodiscard]] T number(OptionId id) const
    {
        const auto number = parseInteger(text(id));
        CHECK(number && std::in_range<T>(*number));
        return static_cast<T>(*number);
    }
    [[nodiscard]] std::chrono::milliseconds millis(OptionId id) const
    {
        return std::chrono::milliseconds{number(id)};
    }
    [[nodiscard]] std::chrono::seconds seconds(OptionId id) const
    {
        return std::chrono::seconds{number(id)};
    }
    [[nodiscard]] std::chrono::minutes timeOfDay(OptionId id) const
    {
        const auto time = parseTimeOfDay(text(id));
        CHECK(time);
        return *time;
    }

private:
    const Values& m_values;
};

base::LogLevel logLevelOf(std::string_view text)
{
    constexpr std::array kLevels{std::pair{std::string_view{"debug"}, base::LogLevel::Debug},
        std::pair{std::string_view{"info"}, base::LogLevel::Info},
        std::pair{std::string_view{"warning"}, base::LogLevel::Warning},
        std::pair{std::string_view{"error"}, base::LogLevel::Error},
        std::pair{std::string_view{"critical"}, base::LogLevel::Critical}};
    const auto* const level
        = std::ranges::find(kLevels, text, [](const auto& pair) { return pair.first; });
    CHECK(level != kLevels.end());
    return level->second;
}

Settings buildSettings(const Values& values)
{
    const Typed typed{values};
    const std::string& folder = typed.text(OptionId::Embedded);
    const auto roles = RoleSet::parse(typed.text(OptionId::Roles));
    CHECK(roles);
    return {
        .roles = *roles,
        .database = {.url = typed.secret(OptionId::DatabaseUrl),
            .directUrl = typed.secret(OptionId::DatabaseDirectUrl)},
        .redis = {.url = typed.secret(OptionId::RedisUrl),
            .streamsUrl = typed.secret(OptionId::RedisStreamsUrl)},
        .embedded = {.folder = folder.empty() ? std::nullopt : std::optional{folder}},
        .http = {.listenOn = typed.text(OptionId::Http),
            .tlsCertFile = typed.text(OptionId::TlsCert),
            .tlsKeyFile = typed.text(OptionId::TlsKey),
            .bodyMax = typed.number<std::size_t>(OptionId::BodyMax),
            .requestDeadline = typed.millis(OptionId::RequestDeadline)},
        .admin
        = {.listenOn = typed.text(OptionId::Admin), .token = typed.secret(OptionId::AdminToken)},
        .ingest = {.webhookSecret = typed.secret(OptionId::WebhookSecret),
            .ratePerSecond = typed.number<int>(OptionId::RatePerSecond),
            .ratePerMinute = typed.number<int>(OptionId::RatePerMinute),
            .backlogMax = typed.number(OptionId::BacklogMax),
            .commitLatencyMax = typed.millis(OptionId::CommitLatencyMax)},
        .dispatch = {.poll = typed.millis(OptionId::Poll),
            .recovery = typed.seconds(OptionId::Recovery),
            .streamEntriesMax = typed.number(OptionId::StreamEntriesMax)},
        .settle = {.from
            = typed.text(OptionId::SettleFrom) == "stream" ? SettleFrom::Stream : SettleFrom::Queue,
            .settlers = typed.number<int>(OptionId::Settlers),
            .poll = typed.millis(OptionId::Poll)},
        .chain = {.ethRpcUrl = typed.secret(OptionId::EthRpcUrl)},
        .watch = {.alertEmail = typed.text(OptionId::AlertEmail),
            .janitor = typed.seconds(OptionId::Janitor),
            .partitions = typed.seconds(OptionId::Partitions),
            .drainAt = typed.timeOfDay(OptionId::DrainAt),
            .timezone = typed.text(OptionId::ScheduleTimezone)},
        .log = {.level = logLevelOf(typed.text(OptionId::LogLevel))},
    };
}

/// Options that this command does not use have not been checked: they get their defaults.
void forgetUnused(Values& values, unsigned bits)
{
    for (const Option& option : options()) {
        if ((option.usedBy & bits) == 0) {
            values[option.id] = {std::string{option.fallback}, Layer::Default, {}};
        }
    }
}

Farewell complain(const std::vector<std::string>& complaints)
{
    std::string text = "countersignd cannot start with these settings:\n";
    for (const std::string& complaint : complaints) {
        text += "  " + complaint + "\n";
    }
    return {Farewell::Kind::Complaints, text};
}

} // namespace

std::variant<Request, Farewell> load(
    const std::vector<std::string>& arguments, const EnvironmentLookup& environment)
{
    auto parsed = parseArguments(arguments);
    if (auto* const farewell = std::get_if<Farewell>(&parsed)) {
        return *farewell;
    }
    const auto& asked = *std::get_if<ParsedArguments>(&parsed);
    const unsigned bits = bitsOf(asked.command);
    const bool isSample = std::holds_alternative<ConfigSampleCommand>(asked.command);
    const bool isShow = std::holds_alternative<ConfigShowCommand>(asked.command);

    std::vector<std::string> complaints;
    SaidByName file;
    const std::string path = asked.configFile.empty()
        ? environment("COUNTERSIGN_CONFIG").value_or(std::string{})
        : asked.configFile;
    if (!path.empty() && !isSample) {
        file = readTomlFile(path, complaints);
    }
    Values values = mergeLayers(file, environment, asked.flags, complaints);
    forgetUnused(values, bits);
    applyRules(values, bits, !isShow, complaints);
    if (!complaints.empty() && !isSample) {
        return complain(complaints);
    }
    Request request{.command = asked.command,
        .asJson = asked.asJson,
        .settings = buildSettings(values),
        .report = {}};
    if (isSample) {
        request.report = asked.asJson ? sampleJson() : sampleFile();
    } else if (isShow) {
        request.report = asked.asJson ? shownValuesJson(values) : shownValues(values);
    }
    return request;
}

} // namespace config
