// Icons, style sheet and translations inside the program.
#pragma once

#include <QLocale>

#include <memory>

class QTranslator;

namespace ui {

/** Makes `:/icons`, `:/style` and `:/translations` readable. May be called often. */
void loadResources();

/**
 * The words in this language, to be installed (QCoreApplication::installTranslator): Russian, or
 * the plural forms of English for any other.
 */
std::unique_ptr<QTranslator> makeTranslator(QLocale::Language language);

} // namespace ui
