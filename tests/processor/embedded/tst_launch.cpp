#include "processor/embedded/launch.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"

#include <QTest>

#include <csignal>
#include <sys/wait.h>
#include <thread>

using namespace std::chrono_literals;

namespace {

class TestLaunch : public QObject
{
    Q_OBJECT

private:
    static embedded::Launch shell(const std::string& script)
    {
        return {.argv = {"/bin/sh", "-c", script}, .environment = embedded::plainEnvironment()};
    }

private slots:
    void outputAndInputAreHandedOver()
    {
        const auto said = embedded::runToEnd(shell("cat; echo err >&2"), "in\n", 10s);
        QVERIFY2(said, said ? "" : said.error().message.c_str());
        QCOMPARE(*said, std::string{"in\nerr\n"});
    }

    void aFailureCarriesWhatTheProgramSaid()
    {
        const auto said = embedded::runToEnd(shell("echo because; exit 3"), "", 10s);
        QVERIFY(!said);
        QVERIFY(said.error().message.find("because") != std::string::npos);
    }

    void aProgramThatTakesTooLongIsKilled()
    {
        const auto said = embedded::runToEnd(shell("exec sleep 60"), "", 100ms);
        QVERIFY(!said);
        QVERIFY(said.error().message.find("did not end in time") != std::string::npos);
    }

    void aMissingProgramIsAnErrorAndNotAChild()
    {
        const auto started = embedded::launch({.argv = {"/nonexistent"}, .environment = {}});
        QVERIFY(!started);
        QVERIFY(started.error().message.find("No such file") != std::string::npos);
        QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1); // ECHILD
    }

    void nothingIsInherited()
    {
        qputenv("PGPORT", "1");
        sigset_t blocked;
        sigset_t before;
        sigfillset(&blocked);
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
        signal(SIGPIPE, SIG_IGN);
        const auto said = embedded::runToEnd(
            shell("echo ${PGPORT:-none}; grep -E 'Sig(Blk|Ign)' /proc/self/status"), "", 10s);
        signal(SIGPIPE, SIG_DFL);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        qunsetenv("PGPORT");
        QVERIFY2(said, said ? "" : said.error().message.c_str());
        QCOMPARE(
            *said, std::string{"none\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"});
    }

    void theDeathSignalFollowsTheThread()
    {
        const support::TempFolder folder;
        pid_t child = -1;
        std::thread{[&child] {
            auto plan = shell("exec sleep 60");
            plan.deathSignal = SIGKILL;
            child = *embedded::launch(plan);
        }}.join();
        int status = 0;
        QVERIFY(support::waitUntil([&] { return waitpid(child, &status, WNOHANG) == child; }, 5s));
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), SIGKILL);
    }

    void aProcessIsKilledAtTheEndOfItsScope()
    {
        pid_t child = -1;
        {
            const auto process = support::Process::start(
                {.program = "/bin/sh", .arguments = {"-c", "echo up; exec sleep 60"}});
            QVERIFY(process);
            QVERIFY((*process)->waitLine("up", 5s));
            child = (*process)->pid();
            QVERIFY(support::isAlive(child));
        }
        QVERIFY(!support::isAlive(child));
    }

    void exitStatusAndSignalsAreTold()
    {
        const auto ends = support::Process::start(
            {.program = "/bin/sh", .arguments = {"-c", "echo last; exit 7"}});
        QVERIFY((*ends)->waitLine("last", 5s));
        QCOMPARE((*ends)->waitExit(5s).value_or(-1), 7);
        const auto sleeps = support::Process::start({.program = "/bin/sleep", .arguments = {"60"}});
        QVERIFY(!(*sleeps)->waitExit(50ms));
        (*sleeps)->kill();
        QCOMPARE((*sleeps)->waitExit(0ms).value_or(-1), 128 + SIGKILL);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestLaunch)
#include "tst_launch.moc"
