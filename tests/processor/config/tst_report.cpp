#include "processor/config/load.h"
#include "processor/config/options.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace config;

class TestReport : public QObject
{
    Q_OBJECT

    std::map<std::string, std::string> m_environment;

    std::string reportOf(const std::vector<std::string>& arguments)
    {
        const auto lookUp = [this](std::string_view name) -> std::optional<std::string> {
            const auto found = m_environment.find(std::string{name});
            return found == m_environment.end() ? std::nullopt : std::optional{found->second};
        };
        auto loaded = load(arguments, lookUp);
        if (auto* const farewell = std::get_if<Farewell>(&loaded)) {
            return farewell->text;
        }
        return std::get_if<Request>(&loaded)->report;
    }

private slots:
    void init() { m_environment.clear(); }

    void theSampleNamesEveryOption()
    {
        const std::string sample = reportOf({"config", "sample"});
        for (const Option& option : options()) {
            QVERIFY(sample.find("\n#" + std::string{option.key} + " = ") != std::string::npos);
            QVERIFY(sample.find(option.environment) != std::string::npos);
            QVERIFY(sample.find(option.help) != std::string::npos);
        }
    }

    void theSampleWithoutItsCommentSignsIsTheDefault()
    {
        QString sample = QString::fromStdString(reportOf({"config", "sample"}));
        sample.replace(QRegularExpression{"^#(?=[a-z])", QRegularExpression::MultilineOption}, "");
        const QTemporaryDir folder;
        QFile file{folder.filePath("sample.toml")};
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(sample.toUtf8());
        file.close();
        const std::string path = file.fileName().toStdString();

        const auto valuesOf = [this](std::vector<std::string> arguments) {
            const auto shown
                = QJsonDocument::fromJson(QByteArray::fromStdString(reportOf(arguments))).object();
            QMap<QString, QString> values;
            for (auto item = shown.begin(); item != shown.end(); ++item) {
                values[item.key()] = item.value().toObject()["value"].toString();
            }
            return values;
        };
        const auto fromSample = valuesOf({"config", "show", "--json", "--config", path});

        QCOMPARE(fromSample.size(), qsizetype(kOptionCount));
        QCOMPARE(fromSample, valuesOf({"config", "show", "--json"}));
    }

    void theSampleAsJson()
    {
        const std::string text = reportOf({"config", "sample", "--json"});
        const auto list = QJsonDocument::fromJson(QByteArray::fromStdString(text)).array();
        QCOMPARE(list.size(), qsizetype(kOptionCount));
        QCOMPARE(list[0].toObject()["key"].toString(), "roles");
    }

    void showsWhatIsInForceAndWhereItComesFrom()
    {
        m_environment = {{"REDIS_URL", "unix:///run/r.sock"}};
        const QString shown
            = QString::fromStdString(reportOf({"config", "show", "--settlers", "3"}));

        QVERIFY(shown.contains("settlers = 3  # argument: --settlers\n"));
        QVERIFY(shown.contains("redis_url = \"unix:///run/r.sock\"  # environment: REDIS_URL\n"));
        QVERIFY(shown.contains("redis_streams_url = \"unix:///run/r.sock\"  # default\n"));
        QVERIFY(shown.contains("http = \"127.0.0.1:8080\"  # default\n"));
        QVERIFY(shown.contains("database_url = \"\"  # default\n")); // shown although required
    }

    void showsNoSecret_data()
    {
        QTest::addColumn<bool>("asJson");
        QTest::newRow("TOML") << false;
        QTest::newRow("JSON") << true;
    }
    void showsNoSecret()
    {
        QFETCH(bool, asJson);
        m_environment = {{"WEBHOOK_SECRET", "sesame-sesame-sesame-sesame-sesame"},
            {"ADMIN_TOKEN", "sesame"}, {"DATABASE_URL", "postgresql://bob:sesame@h/db"},
            {"DATABASE_DIRECT_URL", "host=h user=bob password=sesame"},
            {"REDIS_URL", "redis://:sesame@h"}, {"ETH_RPC_URL", "https://node.example/v3/sesame"}};
        std::vector<std::string> arguments{"config", "show"};
        if (asJson) {
            arguments.push_back("--json");
        }

        const std::string shown = reportOf(arguments);

        QVERIFY2(shown.find("sesame") == std::string::npos, shown.c_str());
        for (const char* part : {"postgresql://bob:***@h/db", "user=bob password=***",
                 "redis://:***@h", "https://node.example/***", "WEBHOOK_SECRET"}) {
            QVERIFY2(shown.find(part) != std::string::npos, part);
        }
    }

    void showsAlsoWhatIsWrong()
    {
        m_environment = {{"COUNTERSIGN_SETTLERS", "many"}};
        QVERIFY(reportOf({"config", "show"}).find("'many'") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestReport)
#include "tst_report.moc"
