#include "processor/base/log.h"
#include "processor/base/secret.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryFile>
#include <QTest>

#include <thread>
#include <unistd.h>
#include <vector>

// What this process writes to stderr while the object lives.
class CapturedStderr
{
public:
    CapturedStderr() : m_saved{dup(STDERR_FILENO)}
    {
        m_opened = m_file.open();
        dup2(m_file.handle(), STDERR_FILENO);
    }
    ~CapturedStderr() { restore(); }

    QList<QByteArray> lines()
    {
        restore();
        if (!m_opened || !m_file.seek(0)) {
            return {};
        }
        QList<QByteArray> all = m_file.readAll().split('\n');
        all.removeLast(); // what follows the last line end
        return all;
    }

private:
    void restore()
    {
        if (m_saved >= 0) {
            dup2(m_saved, STDERR_FILENO);
            close(m_saved);
            m_saved = -1;
        }
    }

    QTemporaryFile m_file;
    int m_saved;
    bool m_opened = false;
};

class TestLog : public QObject
{
    Q_OBJECT

private slots:
    void init() { base::startLog(base::LogLevel::Debug, "test@here"); }

    void writesOneObjectALine()
    {
        CapturedStderr captured;
        base::logWarning("user \"x\"\nunknown",
            {{"user_id", std::int64_t{42}}, {"amount", "0.1"}, {"known", false}});
        const auto lines = captured.lines();

        QCOMPARE(lines.size(), 1);
        const QJsonObject line = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(line["level"].toString(), "warning");
        QCOMPARE(line["message"].toString(), "user \"x\"\nunknown");
        QCOMPARE(line["trace_id"].toString(), "no-trace");
        QCOMPARE(line["instance"].toString(), "test@here");
        QCOMPARE(line["user_id"].toInteger(), 42);
        QCOMPARE(line["amount"].toString(), "0.1");
        QCOMPARE(line["known"].toBool(true), false);
        QVERIFY(lines[0].startsWith("{\"time\":\""));
    }

    void timeIsUtcWithMicroseconds()
    {
        CapturedStderr captured;
        const QDateTime before = QDateTime::currentDateTimeUtc();
        base::logInfo("now");
        const QString time
            = QJsonDocument::fromJson(captured.lines().value(0)).object()["time"].toString();

        const QRegularExpression form{R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$)"};
        QVERIFY2(form.match(time).hasMatch(), qPrintable(time));
        const qint64 off = before.msecsTo(QDateTime::fromString(time, Qt::ISODateWithMs));
        QVERIFY2(off >= 0 && off < 10'000, qPrintable(time));
    }

    void hostileTextCannotForgeALine()
    {
        CapturedStderr captured;
        base::logInfo("\"}\n{\"level\":\"info\",\"message\":\"forged\"}", {{"a\"b", "\xff\x00"}});
        const auto lines = captured.lines();

        QCOMPARE(lines.size(), 1);
        QVERIFY(QJsonDocument::fromJson(lines[0]).isObject());
    }

    void leavesOutWhatIsBelowTheLevel()
    {
        base::startLog(base::LogLevel::Warning, "test@here");
        CapturedStderr captured;
        base::log(base::LogLevel::Debug, "left out");
        base::logInfo("left out");
        base::logWarning("one");
        base::logError("two");
        base::logCritical("three");

        QCOMPARE(captured.lines().size(), 3);
    }

    void traceScopesNestAndEnd()
    {
        const auto inside = [] { return base::currentTraceId(); };
        QCOMPARE(inside(), "no-trace");
        {
            const base::TraceScope outer{"outer"};
            {
                const base::TraceScope inner{"inner"};
                QCOMPARE(inside(), "inner");
                std::string elsewhere;
                std::thread{[&] { elsewhere = inside(); }}.join();
                QCOMPARE(elsewhere, "no-trace");
            }
            QCOMPARE(inside(), "outer");
        }
        QCOMPARE(inside(), "no-trace");
    }

    void linesOfManyThreadsStayWhole()
    {
        constexpr int kThreads = 8;
        constexpr int kLinesEach = 200;
        CapturedStderr captured;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < kThreads; ++i) {
                threads.emplace_back([] {
                    for (int n = 0; n < kLinesEach; ++n) {
                        base::logInfo("line", {{"filler", std::string(500, 'x')}});
                    }
                });
            }
        }
        const auto lines = captured.lines();

        QCOMPARE(lines.size(), kThreads * kLinesEach);
        for (const QByteArray& line : lines) {
            QVERIFY2(QJsonDocument::fromJson(line).isObject(), line.constData());
        }
    }

    void aClosedStderrIsSurvived()
    {
        const int saved = dup(STDERR_FILENO);
        close(STDERR_FILENO);
        base::logCritical("nobody hears this");
        dup2(saved, STDERR_FILENO);
        close(saved);
    }
};

QTEST_APPLESS_MAIN(TestLog)
#include "tst_log.moc"
