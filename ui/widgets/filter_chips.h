// FilterChips: a page's filter as chips, as free text, and as one editable line.
#pragma once

#include "ui/widgets/filter.h"

#include <QWidget>

#include <chrono>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTimer;

namespace ui {

class Chip;

/**
 * The row above a table: chips, "+ Filter", free text; what is added to the right end (views,
 * columns, export) stands behind it. Ctrl+Shift+F shows the line, Enter takes it, Esc leaves it.
 */
class FilterChips final : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kDebounce{250};

    explicit FilterChips(
        const QList<FilterKey>& keys, const QString& textHint, QWidget* parent = nullptr);

    const Filter& filter() const { return m_filter; }
    /** Shows this filter; does not emit. */
    void setFilter(const Filter& filter);

    /** Ctrl+F of the page. */
    void focusText();
    /** Ctrl+Shift+F of the page. */
    void editLine();

    /** A small button at the right end of the row. */
    void addAtEnd(QWidget* widget);

signals:
    /** A person changed it: at once by chip or line, 250 ms after the last key by free text. */
    void filterChanged(const ui::Filter& filter);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void addChip(const FilterKey& key);
    void addMore(const QList<FilterKey>& hidden);
    void focusChip(const QString& key);
    void choose(const FilterKey& key, QWidget* below);
    void change(const Filter& filter);
    void takeLine();
    void leaveLine();

    QList<FilterKey> m_keys;
    Filter m_filter;
    QWidget* m_chips;
    QHBoxLayout* m_chipRow;
    QLineEdit* m_text;
    QLineEdit* m_line;
    QLabel* m_complaint;
    QHBoxLayout* m_end;
    QTimer* m_debounce;
};

} // namespace ui
