// countersign-gallery DIR: every widget in every state as PNG, in each theme, language, direction.
// Not a test and not installed: for looking at, beside the design's pictures.
#include "tests/ui/gallery_sheets.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QDir>
#include <QPixmap>
#include <QTranslator>
#include <QWidget>

#include <cstdio>

namespace {

struct Dress
{
    const char* name;
    ui::Theme theme;
    QLocale::Language language;
    Qt::LayoutDirection direction = Qt::LeftToRight;
};

bool show(const QDir& folder, const gallery::Sheet& sheet, const Dress& dress)
{
    const std::unique_ptr<QWidget> page = sheet.make();
    page->setAttribute(Qt::WA_DontShowOnScreen);
    page->show();
    QApplication::sendPostedEvents();
    const QString path = folder.filePath(QStringLiteral("%1-%2.png").arg(sheet.name, dress.name));
    return page->grab().save(path);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application{argc, argv};
    if (argc != 2 || !QDir{}.mkpath(QString::fromLocal8Bit(argv[1]))) {
        std::fputs("countersign-gallery DIR: writes the pictures there\n", stderr);
        return 64;
    }
    QFont system;
    system.setPixelSize(13);
    const ui::Fonts fonts = ui::Fonts::make(system, ui::Fonts::Families::Pictures);
    const Dress dresses[]{
        {"light", ui::Theme::light(), QLocale::English},
        {"dark", ui::Theme::dark(), QLocale::English},
        {"light-ru", ui::Theme::light(), QLocale::Russian},
        {"dark-ru", ui::Theme::dark(), QLocale::Russian},
        {"contrast", ui::Theme::light(true), QLocale::English},
        {"mirrored", ui::Theme::light(), QLocale::English, Qt::RightToLeft},
    };
    for (const Dress& dress : dresses) {
        const auto translator = ui::makeTranslator(dress.language);
        QApplication::installTranslator(translator.get());
        const bool isRussian = dress.language == QLocale::Russian;
        QLocale::setDefault(QLocale{isRussian ? "ru_RU" : "en_US"});
        QApplication::setLayoutDirection(dress.direction);
        ui::applyTheme(application, dress.theme, fonts);
        for (const gallery::Sheet& sheet : gallery::sheets()) {
            if (!show(QDir{QString::fromLocal8Bit(argv[1])}, sheet, dress)) {
                std::fprintf(stderr, "%s cannot be written\n", qPrintable(sheet.name));
                return 1;
            }
        }
    }
    return 0;
}
