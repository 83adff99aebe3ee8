#include "ui/widgets/resources.h"

#include "processor/base/check.h"

#include <QResource>
#include <QTranslator>

// The macro declares a function, which must not stand in a namespace.
static void initCountersignResources()
{
    Q_INIT_RESOURCE(countersign);
    Q_INIT_RESOURCE(countersign_translations);
}

namespace ui {

void loadResources()
{
    initCountersignResources();
}

std::unique_ptr<QTranslator> makeTranslator(QLocale::Language language)
{
    loadResources();
    const bool isRussian = language == QLocale::Russian;
    auto translator = std::make_unique<QTranslator>();
    CHECK(translator->load(isRussian ? QStringLiteral(":/translations/countersign_ru.qm")
                                     : QStringLiteral(":/translations/countersign_en.qm")));
    return translator;
}

} // namespace ui
