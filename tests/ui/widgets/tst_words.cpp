// Words: every state has one in both languages, also those the rules know; unknown stays unknown.
#include "processor/domain/event_state.h"
#include "processor/domain/event_type.h"
#include "processor/domain/failure.h"
#include "tests/ui/widgets/look.h"
#include "ui/widgets/pages.h"
#include "ui/widgets/phrases.h"
#include "ui/widgets/words.h"

#include <QTest>

#include <set>

using ui::stateWord;
using ui::WordSet;

class TestWords : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void everyStateIsUniqueAndHasAShape();
    void everyWordIsRussianInRussian();
    void whatTheRulesKnowHasAWord();
    void wordsOfTheDesign_data();
    void wordsOfTheDesign();
    void aStateOfANewerProcessorIsUnknown();
    void sentencesInBothLanguages();
    void pagesInOrder();
    void noStringIsWithoutRussian();
};

namespace {

bool hasCyrillic(const QString& text)
{
    return std::any_of(
        text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Cyrillic; });
}

QByteArray contentOf(const QString& path)
{
    QFile file{path};
    if (!file.open(QIODevice::ReadOnly)) {
        qFatal("%s cannot be read", qPrintable(path));
    }
    return file.readAll();
}

} // namespace

void TestWords::init()
{
    look::speak(QLocale::English);
}

void TestWords::everyStateIsUniqueAndHasAShape()
{
    std::set<std::pair<WordSet, std::string>> seen;
    for (const ui::WordRow& row : ui::allWords()) {
        QVERIFY2(seen.insert({row.set, row.name}).second, row.name);
        QVERIFY(row.source.text[0] != '\0');
        // The dashed look is for what is not known, and for places that are not real.
        if (row.kind == ui::StateKind::Unknown) {
            QVERIFY2(row.shape == ui::Icon::Unknown || row.shape == ui::Icon::Note
                    || std::string_view{row.name} == "not run",
                row.name);
        }
        // Unknown never borrows another state's outline, and nobody borrows the octagon.
        if (row.shape == ui::Icon::Danger) {
            QCOMPARE(row.kind, ui::StateKind::Danger);
        }
        if (row.shape == ui::Icon::Ok) {
            QCOMPARE(row.kind, ui::StateKind::Ok);
        }
    }
    QVERIFY(seen.size() > 100);
}

void TestWords::everyWordIsRussianInRussian()
{
    look::speak(QLocale::Russian);
    for (const ui::WordRow& row : ui::allWords()) {
        QVERIFY2(hasCyrillic(ui::textOf(row)), row.source.text);
    }
    for (const ui::Page page : ui::kPages) {
        QVERIFY2(hasCyrillic(ui::titleOf(page)), qPrintable(ui::titleOf(page)));
    }
}

void TestWords::whatTheRulesKnowHasAWord()
{
    const auto isKnown = [](WordSet set, std::string_view name) {
        const QString text = QString::fromLatin1(name.data(), qsizetype(name.size()));
        return stateWord(set, text).shape != ui::Icon::Unknown;
    };
    for (const auto& [state, name] : domain::kEventStates) {
        QVERIFY2(isKnown(WordSet::Event, name), name.data());
    }
    for (const domain::EventTypeRow& row : domain::kEventTypes) {
        QVERIFY2(isKnown(WordSet::EventType, row.text), row.text.data());
    }
    for (const domain::FailureRow& row : domain::kFailures) {
        QVERIFY2(isKnown(WordSet::Failure, row.text), row.text.data());
    }
}

void TestWords::wordsOfTheDesign_data()
{
    QTest::addColumn<WordSet>("set");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("english");
    QTest::addColumn<QString>("russian");

    QTest::newRow("enqueued") << WordSet::Event << "enqueued"
                              << "Enqueued"
                              << "В очереди";
    QTest::newRow("failed event") << WordSet::Event << "failed"
                                  << "Failed"
                                  << "Не проведено";
    QTest::newRow("failed item") << WordSet::ReplayItem << "failed"
                                 << "Failed"
                                 << "Не удалось";
    QTest::newRow("open letter") << WordSet::Letter << "open"
                                 << "Open"
                                 << "Открыто";
    QTest::newRow("open breaker") << WordSet::Breaker << "open"
                                  << "Open"
                                  << "Сработал";
    QTest::newRow("closed breaker") << WordSet::Breaker << "closed"
                                    << "Closed"
                                    << "Норма";
    QTest::newRow("duplicate") << WordSet::Delivery << "duplicate"
                               << "Duplicate"
                               << "Повтор";
    QTest::newRow("slow") << WordSet::Zombie << "slow"
                          << "Slow, alive"
                          << "Медленно, работает";
    QTest::newRow("finality") << WordSet::Wait << "finality"
                              << "Waits for finality"
                              << "Ждёт финальности";
    QTest::newRow("void") << WordSet::Replay << "voided"
                          << "Void: the snapshot changed"
                          << "Недействительно: снимок изменился";
    QTest::newRow("sent") << WordSet::ReplayItem << "sent"
                          << "Sent, not read back yet"
                          << "Отправлено, ещё не сверено";
}

