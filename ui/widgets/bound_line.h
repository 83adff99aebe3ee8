// BoundLine: what a list shows and what was searched for it; a bound that was hit is said.
#pragma once

#include <QWidget>

#include <chrono>

class QLabel;

namespace ui {

class IconLabel;

/** What is known about a list; nothing here is estimated. */
struct Bound
{
    int loaded = 0; // rows in the table, from the first
    bool hasMore = false; // more below, not loaded
    QString searched = {}; // "searched the last 30 days, 2,104,377 rows"
    std::chrono::milliseconds took{0};
    enum class End {
        Complete,
        StoppedByTime, // older rows were not searched
        Failed, // the rows are those of the last answer
    };
    End end = End::Complete;
};

/** "Rows 1–50 loaded, more below · searched all open letters, 3,431 rows · 18 ms · complete". */
QString textOf(const Bound& bound);

/** 28 high; a triangle stands before a bound that hides rows. */
class BoundLine final : public QWidget
{
    Q_OBJECT

public:
    explicit BoundLine(QWidget* parent = nullptr);

    void setBound(const Bound& bound);
    /** Any other line of this place: "Newest first · closing this window stops nothing". */
    void setText(const QString& text);
    QString text() const;
    bool isWarning() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    IconLabel* m_icon;
    QLabel* m_text;
};

} // namespace ui
