#include "processor/config/arguments.h"

#include <QTest>

using namespace config;

class TestArguments : public QObject
{
    Q_OBJECT

    static std::variant<ParsedArguments, Farewell> parse(const char* line)
    {
        std::vector<std::string> arguments;
        for (const QString& word : QString{line}.split(' ', Qt::SkipEmptyParts)) {
            arguments.push_back(word.toStdString());
        }
        return parseArguments(arguments);
    }

    template <class T>
    static const T* commandOf(const std::variant<ParsedArguments, Farewell>& parsed)
    {
        const auto* const arguments = std::get_if<ParsedArguments>(&parsed);
        return arguments == nullptr ? nullptr : std::get_if<T>(&arguments->command);
    }

private slots:
    void knowsTheCommands()
    {
        QVERIFY(commandOf<ServeCommand>(parse("serve")));
        QVERIFY(commandOf<DoctorCommand>(parse("doctor")));
        QVERIFY(commandOf<ConfigSampleCommand>(parse("config sample")));
        QVERIFY(commandOf<ConfigShowCommand>(parse("config show")));

        auto parsed = parse("migrate");
        QVERIFY(!commandOf<MigrateCommand>(parsed)->planOnly);
        parsed = parse("migrate --plan");
        QVERIFY(commandOf<MigrateCommand>(parsed)->planOnly);

        parsed = parse("users import people.csv");
        QCOMPARE(commandOf<UsersImportCommand>(parsed)->file, "people.csv");

        parsed = parse("letters list");
        QCOMPARE(commandOf<LettersListCommand>(parsed)->limit, 50);
        QVERIFY(!commandOf<LettersListCommand>(parsed)->cause);
        parsed = parse("letters list --cause c --state open --limit 7 --after 12");
        QCOMPARE(*commandOf<LettersListCommand>(parsed)->cause, "c");
        QCOMPARE(*commandOf<LettersListCommand>(parsed)->state, "open");
        QCOMPARE(commandOf<LettersListCommand>(parsed)->limit, 7);
        QCOMPARE(*commandOf<LettersListCommand>(parsed)->after, 12);
        parsed = parse("letters show 12");
        QCOMPARE(commandOf<LettersShowCommand>(parsed)->id, 12);
        QVERIFY(commandOf<LettersDrainCommand>(parse("letters drain")));

        QVERIFY(commandOf<PeopleListCommand>(parse("people list")));
        parsed = parse("people add anna operator");
        QCOMPARE(commandOf<PeopleAddCommand>(parsed)->login, "anna");
        QCOMPARE(commandOf<PeopleAddCommand>(parsed)->person, "anna");
        QCOMPARE(commandOf<PeopleAddCommand>(parsed)->role, "operator");
        parsed = parse("people add anna2 support --person anna");
        QCOMPARE(commandOf<PeopleAddCommand>(parsed)->person, "anna");
    }

