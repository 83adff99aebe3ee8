#include "ui/widgets/timeline_view.h"

#include "ui/data/cell_role.h"
#include "ui/widgets/timeline_delegate.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

namespace ui {

TimelineView::TimelineView(QWidget* parent) : QListView{parent}, m_model{new TimelineModel{this}}
{
    setModel(m_model);
    setItemDelegate(new TimelineDelegate{this});
    setUniformItemSizes(true);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    setAccessibleName(tr("Timeline, oldest first"));
    connect(this, &QListView::doubleClicked, this, &TimelineView::openIndex);
}

void TimelineView::setEntries(const QList<TimelineEntry>& entries)
{
    const QVariant current = currentIndex().data(RowIdRole);
    m_model->setEntries(entries);
    if (const int row = current.isValid() ? m_model->rowOf(current.toLongLong()) : -1; row >= 0) {
        setCurrentIndex(m_model->index(row));
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        openIndex(currentIndex());
    } else if (event->matches(QKeySequence::Copy) && currentIndex().isValid()) {
        const TimelineEntry* entry = m_model->entryAt(currentIndex().row());
        const QString raw = entry != nullptr && entry->amount ? entry->amount->raw() : QString{};
        QGuiApplication::clipboard()->setText(entry == nullptr
                ? QString{}
                : QStringList{time_text::iso(entry->at),
                    (entry->bold + u' ' + entry->plain).trimmed(), raw, entry->detail}
                      .join(u'\t'));
    } else {
        QListView::keyPressEvent(event);
    }
}

void TimelineView::openIndex(const QModelIndex& index)
{
    if (const QVariant id = index.data(RowIdRole); id.isValid()) {
        emit opened(id.toLongLong());
    }
}

} // namespace ui
