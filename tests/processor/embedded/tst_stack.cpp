#include "processor/embedded/launch.h"
#include "processor/embedded/private_file.h"
#include "processor/embedded/stack.h"
#include "tests/support/process.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wait.h"

#include <QTest>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <pwd.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace std::chrono_literals;
using embedded::Stack;
using embedded::Store;

namespace {

struct Held
{
    std::unique_ptr<support::Process> process;
    pid_t postgres = -1;
    pid_t redis = -1;
};

class TestStack : public QObject
{
    Q_OBJECT

private:
    static std::unique_ptr<Stack> start(const std::string& folder)
    {
        auto stack = Stack::start({.folder = folder, .fsync = false});
        if (!stack) qFatal("%s", stack.error().message.c_str());
        return std::move(*stack);
    }

    // A stack in a process of its own, which can be killed.
    static std::string holder() { return support::binFolder() + "/stack_holder"; }
    static Held hold(const std::string& folder, std::optional<embedded::Account> account = {},
        const std::string& program = holder())
    {
        auto process = support::Process::start(
            {.program = program, .arguments = {folder}, .account = std::move(account)});
        if (!process) qFatal("%s", process.error().message.c_str());
        const auto line = (*process)->waitLine("ready", 60s);
        if (!line) qFatal("%s", line.error().message.c_str());
        Held held{std::move(*process)};
        std::string ready;
        std::istringstream{*line} >> ready >> held.postgres >> held.redis;
        return held;
    }

    static std::string ask(const Stack& stack, const std::string& sql)
    {
        const auto answer = embedded::runToEnd(
            {.argv = {"/usr/bin/psql", "--no-psqlrc", "--tuples-only", "--no-align",
                 "--set=ON_ERROR_STOP=1", "--command=" + sql, stack.databaseUrl()},
                .environment = embedded::plainEnvironment()},
            "", 20s);
        if (!answer) return answer.error().message;
        return answer->substr(0, answer->find_last_not_of('\n') + 1);
    }

    static std::string askRedis(const Stack& stack, const std::vector<std::string>& words)
    {
        std::vector<std::string> argv{
            "/usr/bin/redis-cli", "-s", stack.redisUrl().substr(std::string{"unix://"}.size())};
        argv.insert(argv.end(), words.begin(), words.end());
        const auto answer = embedded::runToEnd(
            {.argv = argv, .environment = embedded::plainEnvironment()}, "", 20s);
        if (!answer) return answer.error().message;
        return answer->substr(0, answer->find_last_not_of('\n') + 1);
    }

private slots:
    void firstStartCreatesAndSecondKeepsTheData()
    {
        const support::TempFolder folder;
        const auto path = folder.file("new/stack");
        std::string secret;
        {
            const auto stack = start(path);
            QCOMPARE(ask(*stack, "SELECT current_user, current_database()"),
                std::string{"postgres|countersign"});
            QCOMPARE(ask(*stack, "CREATE TABLE kept AS SELECT 7 AS n"), std::string{"SELECT 1"});
            QCOMPARE(askRedis(*stack, {"SET", "kept", "8"}), std::string{"OK"});
            secret = *embedded::readFile(stack->secretFile());
            QCOMPARE(secret.size(), std::size_t{65});
        }
        const auto stack = start(path);
        QCOMPARE(ask(*stack, "SELECT n FROM kept"), std::string{"7"});
        QCOMPARE(askRedis(*stack, {"GET", "kept"}), std::string{"8"});
        QCOMPARE(*embedded::readFile(stack->secretFile()), secret);
    }

    void listensOnSocketsOnlyAndOnlyForItsOwner()
    {
        const support::TempFolder folder;
        const auto stack = start(folder.file("stack"));
        QCOMPARE(ask(*stack, "SHOW listen_addresses"), std::string{});
        QCOMPARE(askRedis(*stack, {"CONFIG", "GET", "port"}), std::string{"port\n0"});
        QCOMPARE(askRedis(*stack, {"CONFIG", "GET", "maxmemory-policy"}),
            std::string{"maxmemory-policy\nnoeviction"});
        struct stat seen = {};
        QCOMPARE(stat((stack->folder() + "/run").c_str(), &seen), 0);
        QCOMPARE(seen.st_mode & 0777U, 0700U);
        QCOMPARE(stat(stack->secretFile().c_str(), &seen), 0);
        QCOMPARE(seen.st_mode & 0777U, 0600U);
    }

