// Fonts: the console's type, chosen by measurement so that digits stand under digits.
#pragma once

#include <QFont>
#include <QString>

namespace ui {

/** One font per use, all of the same two families. Sizes are pixels at 100 %. */
struct Fonts
{
    QFont body; // 13 and up: follows the system's size
    QFont bold; // body, 600
    QFont small; // 12: secondary text, table header
    QFont smallBold; // 12, 600: badges, table header
    QFont label; // 11: chart labels, key hints
    QFont value; // 20, 600: summary and tile values
    QFont pageTitle; // 19, 600
    QFont dialogTitle; // 17, 600
    QFont mono; // hashes, ids
    QFont monoSmall; // times with milliseconds

    /** Where the families come from. */
    enum class Families {
        Fit, // the system's UI font if isFit(), else Open Sans
        Pictures, // Open Sans and Noto Sans Mono: screenshots are the same everywhere
    };

    /** Derives all from the system's UI font (QFontDatabase::systemFont before applyTheme). */
    static Fonts make(const QFont& systemUi, Families families = Families::Fit);
};

/** Has Cyrillic and equal advances for 0-9, regular and semibold: amounts align in it. */
bool isFit(const QString& family);

/** The fonts applyTheme() applied last. */
const Fonts& currentFonts();
void setCurrentFonts(const Fonts& fonts);

/** View → Density: how much air a row has. */
enum class Density { Compact, Comfortable };

/** The uniform row height of tables in this font: 27 or 32 at 13 px; never below. */
int rowHeight(const QFont& font, Density density);

} // namespace ui
