#include "processor/config/arguments.h"

#include "processor/config/operands.h"
#include "processor/config/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace config {

namespace {

std::string describe(const Option& option)
{
    std::string text{option.help};
    text += " [" + std::string{option.environment};
    if (option.hasFileForm()) {
        text += ", " + fileEnvironmentOf(option);
    }
    text += "; default: ";
    if (option.fallback.empty()) {
        text += option.defaultNote;
    } else {
        text += option.fallback;
        text += option.defaultNote.empty() ? "" : ", " + std::string{option.defaultNote};
    }
    return text + "]";
}

std::string valueName(const Option& option)
{
    switch (option.type) {
    case OptionType::Integer:
        return "N";
    case OptionType::Choice:
        return std::string{option.choices};
    case OptionType::Roles:
        return "ROLES";
    case OptionType::Address:
        return "HOST:PORT";
    case OptionType::DatabaseUrl:
    case OptionType::RedisUrl:
    case OptionType::HttpUrl:
        return "URL";
    case OptionType::WebhookSecret:
    case OptionType::Token:
        return "TEXT";
    case OptionType::File:
        return "FILE";
    case OptionType::Folder:
        return "FOLDER";
    case OptionType::Email:
        return "ADDRESS";
    case OptionType::TimeOfDay:
        return "HH:MM";
    case OptionType::Timezone:
        return "ZONE";
    }
    return "TEXT";
}

constexpr unsigned kForNone = 0;
constexpr unsigned kForAll = ~0U;

/// The tree of commands in CLI11's terms. Lives as long as one call of parseArguments().
class CommandTree
{
public:
    CommandTree()
    {
        m_app.name("countersignd");
        m_app.require_subcommand(1);
        m_app.set_version_flag("--version", "countersignd " COUNTERSIGN_VERSION);
        m_app.footer(
            "Every option can also stand in the environment or in a TOML file, see\n"
            "'countersignd config sample'. Order: default < file < environment < argument.");
        addSimple<ServeCommand>(m_app, "serve", "Process payments", kForServe);
        CLI::App& migrate
            = addLeaf(m_app, "migrate", "Bring the database's schema up to date", kForMigrate,
                [this]() -> base::Result<Command> { return Command{MigrateCommand{m_planOnly}}; });
        migrate.add_flag("--plan", m_planOnly, "Say what would be done and do nothing");
        addSimple<DoctorCommand>(
            m_app, "doctor", "Check the stores and say what is wrong", kForDoctor);

        CLI::App& config = addGroup("config", "Show what can be set and what is");
        addSimple<ConfigSampleCommand>(
            config, "sample", "A file with every option, commented", kForNone);
        addSimple<ConfigShowCommand>(
            config, "show", "The settings in force, secrets masked", kForAll);
        addUsers();
        addAssets();
        addPeople();
        addLetters();
    }

    std::variant<ParsedArguments, Farewell> parse(const std::vector<std::string>& arguments);

private:
    using MakeCommand = std::function<base::Result<Command>()>;

    CLI::App& addGroup(const char* name, const char* help)
    {
        CLI::App& group = *m_app.add_subcommand(name, help);
        group.require_subcommand(1);
        return group;
    }

    CLI::App& addLeaf(CLI::App& parent, const char* name, const char* help, unsigned bits,
        const MakeCommand& make)
    {
        CLI::App& leaf = *parent.add_subcommand(name, help);
        leaf.final_callback([this, make] { m_made = make(); });
        leaf.add_flag("--json", m_parsed.asJson, "Answer in JSON");
        if (bits == kForNone) {
            return leaf;
        }
        leaf.add_option(
                "--config", m_parsed.configFile, "A TOML file with options [COUNTERSIGN_CONFIG]")
            ->type_name("FILE");
        for (const Option& option : options()) {
            if ((option.usedBy & bits) == 0) {
                continue;
            }
            if (option.hasFlag()) {
                addFlag(leaf, flagOf(option), describe(option), valueName(option));
            }
            if (option.hasFileForm()) {
                const std::string text = option.hasFlag() ? "The same, from a file"
                                                          : "From a file: " + describe(option);
                addFlag(leaf, fileFlagOf(option), text, "FILE");
            }
        }
        return leaf;
    }

    template <class T>
    void addSimple(CLI::App& parent, const char* name, const char* help, unsigned bits)
    {
        addLeaf(parent, name, help, bits, []() -> base::Result<Command> { return Command{T{}}; });
    }

    void addFlag(
        CLI::App& leaf, const std::string& flag, const std::string& help, const std::string& type)
    {
        leaf.add_option_function<std::string>(
                flag,
                [this, flag](const std::string& value) {
                    m_parsed.flags.insert_or_assign(flag, Said{value, flag});
                },
                help)
            ->type_name(type);
    }

    void addUsers()
    {
        CLI::App& users = addGroup("users", "Users and their opening balances");
        CLI::App& import = addLeaf(users, "import",
            "Take users and opening balances from a CSV file: user_id,external_ref,asset,balance",
            kForImports,
            [this]() -> base::Result<Command> { return Command{UsersImportCommand{m_file}}; });
        import.add_option("FILE", m_file, "The CSV file")->required();
    }

