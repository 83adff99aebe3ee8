// What the tests of widgets share: the console's look and language, at the size of the design.
#pragma once

#include "ui/widgets/fonts.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QFont>
#include <QLocale>
#include <QTranslator>

#include <memory>

namespace look {

/** Open Sans at 13 px in this theme. */
inline void apply(const ui::Theme& theme = ui::Theme::light())
{
    QFont system;
    system.setPixelSize(13);
    ui::applyTheme(*qApp, theme, ui::Fonts::make(system, ui::Fonts::Families::Pictures));
}

/** Words and numbers of this language, until the next call. */
inline void speak(QLocale::Language language)
{
    static std::unique_ptr<QTranslator> s_translator;
    s_translator = ui::makeTranslator(language); // the old one uninstalls itself
    QCoreApplication::installTranslator(s_translator.get());
    QLocale::setDefault(language == QLocale::Russian ? QLocale{"ru_RU"} : QLocale{"en_US"});
}

} // namespace look
