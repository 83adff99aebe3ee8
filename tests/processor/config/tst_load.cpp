#include "processor/config/load.h"

#include <QTemporaryDir>
#include <QTest>

using namespace config;
using namespace std::chrono_literals;

class TestLoad : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::map<std::string, std::string> m_environment;

    static constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

    std::string put(const QString& name, const QByteArray& content)
    {
        QFile file{m_folder.filePath(name)};
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName().toStdString();
    }

    std::variant<Request, Farewell> loadWith(const std::vector<std::string>& arguments)
    {
        return load(arguments, [this](std::string_view name) -> std::optional<std::string> {
            const auto found = m_environment.find(std::string{name});
            return found == m_environment.end() ? std::nullopt : std::optional{found->second};
        });
    }

    Settings settingsOf(const std::vector<std::string>& arguments)
    {
        auto loaded = loadWith(arguments);
        if (auto* const farewell = std::get_if<Farewell>(&loaded)) {
            qFatal("%s", farewell->text.c_str());
        }
        return std::get_if<Request>(&loaded)->settings;
    }

    QStringList complaintsOf(const std::vector<std::string>& arguments)
    {
        auto loaded = loadWith(arguments);
        const auto* const farewell = std::get_if<Farewell>(&loaded);
        if (farewell == nullptr) {
            return {};
        }
        if (farewell->kind != Farewell::Kind::Complaints) {
            return {"not a complaint: " + QString::fromStdString(farewell->text)};
        }
        QStringList lines = QString::fromStdString(farewell->text).split('\n', Qt::SkipEmptyParts);
        lines.removeFirst();
        return lines;
    }