    void isDurableUnlessATestSaysOtherwise()
    {
        const support::TempFolder folder;
        const auto stack = Stack::start({.folder = folder.file("stack")});
        QVERIFY2(stack, stack ? "" : stack.error().message.c_str());
        QCOMPARE(ask(**stack, "SHOW fsync"), std::string{"on"});
        QCOMPARE(ask(**stack, "SHOW synchronous_commit"), std::string{"on"});
        QCOMPARE(ask(**stack, "SHOW data_checksums"), std::string{"on"});
        QCOMPARE(askRedis(**stack, {"CONFIG", "GET", "appendfsync"}),
            std::string{"appendfsync\neverysec"});
    }

    void aSecondOwnerIsRefusedWithTheFirstOnesNumber()
    {
        const support::TempFolder folder;
        const auto first = start(folder.file("stack"));
        const auto second = Stack::start({.folder = folder.file("stack"), .fsync = false});
        QVERIFY(!second);
        QCOMPARE(second.error().kind, base::ErrorKind::Conflict);
        const auto own = "already served by process " + std::to_string(getpid());
        QVERIFY2(
            second.error().message.find(own) != std::string::npos, second.error().message.c_str());
        QCOMPARE(ask(*first, "SELECT 1"), std::string{"1"});
    }

    void aStoreThatIsKilledComesBack_data()
    {
        QTest::addColumn<int>("store");
        QTest::newRow("postgres") << int(Store::Postgres);
        QTest::newRow("redis") << int(Store::Redis);
    }
    void aStoreThatIsKilledComesBack()
    {
        QFETCH(int, store);
        const auto which = static_cast<Store>(store);
        const support::TempFolder folder;
        std::atomic<int> restarts{0};
        const auto stack = Stack::start({.folder = folder.file("stack"),
            .fsync = false,
            .onRestarted = [&restarts](Store) { ++restarts; }});
        QVERIFY2(stack, stack ? "" : stack.error().message.c_str());
        QCOMPARE(ask(**stack, "CREATE TABLE kept AS SELECT 7 AS n"), std::string{"SELECT 1"});
        QCOMPARE(askRedis(**stack, {"SET", "kept", "8"}), std::string{"OK"});

        for (int round = 1; round <= 3; ++round) {
            const pid_t before = (*stack)->pid(which);
            QCOMPARE(kill(before, SIGKILL), 0);
            QVERIFY(support::waitUntil([&] { return restarts == round; }, 30s));
            QVERIFY((*stack)->pid(which) != before);
            QCOMPARE(ask(**stack, "SELECT n FROM kept"), std::string{"7"});
            QCOMPARE(askRedis(**stack, {"GET", "kept"}), std::string{"8"});
        }
    }

    void aHeldStoreStaysDownUntilReleased()
    {
        const support::TempFolder folder;
        const auto stack = start(folder.file("stack"));
        stack->hold(Store::Postgres);
        QCOMPARE(stack->pid(Store::Postgres), -1);
        QVERIFY(!stack->waitUp(Store::Postgres, 300ms));
        QCOMPARE(askRedis(*stack, {"PING"}), std::string{"PONG"});
        QVERIFY(stack->release(Store::Postgres));
        QCOMPARE(ask(*stack, "SELECT 1"), std::string{"1"});
    }

    void bothStoresEndWithAKilledParent()
    {
        const support::TempFolder folder;
        auto held = hold(folder.file("stack"));
        QVERIFY(support::isAlive(held.postgres));
        QVERIFY(support::isAlive(held.redis));

        held.process->kill();

        QVERIFY(support::waitUntil([&] { return !support::isAlive(held.postgres); }, 10s));
        QVERIFY(support::waitUntil([&] { return !support::isAlive(held.redis); }, 10s));
    }

    void theNextStartCopesWithAKilledParentAtOnce()
    {
        const support::TempFolder folder;
        for (int round = 0; round < 3; ++round) {
            auto held = hold(folder.file("stack"));
            held.process->kill();
        }
        const auto stack = start(folder.file("stack"));
        QCOMPARE(ask(*stack, "SELECT 1"), std::string{"1"});
    }

    void stopsInOrderOnRequest()
    {
        const support::TempFolder folder;
        auto held = hold(folder.file("stack"));
        const auto status = held.process->terminate();
        QVERIFY(status);
        QCOMPARE(*status, 0);
        QVERIFY(!support::isAlive(held.postgres));
        QVERIFY(!support::isAlive(held.redis));
        const auto log = *embedded::readFile(folder.file("stack/postgres.log"));
        QVERIFY(log.find("database system is shut down") != std::string::npos);
    }

