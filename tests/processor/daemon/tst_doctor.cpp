#include "processor/daemon/doctor.h"
#include "processor/daemon/logins.h"
#include "tests/support/stack.h"

#include <QTest>
#include <memory>
#include <optional>

namespace {

using processor::Grade;

class TestDoctor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_stack = std::make_unique<support::TestStack>();
        m_database.emplace(m_stack->createDatabase());
    }
    void cleanupTestCase()
    {
        m_database.reset();
        m_stack.reset();
    }

    void daemonsLoginIsExamined();
    void superuserIsWarnedOf();
    void settingsOfAnotherLoginAreWarnedOf();
    void missingSchemaIsWrong();
    void absenceIsGraded();
    void redisIsExamined();
    void reportsInTwoForms();

private:
    static Grade gradeOf(const std::vector<processor::Diagnosis>& all, const std::string& subject);

    std::unique_ptr<support::TestStack> m_stack;
    std::optional<support::Database> m_database;
};

Grade TestDoctor::gradeOf(const std::vector<processor::Diagnosis>& all, const std::string& subject)
{
    for (const auto& one : all) {
        if (one.subject == subject) return one.grade;
    }
    qWarning("%s", (subject + " is not in " + processor::reportOf(all, false)).c_str());
    return Grade::Wrong;
}

void TestDoctor::daemonsLoginIsExamined()
{
    const auto all
        = processor::examineDatabase({.url = m_database->url(), .user = processor::kProcessorRole});
    for (const char* subject :
        {"PostgreSQL version", "login", "clock", "schema", "rights", "settings of the login"}) {
        QVERIFY2(gradeOf(all, subject) == Grade::Fine, subject);
    }
    QCOMPARE(gradeOf(all, "durability"), Grade::Wrong); // the stores of tests run without fsync
    QCOMPARE(gradeOf(all, "failover"), Grade::Warning);
    QVERIFY(processor::isAnyWrong(all));
}

void TestDoctor::superuserIsWarnedOf()
{
    const auto all = processor::examineDatabase({.url = m_database->url()});
    QCOMPARE(gradeOf(all, "login"), Grade::Warning);
}

void TestDoctor::settingsOfAnotherLoginAreWarnedOf()
{
    m_database->run("CREATE ROLE stranger LOGIN");
    const auto all = processor::examineDatabase({.url = m_database->url(), .user = "stranger"});
    QCOMPARE(gradeOf(all, "login"), Grade::Fine);
    QCOMPARE(gradeOf(all, "schema"), Grade::Wrong); // may not even look
    m_database->run("GRANT pg_read_all_data TO stranger");
    const auto more = processor::examineDatabase({.url = m_database->url(), .user = "stranger"});
    QCOMPARE(gradeOf(more, "rights"), Grade::Wrong);
    QCOMPARE(gradeOf(more, "settings of the login"), Grade::Warning);
}

void TestDoctor::missingSchemaIsWrong()
{
    const auto all = processor::examineDatabase({.url = m_stack->stores().databaseUrl("postgres")});
    QCOMPARE(gradeOf(all, "schema"), Grade::Wrong);
}

void TestDoctor::absenceIsGraded()
{
    QCOMPARE(
        gradeOf(processor::examineDatabase({.url = "postgresql://127.0.0.1:1/none"}), "PostgreSQL"),
        Grade::Wrong);
    QCOMPARE(
        gradeOf(processor::examineRedis("redis://127.0.0.1:1", "Redis"), "Redis"), Grade::Warning);
}

void TestDoctor::redisIsExamined()
{
    const auto all = processor::examineRedis(m_stack->redisUrl(), "Redis");
    for (const char* subject :
        {"Redis version", "Redis when full", "Redis on disk", "Redis clock"}) {
        QVERIFY2(gradeOf(all, subject) == Grade::Fine, subject);
    }
    auto redis = m_stack->connectRedis();
    QVERIFY(redis.run({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"}));
    QVERIFY(redis.run({"CONFIG", "SET", "appendonly", "no"}));
    const auto worse = processor::examineRedis(m_stack->redisUrl(), "Redis");
    QVERIFY(redis.run({"CONFIG", "SET", "maxmemory-policy", "noeviction"}));
    // It stays without: a Redis that begins its file anew refuses to end until it is written.
    QCOMPARE(gradeOf(worse, "Redis when full"), Grade::Warning);
    QCOMPARE(gradeOf(worse, "Redis on disk"), Grade::Note);
}

void TestDoctor::reportsInTwoForms()
{
    const std::vector<processor::Diagnosis> all{
        {"clock", Grade::Fine, "right"}, {"schema", Grade::Wrong, "\"old\""}};
    QCOMPARE(processor::reportOf(all, false),
        std::string{"ok       clock: right\nwrong    schema: \"old\"\n"});
    QCOMPARE(processor::reportOf(all, true),
        std::string{"{\"ok\":false,\"findings\":[{\"subject\":\"clock\",\"grade\":\"ok\","
                    "\"text\":\"right\"},{\"subject\":\"schema\",\"grade\":\"wrong\","
                    "\"text\":\"\\\"old\\\"\"}]}\n"});
}

} // namespace

QTEST_GUILESS_MAIN(TestDoctor)
#include "tst_doctor.moc"