    void everyCommandCanAnswerInJson_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"serve", "migrate", "doctor", "config sample", "config show",
                 "users import f", "assets add A eip155:1 native 18", "letters list",
                 "letters show 1", "letters drain", "people list", "people add anna support"}) {
            QTest::newRow(line) << line;
        }
    }
    void everyCommandCanAnswerInJson()
    {
        QFETCH(QString, line);
        auto parsed = parse(qPrintable(line));
        QVERIFY(!std::get_if<ParsedArguments>(&parsed)->asJson);
        parsed = parse(qPrintable(line + " --json"));
        QVERIFY(std::get_if<ParsedArguments>(&parsed)->asJson);
    }

    void readsAssets_data()
    {
        QTest::addColumn<QString>("operands");
        QTest::addColumn<QString>("read"); // empty: refused

        const QString address{"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"};
        QTest::newRow("token") << "USDC eip155:1 " + address + " 6"
                               << "USDC eip155:1 " + address.toLower() + " 6";
        QTest::newRow("native") << "ETH eip155:31337 native 18"
                                << "ETH eip155:31337 native 18";
        QTest::newRow("no decimals") << "GAS eip155:1 native 0"
                                     << "GAS eip155:1 native 0";
        QTest::newRow("code in small letters") << "usdc eip155:1 native 6"
                                               << "";
        QTest::newRow("code with a sign") << "US-DC eip155:1 native 6"
                                          << "";
        QTest::newRow("code too long") << QString{33, 'A'} + " eip155:1 native 6"
                                       << "";
        QTest::newRow("chain without reference") << "ETH eip155: native 18"
                                                 << "";
        QTest::newRow("chain without namespace") << "ETH 1 native 18"
                                                 << "";
        QTest::newRow("chain with capitals in front") << "ETH EIP155:1 native 18"
                                                      << "";
        QTest::newRow("contract too short") << "X eip155:1 " + address.chopped(1) + " 6"
                                            << "";
        QTest::newRow("contract without 0x") << "X eip155:1 " + address.sliced(2) + "00 6"
                                             << "";
        QTest::newRow("contract not hexadecimal") << "X eip155:1 0x" + QString{40, 'g'} + " 6"
                                                  << "";
        QTest::newRow("too many decimals") << "X eip155:1 native 19"
                                           << "";
        QTest::newRow("negative decimals") << "X eip155:1 native -1"
                                           << "";
        QTest::newRow("decimals missing") << "X eip155:1 native"
                                          << "";
    }
    void readsAssets()
    {
        QFETCH(QString, operands);
        QFETCH(QString, read);

        const auto parsed = parse(qPrintable("assets add " + operands));

        const auto* const asset = commandOf<AssetsAddCommand>(parsed);
        QCOMPARE(asset != nullptr, !read.isEmpty());
        if (asset != nullptr) {
            QCOMPARE(asset->code + " " + asset->chain + " " + asset->contract.value_or("native")
                    + " " + std::to_string(asset->decimals),
                read.toStdString());
        }
    }

    void refusesLoginsThatCannotBe_data()
    {
        QTest::addColumn<QStringList>("operands");
        QTest::addColumn<bool>("isTaken");

        QTest::newRow("odd but possible") << QStringList{"O'Neill \"x\" ;--", "support"} << true;
        QTest::newRow("beyond ASCII") << QStringList{"Анна", "approver"} << true;
        QTest::newRow("63 octets") << QStringList{QString{63, 'a'}, "admin"} << true;
        QTest::newRow("64 octets") << QStringList{QString{64, 'a'}, "admin"} << false;
        QTest::newRow("empty") << QStringList{"", "support"} << false;
        QTest::newRow("two lines") << QStringList{"a\nb", "support"} << false;
        QTest::newRow("of PostgreSQL") << QStringList{"pg_monitor", "support"} << false;
        QTest::newRow("of ours") << QStringList{"countersign_owner", "support"} << false;
        QTest::newRow("everybody") << QStringList{"public", "support"} << false;
        QTest::newRow("no such role") << QStringList{"anna", "superuser"} << false;
        QTest::newRow("the daemon's role") << QStringList{"anna", "processor"} << false;
    }
    void refusesLoginsThatCannotBe()
    {
        QFETCH(QStringList, operands);
        QFETCH(bool, isTaken);
        const auto parsed = parseArguments(
            {"people", "add", operands[0].toStdString(), operands[1].toStdString()});
        const auto* const command = commandOf<PeopleAddCommand>(parsed);
        QCOMPARE(command != nullptr, isTaken);
        if (isTaken) QCOMPARE(command->login, operands[0].toStdString());
    }

    void flagsKeepTheirValues_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("value");

        QTest::newRow("equals sign") << "serve --roles=ingest,settle"
                                     << "--roles"
                                     << "ingest,settle";
        QTest::newRow("next word") << "serve --http 127.0.0.1:0"
                                   << "--http"
                                   << "127.0.0.1:0";
        QTest::newRow("from a file") << "serve --webhook-secret-file f"
                                     << "--webhook-secret-file"
                                     << "f";
        QTest::newRow("dotted key") << "serve --stream-max-entries 1000"
                                    << "--stream-max-entries"
                                    << "1000";
        QTest::newRow("after an operand") << "users import f --database-url x"
                                          << "--database-url"
                                          << "x";
        QTest::newRow("before an operand") << "users import --database-url x f"
                                           << "--database-url"
                                           << "x";
        QTest::newRow("= in the value") << "migrate --database-url=host=h"
                                        << "--database-url"
                                        << "host=h";
    }
    void flagsKeepTheirValues()
    {
        QFETCH(QString, line);
        QFETCH(QString, flag);
        QFETCH(QString, value);

        const auto parsed = parse(qPrintable(line));

        const auto* const arguments = std::get_if<ParsedArguments>(&parsed);
        QVERIFY(arguments);
        QCOMPARE(arguments->flags.size(), 1U);
        QCOMPARE(arguments->flags.begin()->first, flag.toStdString());
        QCOMPARE(arguments->flags.begin()->second.value, value.toStdString());
    }

    void saysWhatIsNotUnderstood_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("named");

        QTest::newRow("nothing") << ""
                                 << "subcommand";
        QTest::newRow("unknown command") << "frob"
                                         << "'frob'";
        QTest::newRow("unknown second word") << "config frob"
                                             << "'frob'";
        QTest::newRow("half a command") << "users"
                                        << "subcommand";
        QTest::newRow("unknown option") << "serve --frob"
                                        << "--frob";
        QTest::newRow("option of another command") << "migrate --roles ingest"
                                                   << "--roles";
        QTest::newRow("abbreviated option") << "serve --embed x"
                                            << "--embed";
        QTest::newRow("operand too many") << "serve now"
                                          << "now";
        QTest::newRow("operand missing") << "users import"
                                         << "FILE";
        QTest::newRow("value missing") << "serve --http"
                                       << "--http";
        QTest::newRow("value empty") << "serve --roles= --embedded x"
                                     << "--roles=";
        QTest::newRow("given twice") << "serve --http a:1 --http b:1"
                                     << "--http";
        QTest::newRow("secret as an argument") << "serve --webhook-secret x"
                                               << "--webhook-secret";
        QTest::newRow("token as an argument") << "serve --admin-token x"
                                              << "--admin-token";
    }
    void saysWhatIsNotUnderstood()
    {
        QFETCH(QString, line);
        QFETCH(QString, named);

        const auto parsed = parse(qPrintable(line));

        const auto* const farewell = std::get_if<Farewell>(&parsed);
        QVERIFY(farewell);
        QCOMPARE(farewell->kind, Farewell::Kind::Usage);
        QVERIFY2(
            farewell->text.find(named.toStdString()) != std::string::npos, farewell->text.c_str());
        QVERIFY(farewell->text.find("--help") != std::string::npos);
    }

    void helpAndVersionEndWell()
    {
        for (const char* line :
            {"--help", "serve --help", "config --help", "assets add --help", "--version"}) {
            const auto parsed = parse(line);
            const auto* const farewell = std::get_if<Farewell>(&parsed);
            QVERIFY2(farewell, line);
            QCOMPARE(farewell->kind, Farewell::Kind::Help);
            QVERIFY(farewell->text.ends_with('\n'));
        }
    }

    void helpNamesEveryOptionOfServe()
    {
        const auto parsed = parse("serve --help");
        const std::string& help = std::get_if<Farewell>(&parsed)->text;
        for (const Option& option : options()) {
            const std::string flag = option.hasFlag() ? flagOf(option) : fileFlagOf(option);
            QVERIFY2(help.find(flag + " ") != std::string::npos, flag.c_str());
            QVERIFY2(help.find(option.environment) != std::string::npos, flag.c_str());
            QVERIFY2(help.find(option.help) != std::string::npos, flag.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestArguments)
#include "tst_arguments.moc"
