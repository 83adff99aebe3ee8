// KindChips: "All 10 · Chain 2 · …", one kind of a timeline at a time, with exact counts.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

namespace ui {

class Chip;

struct KindChoice
{
    QString kind; // empty: all
    QString label;
};

class KindChips final : public QWidget
{
    Q_OBJECT

public:
    explicit KindChips(const QList<KindChoice>& kinds, QWidget* parent = nullptr);

    void setCount(const QString& kind, int count);
    const QString& current() const { return m_current; }
    void setCurrent(const QString& kind);

signals:
    void chosen(const QString& kind);

private:
    struct Entry
    {
        KindChoice choice;
        Chip* chip;
    };
    QList<Entry> m_entries;
    QString m_current;
};

} // namespace ui
