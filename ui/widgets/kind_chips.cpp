#include "ui/widgets/kind_chips.h"

#include "ui/widgets/chip.h"

#include <QHBoxLayout>
#include <QLocale>

namespace ui {

KindChips::KindChips(const QList<KindChoice>& kinds, QWidget* parent) : QWidget{parent}
{
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (const KindChoice& kind : kinds) {
        auto* chip = new Chip{this};
        m_entries << Entry{kind, chip};
        row->addWidget(chip);
        setCount(kind.kind, 0);
        connect(chip, &QAbstractButton::clicked, this, [this, name = kind.kind] {
            setCurrent(name);
            emit chosen(name);
        });
    }
    row->addStretch();
    setCurrent({});
}

void KindChips::setCount(const QString& kind, int count)
{
    for (const Entry& entry : m_entries) {
        if (entry.choice.kind == kind) {
            entry.chip->setContent(entry.choice.label, QLocale{}.toString(count));
        }
    }
}

void KindChips::setCurrent(const QString& kind)
{
    m_current = kind;
    for (const Entry& entry : m_entries) {
        entry.chip->setActive(entry.choice.kind == kind, false);
    }
}

} // namespace ui