void TestWords::wordsOfTheDesign()
{
    QFETCH(WordSet, set);
    QFETCH(QString, name);
    QFETCH(QString, english);
    QFETCH(QString, russian);

    QCOMPARE(stateWord(set, name).text, english);
    look::speak(QLocale::Russian);
    QCOMPARE(stateWord(set, name).text, russian);
}

void TestWords::aStateOfANewerProcessorIsUnknown()
{
    const ui::StateWord word = stateWord(WordSet::Letter, u"teleported");
    QCOMPARE(word.text, QString{"teleported"});
    QCOMPARE(word.kind, ui::StateKind::Unknown);
    QCOMPARE(word.shape, ui::Icon::Unknown);
    QCOMPARE(stateWord(WordSet::Breaker, u"half_open", ui::phrases::probeIn(6)).text,
        QString{"Half-open, probe in 6 s"});
}

void TestWords::sentencesInBothLanguages()
{
    namespace say = ui::phrases;
    QCOMPARE(say::needsRole(u"approver", u"support"),
        QString{"Needs the role approver. You are support."});
    QCOMPARE(say::newRows(12), QString{"12 new – show them"});
    QCOMPARE(say::requestReplayMatching(3418), QString{"Request replay: all matching (3,418)…"});
    QCOMPARE(say::searched(30, 2104377, true),
        QString{"Searched the last 30 days, 2,104,377 rows, complete"});
    QCOMPARE(say::searched(1, 7, true), QString{"Searched the last day, 7 rows, complete"});

    look::speak(QLocale::Russian);
    QCOMPARE(say::newRows(12), QString{"Новых: 12 – показать"});
    QCOMPARE(
        say::searched(30, 7, true), QString{"Просмотрены последние 30 дней, строк: 7, полностью"});
    QCOMPARE(
        say::searched(22, 7, true), QString{"Просмотрены последние 22 дня, строк: 7, полностью"});
    QCOMPARE(say::searched(21, 7, false),
        QString{"Просмотрен последний 21 день, строк: 7, не полностью"});
    QCOMPARE(say::needsRole(u"approver", u"support"),
        QString{"Нужна роль «согласующий». Ваша роль: поддержка."});
    QCOMPARE(say::unlocksIn(2), QString{"Доступно через 2 с"});
}

void TestWords::pagesInOrder()
{
    QCOMPARE(ui::keyOf(ui::Page::Overview), QKeySequence{"Alt+1"});
    QCOMPARE(ui::keyOf(ui::Page::Alerts), QKeySequence{"Alt+0"});
    QCOMPARE(ui::keyOf(ui::Page::Audit), QKeySequence{"Alt+-"});
    QCOMPARE(ui::titleOf(ui::Page::DeadLetters), QString{"Dead letters"});
    QCOMPARE(ui::slugOf(ui::Page::DeadLetters), QString{"dead-letters"});
    QCOMPARE(ui::iconOf(ui::Page::DeadLetters), ui::Icon::DeadLetters);
    std::set<QString> slugs;
    for (const ui::Page page : ui::kPages) {
        slugs.insert(ui::slugOf(page));
    }
    QCOMPARE(slugs.size(), ui::kPages.size());
}

// The sources are read as update_translations reads them: a string nobody has translated yet, or
// one that is gone, shows here and not to the first Russian reader.
void TestWords::noStringIsWithoutRussian()
{
    QTemporaryDir folder;
    for (const char* language : {"ru", "en"}) {
        const QString ours
            = QStringLiteral(SOURCE_DIR "/resources/translations/countersign_%1.ts").arg(language);
        const QString fresh = folder.filePath("fresh.ts");
        QFile::remove(fresh);
        QVERIFY(QFile::copy(ours, fresh));
        QStringList arguments{"-silent", "-no-obsolete", "-locations", "none", "-I", SOURCE_DIR};
        if (language == std::string_view{"en"}) {
            arguments << "-pluralonly";
        }
        arguments << "-recursive" << SOURCE_DIR "/ui"
                  << "-ts" << fresh;
        QProcess lupdate;
        lupdate.start(LUPDATE, arguments);
        QVERIFY(lupdate.waitForFinished());
        QCOMPARE(lupdate.exitCode(), 0);
        const QByteArray text = contentOf(fresh);
        const qsizetype at = text.indexOf("type=\"unfinished\"");
        QVERIFY2(at < 0, text.mid(std::max<qsizetype>(0, at - 200), 240).constData());
        QVERIFY2(text == contentOf(ours), "strings are gone: ./dev build update_translations");
    }
}

QTEST_MAIN(TestWords)
#include "tst_words.moc"
