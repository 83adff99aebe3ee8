// TimelineView: the timeline as a list; arrows move, Enter opens the raw record.
#pragma once

#include "ui/widgets/timeline_model.h"

#include <QListView>

namespace ui {

/** Rows are 38 high: time, line with icon, title over one line of evidence, badge. */
class TimelineView final : public QListView
{
    Q_OBJECT

public:
    explicit TimelineView(QWidget* parent = nullptr);

    TimelineModel& timeline() { return *m_model; }
    /** Replaces the entries; the current one stays current if it is still there. */
    void setEntries(const QList<TimelineEntry>& entries);

signals:
    /** Enter or double click: show the raw record of this entry. */
    void opened(qint64 id);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void openIndex(const QModelIndex& index);

    TimelineModel* m_model;
};

} // namespace ui
