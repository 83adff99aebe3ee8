#include "processor/embedded/folder.h"
#include "processor/embedded/private_file.h"
#include "tests/support/temp_folder.h"

#include <QTest>

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using embedded::Folder;

namespace {

class TestFolder : public QObject
{
    Q_OBJECT

private slots:
    void privateFilesAreReplacedWhole()
    {
        const support::TempFolder folder;
        const auto path = folder.file("secret");
        QVERIFY(embedded::writePrivateFile(path, "old"));
        QVERIFY(embedded::writePrivateFile(path, "new and longer"));
        QCOMPARE(*embedded::readFile(path), std::string{"new and longer"});
        struct stat seen = {};
        QCOMPARE(stat(path.c_str(), &seen), 0);
        QCOMPARE(seen.st_mode & 0777U, 0600U);
        const auto files = std::filesystem::directory_iterator{folder.path()};
        QCOMPARE(std::distance(begin(files), end(files)), 1); // no draft left behind
    }

    void aMissingFileIsNotFoundAndAnUnwritableOneIsUnavailable()
    {
        const auto missing = embedded::readFile("/nonexistent/file");
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, base::ErrorKind::NotFound);
        QVERIFY(!embedded::writePrivateFile("/nonexistent/file", "text"));
    }

    void theLockGoesWithTheObject()
    {
        const support::TempFolder folder;
        {
            const auto first = Folder::open(folder.file("stack"));
            QVERIFY2(first, first ? "" : first.error().message.c_str());
            const auto second = Folder::open(folder.file("stack"));
            QVERIFY(!second);
            QCOMPARE(second.error().kind, base::ErrorKind::Conflict);
        }
        QVERIFY(Folder::open(folder.file("stack")));
    }

    void aRelativePathBecomesAbsolute()
    {
        const support::TempFolder folder;
        QCOMPARE(chdir(folder.path().c_str()), 0);
        const auto opened = Folder::open("stack/");
        QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
        QCOMPARE(opened->path(), folder.file("stack"));
        QCOMPARE(chdir("/"), 0);
    }

    void aFileInTheWayIsRefused()
    {
        const support::TempFolder folder;
        QVERIFY(embedded::writePrivateFile(folder.file("stack"), ""));
        QVERIFY(!Folder::open(folder.file("stack")));
        QVERIFY(!Folder::open(""));
    }

    void anUnreachableFolderNamesTheParentThatBars()
    {
        if (geteuid() != 0) {
            // An ordinary user's stores run as that user: nothing can bar them but not us.
            QVERIFY(Folder::open(support::TempFolder{}.file("stack")));
            return;
        }
        const support::TempFolder folder;
        QCOMPARE(mkdir(folder.file("closed").c_str(), 0700), 0);
        const auto opened = Folder::open(folder.file("closed/deep/stack"));
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, base::ErrorKind::Invalid);
        QVERIFY2(opened.error().message.find(folder.file("closed") + ":") != std::string::npos,
            opened.error().message.c_str());
    }

    void anExistingSecretIsKept()
    {
        const support::TempFolder folder;
        const auto opened = Folder::open(folder.file("stack"));
        QVERIFY(opened);
        QVERIFY(embedded::writePrivateFile(opened->secretFile(), "chosen by a person"));
        QVERIFY(opened->ensureSecret());
        QCOMPARE(*embedded::readFile(opened->secretFile()), std::string{"chosen by a person"});
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestFolder)
#include "tst_folder.moc"
