#include "ui/widgets/pages.h"

#include <QCoreApplication>

namespace ui {

namespace {

struct PageRow
{
    const char* slug;
    Icon icon;
    const char* title;
};

constexpr std::array kPageRows{
    PageRow{"overview", Icon::Overview, QT_TRANSLATE_NOOP("ui::pages", "Overview")},
    PageRow{"lookup", Icon::Lookup, QT_TRANSLATE_NOOP("ui::pages", "Lookup")},
    PageRow{"dead-letters", Icon::DeadLetters, QT_TRANSLATE_NOOP("ui::pages", "Dead letters")},
    PageRow{"approvals", Icon::Approvals, QT_TRANSLATE_NOOP("ui::pages", "Approvals")},
    PageRow{"zombies", Icon::Zombies, QT_TRANSLATE_NOOP("ui::pages", "Zombies")},
    PageRow{"breaker", Icon::Breaker, QT_TRANSLATE_NOOP("ui::pages", "Breaker")},
    PageRow{
        "reconciliation", Icon::Reconciliation, QT_TRANSLATE_NOOP("ui::pages", "Reconciliation")},
    PageRow{"streams", Icon::Streams, QT_TRANSLATE_NOOP("ui::pages", "Streams")},
    PageRow{"quarantine", Icon::Quarantine, QT_TRANSLATE_NOOP("ui::pages", "Quarantine")},
    PageRow{"alerts", Icon::Alerts, QT_TRANSLATE_NOOP("ui::pages", "Alerts")},
    PageRow{"audit", Icon::Audit, QT_TRANSLATE_NOOP("ui::pages", "Audit")},
};
static_assert(kPageRows.size() == kPages.size());

constexpr std::array kPageKeys{Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5, Qt::Key_6,
    Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_0, Qt::Key_Minus};

const PageRow& rowOfPage(Page page)
{
    return kPageRows[static_cast<std::size_t>(page)];
}

} // namespace

QString titleOf(Page page)
{
    return QCoreApplication::translate("ui::pages", rowOfPage(page).title);
}

Icon iconOf(Page page)
{
    return rowOfPage(page).icon;
}

QKeySequence keyOf(Page page)
{
    return QKeySequence{Qt::ALT | kPageKeys[static_cast<std::size_t>(page)]};
}

QString slugOf(Page page)
{
    return QLatin1String{rowOfPage(page).slug};
}

} // namespace ui