private slots:
    void init()
    {
        m_environment = {{"DATABASE_URL", "postgresql://h/db"}, {"WEBHOOK_SECRET", kSecret}};
    }

    void theDefaultsAreThoseOfTheDesign()
    {
        const Settings settings = settingsOf({"serve"});

        QCOMPARE(settings.database.url.reveal(), "postgresql://h/db");
        QCOMPARE(settings.database.directUrl.reveal(), "postgresql://h/db");
        QCOMPARE(settings.redis.url.reveal(), "redis://localhost:6379/0");
        QCOMPARE(settings.redis.streamsUrl.reveal(), "redis://localhost:6379/0");
        QVERIFY(settings.roles == RoleSet::all());
        QCOMPARE(settings.http.listenOn, "127.0.0.1:8080");
        QCOMPARE(settings.http.bodyMax, 65'536U);
        QCOMPARE(settings.admin.listenOn, "127.0.0.1:9090");
        QVERIFY(settings.admin.token.empty());
        QCOMPARE(settings.ingest.ratePerSecond, 30);
        QCOMPARE(settings.ingest.ratePerMinute, 300);
        QCOMPARE(settings.ingest.backlogMax, 200'000);
        QCOMPARE(settings.ingest.commitLatencyMax, 3'000ms);
        QCOMPARE(settings.dispatch.recovery, 30s);
        QCOMPARE(settings.watch.janitor, 30s);
        QCOMPARE(settings.watch.partitions, 60s);
        QCOMPARE(settings.watch.drainAt, 4h);
        QCOMPARE(settings.watch.timezone, "UTC");
        QCOMPARE(settings.settle.from, SettleFrom::Queue);
        QCOMPARE(settings.settle.settlers, 1);
        QCOMPARE(settings.dispatch.poll, 1s);
        QCOMPARE(settings.dispatch.recovery, 30s);
        QCOMPARE(settings.dispatch.streamEntriesMax, 5'000'000);
        QCOMPARE(settings.log.level, base::LogLevel::Info);
        QVERIFY(!settings.embedded.folder);
        QVERIFY(settings.chain.ethRpcUrl.empty());
    }

    void aHigherLayerWins_data()
    {
        QTest::addColumn<bool>("inFile");
        QTest::addColumn<bool>("inEnvironment");
        QTest::addColumn<bool>("asArgument");
        QTest::addColumn<QString>("http");

        QTest::newRow("default") << false << false << false << "127.0.0.1:8080";
        QTest::newRow("file") << true << false << false << "127.0.0.1:1";
        QTest::newRow("environment over file") << true << true << false << "127.0.0.1:2";
        QTest::newRow("argument over all") << true << true << true << "127.0.0.1:3";
        QTest::newRow("argument over file") << true << false << true << "127.0.0.1:3";
        QTest::newRow("environment over default") << false << true << false << "127.0.0.1:2";
    }
    void aHigherLayerWins()
    {
        QFETCH(bool, inFile);
        QFETCH(bool, inEnvironment);
        QFETCH(bool, asArgument);
        QFETCH(QString, http);
        std::vector<std::string> arguments{"serve"};
        if (inFile) {
            arguments.insert(
                arguments.end(), {"--config", put("c.toml", "http = '127.0.0.1:1'\n")});
        }
        if (inEnvironment) {
            m_environment["COUNTERSIGN_HTTP"] = "127.0.0.1:2";
        }
        if (asArgument) {
            arguments.push_back("--http=127.0.0.1:3");
        }
        QCOMPARE(settingsOf(arguments).http.listenOn, http.toStdString());
    }

    void theFileMayBeNamedByTheEnvironment()
    {
        m_environment["COUNTERSIGN_CONFIG"] = put("c.toml", "settlers = 7\n");
        QCOMPARE(settingsOf({"serve"}).settle.settlers, 7);
    }

    void theFileKnowsTextsNumbersListsAndTables()
    {
        const std::string file = put("c.toml",
            "roles = ['settle', 'ingest']\nsettlers = 2\nsettle_from = \"stream\"\n"
            "eth_rpc_url = 'https://node.example/key'\n[stream]\nmax_entries = 2000\n");
        const Settings settings = settingsOf({"serve", "--config", file});

        QCOMPARE(settings.roles.text(), "ingest,settle");
        QCOMPARE(settings.settle.settlers, 2);
        QCOMPARE(settings.settle.from, SettleFrom::Stream);
        QCOMPARE(settings.dispatch.streamEntriesMax, 2'000);
        QCOMPARE(settings.chain.ethRpcUrl.reveal(), "https://node.example/key");
    }

    void secretsAndUrlsMayStandInFiles()
    {
        m_environment.clear();
        m_environment["DATABASE_URL_FILE"] = put("url", "postgresql://u:p@h/db\n");
        const std::string secret = put("secret", QByteArray{kSecret} + "\r\n");
        const std::string token = put("token", "from-file");
        const std::string config
            = put("c.toml", "admin_token_file = '" + QByteArray::fromStdString(token) + "'\n");

        const Settings settings
            = settingsOf({"serve", "--config", config, "--webhook-secret-file", secret});

        QCOMPARE(settings.database.url.reveal(), "postgresql://u:p@h/db");
        QCOMPARE(settings.ingest.webhookSecret.reveal(), kSecret);
        QCOMPARE(settings.admin.token.reveal(), "from-file");
    }

    void anEmptyVariableIsNotSet()
    {
        m_environment["COUNTERSIGN_ROLES"] = "";
        m_environment["ADMIN_TOKEN"] = "";
        m_environment["REDIS_URL_FILE"] = "";
        QVERIFY(settingsOf({"serve"}).roles == RoleSet::all());
    }

    void embeddedBringsItsOwn()
    {
        m_environment.clear();
        const Settings settings = settingsOf({"serve", "--embedded", "/x"});

        QCOMPARE(*settings.embedded.folder, "/x");
        QVERIFY(settings.database.url.empty());
        QVERIFY(settings.redis.url.empty());
        QVERIFY(settings.redis.streamsUrl.empty());
        QVERIFY(settings.ingest.webhookSecret.empty());
        QCOMPARE(settings.ingest.ratePerSecond, 0);
        QCOMPARE(settings.ingest.ratePerMinute, 0);
    }

    void embeddedKeepsWhatWasAskedFor()
    {
        m_environment["COUNTERSIGN_RATE_LIMIT_PER_MINUTE"] = "300";
        const Settings settings
            = settingsOf({"serve", "--embedded", "/x", "--rate-limit-per-second", "30"});
        QCOMPARE(settings.ingest.ratePerSecond, 30);
        QCOMPARE(settings.ingest.ratePerMinute, 300);
        QCOMPARE(settings.ingest.webhookSecret.reveal(), kSecret);
        QVERIFY(settings.database.url.empty()); // a variable that happens to be set gives way
    }

    void embeddedContradictsUrlsOfTheSameLayer()
    {
        const QStringList complaints
            = complaintsOf({"serve", "--embedded", "/x", "--database-url", "postgresql://h/db"});
        QCOMPARE(complaints.size(), 1);
        QVERIFY(complaints[0].contains("--database-url"));

        const std::string file = put("c.toml", "embedded = '/x'\n");
        QVERIFY(complaintsOf({"serve", "--config", file})[0].contains("DATABASE_URL"));
    }

    void onlyServeNeedsTheSecret()
    {
        m_environment.erase("WEBHOOK_SECRET");
        for (const char* command : {"migrate", "doctor"}) {
            QCOMPARE(settingsOf({command}).database.url.reveal(), "postgresql://h/db");
        }
        QCOMPARE(complaintsOf({"serve"}).size(), 1);
    }

    void whatACommandDoesNotUseIsNotJudged()
    {
        m_environment["COUNTERSIGN_ROLES"] = "nonsense";
        QVERIFY(complaintsOf({"migrate"}).isEmpty());
        QVERIFY(settingsOf({"migrate"}).roles == RoleSet::all());
        QVERIFY(!complaintsOf({"serve"}).isEmpty());
    }

    void theSampleNeedsNothing()
    {
        m_environment = {{"DATABASE_URL", "nonsense"}, {"WEBHOOK_SECRET_FILE", "/nonexistent"},
            {"COUNTERSIGN_CONFIG", "/nonexistent"}};
        auto loaded = loadWith({"config", "sample"});
        QVERIFY(std::holds_alternative<Request>(loaded));
        QVERIFY(std::get_if<Request>(&loaded)->report.starts_with("# Countersign"));
    }

    void complains_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("variable"); // NAME=VALUE
        QTest::addColumn<QString>("argument");
        QTest::addColumn<QString>("said"); // part of the one complaint

        QTest::newRow("no TOML") << "http = \n"
                                 << ""
                                 << ""
                                 << "c.toml, line 1";
        QTest::newRow("unknown key") << "\nhtpp = 'x'"
                                     << ""
                                     << ""
                                     << "c.toml, line 2: there is no such option";
        QTest::newRow("unknown table") << "[strem]\nmax_entries = 1"
                                       << ""
                                       << ""
                                       << "strem.max_entries";
        QTest::newRow("a boolean") << "http = true"
                                   << ""
                                   << ""
                                   << "http: ";
        QTest::newRow("a fraction") << "settlers = 1.5"
                                    << ""
                                    << ""
                                    << "settlers: ";
        QTest::newRow("a list of numbers") << "roles = [1]"
                                           << ""
                                           << ""
                                           << "roles: ";
        QTest::newRow("value in the file") << "settlers = 65"
                                           << ""
                                           << ""
                                           << "settlers (";
        QTest::newRow("value in the environment") << ""
                                                  << "COUNTERSIGN_SETTLERS=x"
                                                  << ""
                                                  << "settlers (COUNTERSIGN_SETTLERS): 'x'";
        QTest::newRow("value as argument") << ""
                                           << ""
                                           << "--settlers=0"
                                           << "settlers (--settlers): '0'";
        QTest::newRow("both forms") << ""
                                    << "WEBHOOK_SECRET_FILE=/f"
                                    << ""
                                    << "WEBHOOK_SECRET and WEBHOOK_SECRET_FILE are both given";
        QTest::newRow("file not there") << ""
                                        << ""
                                        << "--webhook-secret-file=/nonexistent"
                                        << "'/nonexistent'";
        QTest::newRow("file is a folder") << ""
                                          << ""
                                          << "--webhook-secret-file=/"
                                          << "cannot be read";
        QTest::newRow("file is empty") << ""
                                       << ""
                                       << "--webhook-secret-file=/dev/null"
                                       << "is empty";
        QTest::newRow("short secret")
            << ""
            << "WEBHOOK_SECRET=short"
            << ""
            << "webhook_secret (WEBHOOK_SECRET): has 5 characters, at least 32";
        QTest::newRow("admin for everybody") << ""
                                             << ""
                                             << "--admin=0.0.0.0:9090"
                                             << "set admin_token too";
        QTest::newRow("admin on the webhooks' address") << ""
                                                        << ""
                                                        << "--admin=127.0.0.1:8080"
                                                        << "same address";
        QTest::newRow("certificate without key") << ""
                                                 << ""
                                                 << "--tls-cert=/proc/self/status"
                                                 << "tls_key";
        QTest::newRow("key without certificate") << ""
                                                 << ""
                                                 << "--tls-key=/proc/self/status"
                                                 << "tls_cert";
        QTest::newRow("roles emptied") << "roles = ''"
                                       << ""
                                       << ""
                                       << "roles (";
        QTest::newRow("database of another kind")
            << ""
            << ""
            << "--database-url=mysql://h"
            << "database_url (--database-url): is not a PostgreSQL URL";
    }
    void complains()
    {
        QFETCH(QString, toml);
        QFETCH(QString, variable);
        QFETCH(QString, argument);
        QFETCH(QString, said);
        std::vector<std::string> arguments{"serve", "--config", put("c.toml", toml.toUtf8())};
        if (!argument.isEmpty()) {
            arguments.push_back(argument.toStdString());
        }
        if (!variable.isEmpty()) {
            const qsizetype equals = variable.indexOf('=');
            m_environment[variable.first(equals).toStdString()]
                = variable.sliced(equals + 1).toStdString();
        }

        const QStringList complaints = complaintsOf(arguments);

        QCOMPARE(complaints.size(), 1);
        QVERIFY2(complaints[0].contains(said), qPrintable(complaints[0]));
    }

    void aConfigurationFileThatIsNotThereIsAComplaint()
    {
        QVERIFY(complaintsOf({"serve", "--config", "/nonexistent.toml"})[0].contains(
            "/nonexistent.toml"));
    }

    void allComplaintsComeAtOnce()
    {
        m_environment = {{"WEBHOOK_SECRET", "short"}, {"REDIS_URL", "http://h"},
            {"COUNTERSIGN_SETTLERS", "many"}};
        const QStringList complaints = complaintsOf({"serve", "--admin", "0.0.0.0:1", "--roles=x"});
        QCOMPARE(complaints.size(), 6);
        for (const char* key :
            {"webhook_secret", "redis_url", "settlers", "admin", "roles", "database_url"}) {
            QCOMPARE(complaints.filter(QRegularExpression{QString{"^  %1\\b"}.arg(key)}).size(), 1);
        }
    }

    void complaintsNeverRepeatSecrets()
    {
        m_environment = {{"WEBHOOK_SECRET", "sesame"}, {"ADMIN_TOKEN", "sesame\n"},
            {"REDIS_URL", "http://u:sesame@h"}, {"DATABASE_URL", "mysql://u:sesame@h"},
            {"ETH_RPC_URL", "ws://h/sesame"}};
        auto loaded = loadWith({"serve"});
        const auto* const farewell = std::get_if<Farewell>(&loaded);
        QVERIFY(farewell);
        QVERIFY2(farewell->text.find("sesame") == std::string::npos, farewell->text.c_str());
    }
};

QTEST_APPLESS_MAIN(TestLoad)
#include "tst_load.moc"