    void addAssets()
    {
        CLI::App& assets = addGroup("assets", "Assets that are accepted");
        CLI::App& add = addLeaf(
            assets, "add", "Accept one more asset", kForImports, [this]() -> base::Result<Command> {
                const auto asset = parseAsset(m_code, m_chain, m_contract, m_decimals);
                return asset ? base::Result<Command>{Command{*asset}} : asset.error();
            });
        add.add_option("CODE", m_code, "Its name here, for instance USDC")->required();
        add.add_option("CHAIN", m_chain, "CAIP-2, for instance eip155:1")->required();
        add.add_option("CONTRACT", m_contract, "Its contract's address, or native")->required();
        add.add_option("DECIMALS", m_decimals, "0..18")->required();
    }

    void addPeople()
    {
        CLI::App& people = addGroup("people", "Logins of people and what they may do");
        CLI::App& add = addLeaf(people, "add",
            "Write down whose login it is; make it where this login may, else print how",
            kForImports, [this]() -> base::Result<Command> {
                return asCommand(parsePerson(m_login, m_role, m_person));
            });
        add.add_option("NAME", m_login, "The login")->required();
        add.add_option("ROLE", m_role, "support, operator, approver or admin")->required();
        add.add_option("--person", m_person, "Whose it is, for people with several logins")
            ->type_name("PERSON");
        addSimple<PeopleListCommand>(people, "list", "All logins of people", kForImports);
    }

    void addLetters()
    {
        CLI::App& letters = addGroup("letters", "Dead letters: events that failed");
        CLI::App& list = addLeaf(letters, "list", "The newest first", kForLetters,
            [this]() -> base::Result<Command> { return asCommand(parseLetterFilter(m_filter)); });
        list.add_option("--cause", m_filter.cause, "Only letters of this cause")
            ->type_name("CAUSE");
        list.add_option("--state", m_filter.state, "open, replaying, resolved or discarded")
            ->type_name("STATE");
        list.add_option("--limit", m_filter.limit, "At most so many, 1..1000 [default: 50]")
            ->type_name("N");
        list.add_option("--after", m_filter.after, "Go on after this id, the last one of a page")
            ->type_name("ID");
        CLI::App& show
            = addLeaf(letters, "show", "One letter, its event and all its attempts", kForLetters,
                [this]() -> base::Result<Command> { return asCommand(parseLetterId(m_id)); });
        show.add_option("ID", m_id, "As 'letters list' shows it")->required();
        addSimple<LettersDrainCommand>(
            letters, "drain", "Bring letters that wait in Redis back into PostgreSQL", kForDrain);
    }

    template <class T>
    static base::Result<Command> asCommand(const base::Result<T>& parsed)
    {
        return parsed ? base::Result<Command>{Command{*parsed}} : parsed.error();
    }

    CLI::App m_app{"Countersign makes crypto payment events change balances exactly once."};
    ParsedArguments m_parsed;
    std::optional<base::Result<Command>> m_made;
    bool m_planOnly = false;
    std::string m_file;
    std::string m_code;
    std::string m_chain;
    std::string m_contract;
    std::string m_decimals;
    std::string m_login;
    std::string m_role;
    std::string m_person;
    LetterFilterWords m_filter;
    std::string m_id;
};

Farewell notUnderstood(const std::string& why)
{
    return {Farewell::Kind::Usage, "countersignd: " + why + "\nTry 'countersignd --help'.\n"};
}

std::variant<ParsedArguments, Farewell> CommandTree::parse(
    const std::vector<std::string>& arguments)
{
    // CLI11 would take the next argument for the value of "--roles=".
    const auto isEmptyFlag = [](const std::string& argument) {
        return argument.starts_with("--") && argument.find('=') == argument.size() - 1;
    };
    if (const auto empty = std::ranges::find_if(arguments, isEmptyFlag); empty != arguments.end()) {
        return notUnderstood(*empty + " has no value");
    }
    std::vector<std::string> reversed{arguments.rbegin(), arguments.rend()}; // as CLI11 wants it
    try {
        m_app.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        return Farewell{Farewell::Kind::Help, m_app.help()};
    } catch (const CLI::CallForVersion& version) {
        return Farewell{Farewell::Kind::Help, std::string{version.what()} + "\n"};
    } catch (const CLI::RequiredError& problem) {
        const auto unknown = m_app.remaining(true);
        return notUnderstood(
            unknown.empty() ? problem.what() : "there is no command '" + unknown.front() + "'");
    } catch (const CLI::ParseError& problem) {
        return notUnderstood(problem.what());
    }
    if (!m_made || !*m_made) {
        return notUnderstood(m_made ? m_made->error().message : "no command given");
    }
    m_parsed.command = **m_made;
    return m_parsed;
}

} // namespace

std::variant<ParsedArguments, Farewell> parseArguments(const std::vector<std::string>& arguments)
{
    return CommandTree{}.parse(arguments);
}

} // namespace config