    void staleLockFilesWithSomebodyElsesNumberDoNotKeepItDown()
    {
        const support::TempFolder folder;
        start(folder.file("stack"));
        // The number of a living process that is no store, as after a restart of a container.
        const auto pidFile = folder.file("stack/pg/data/postmaster.pid");
        const auto stale = std::to_string(getppid()) + "\n" + folder.file("stack/pg/data")
            + "\n1700000000\n5432\n" + folder.file("stack/run") + "\n\n\nready   \n";
        QVERIFY(embedded::writePrivateFile(pidFile, stale));
        QVERIFY(embedded::writePrivateFile(
            folder.file("stack/redis/redis.pid"), std::to_string(getppid()) + "\n"));
        const auto stack = start(folder.file("stack"));
        QCOMPARE(ask(*stack, "SELECT 1"), std::string{"1"});
        QVERIFY(support::isAlive(getppid()));
    }

    void aFirstStartThatWasCutShortIsBegunAnew()
    {
        const support::TempFolder folder;
        start(folder.file("stack"));
        QCOMPARE(
            rename(folder.file("stack/pg/data").c_str(), folder.file("stack/pg/data.new").c_str()),
            0);
        const auto stack = start(folder.file("stack"));
        QCOMPARE(ask(*stack, "SELECT current_database()"), std::string{"countersign"});
    }

    void dataOfAVersionThatIsNotInstalledIsNamedAndLeftAlone()
    {
        const support::TempFolder folder;
        start(folder.file("stack"));
        QVERIFY(embedded::writePrivateFile(folder.file("stack/pg/data/PG_VERSION"), "9\n"));
        const auto stack = Stack::start({.folder = folder.file("stack"), .fsync = false});
        QVERIFY(!stack);
        QCOMPARE(stack.error().kind, base::ErrorKind::NotFound);
        QVERIFY(stack.error().message.find("PostgreSQL 9") != std::string::npos);
    }

    void aStoreThatCannotStartSaysWhy()
    {
        const support::TempFolder folder;
        const auto stack = Stack::start({.folder = folder.file("stack"),
            .fsync = false,
            .postgresSettings = {"no_such_setting=1"}});
        QVERIFY(!stack);
        QVERIFY2(stack.error().message.find("no_such_setting") != std::string::npos,
            stack.error().message.c_str());
    }

    void anAwkwardPathGetsItsSocketsElsewhere_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("too long") << QString(60, 'a') + "/" + QString(60, 'b');
        QTest::newRow("commas, blanks, quotes, percent signs") << "a, b \"c\" 100%";
        QTest::newRow("not ASCII") << "деньги";
    }
    void anAwkwardPathGetsItsSocketsElsewhere()
    {
        QFETCH(QString, name);
        const support::TempFolder folder;
        const auto path = folder.file(name.toStdString());
        std::string sockets;
        for (int round = 0; round < 2; ++round) {
            const auto stack = start(path);
            QCOMPARE(ask(*stack, "SELECT 1"), std::string{"1"});
            QCOMPARE(askRedis(*stack, {"PING"}), std::string{"PONG"});
            if (round == 1) QCOMPARE(*embedded::readFile(path + "/run.path"), sockets);
            sockets = *embedded::readFile(path + "/run.path");
            struct stat seen = {};
            QCOMPARE(stat(sockets.c_str(), &seen), 0);
            QCOMPARE(seen.st_mode & 0777U, 0700U);
        }
        QCOMPARE(rmdir(sockets.c_str()), 0);
    }

    void worksForAnOrdinaryUser()
    {
        const support::TempFolder folder;
        if (geteuid() != 0) {
            auto held = hold(folder.file("stack"));
            QVERIFY(support::isAlive(held.postgres));
            return; // then every other test has shown it, too
        }
        const passwd* nobody = getpwnam("nobody");
        QVERIFY(nobody);
        QCOMPARE(mkdir(folder.file("theirs").c_str(), 0700), 0);
        QCOMPARE(chown(folder.file("theirs").c_str(), nobody->pw_uid, nobody->pw_gid), 0);
        const embedded::Account account{nobody->pw_uid, nobody->pw_gid, {}, true};
        // The build may lie in root's home, where nobody else may enter.
        const std::string program = folder.file("stack_holder");
        QVERIFY(std::filesystem::copy_file(holder(), program));
        {
            auto held = hold(folder.file("theirs/stack"), account, program);
            struct stat seen = {};
            QCOMPARE(stat(folder.file("theirs/stack/pg/data").c_str(), &seen), 0);
            QCOMPARE(seen.st_uid, nobody->pw_uid);
            held.process->kill();
            QVERIFY(support::waitUntil([&] { return !support::isAlive(held.postgres); }, 10s));
            QVERIFY(support::waitUntil([&] { return !support::isAlive(held.redis); }, 10s));
        }
        // Root takes over such a folder as its owner and leaves it usable for them.
        start(folder.file("theirs/stack"));
        auto held = hold(folder.file("theirs/stack"), account, program);
        QVERIFY(support::isAlive(held.redis));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestStack)
#include "tst_stack.moc"
