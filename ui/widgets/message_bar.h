// MessageBar: what commands came to and what is wrong, under the page's header, until it is read.
#pragma once

#include "ui/widgets/theme.h"

#include <QList>
#include <QString>
#include <QWidget>

#include <chrono>
#include <optional>

class QLabel;
class QVBoxLayout;

namespace ui {

struct Message
{
    StateKind kind = StateKind::Info;
    QString fact = {}; // bold: "R-0412 waits for approval."
    QString rest = {}; // what it means, what to do: "Nothing has moved."
    QString action = {}; // a link at the end ("Undo", "Show processors"); none if empty
    QString errorId = {}; // copyable; errors have one
    /** Only for what loses its sense by itself (Undo, 10 s); all else stays until it is closed. */
    std::optional<std::chrono::milliseconds> expiresAfter = {};
};

/** One message; made by MessageBar, or alone inside a page ("Verdicts are incomplete."). */
class MessageLine final : public QWidget
{
    Q_OBJECT

public:
    enum class Close { Closable, Fixed };
    explicit MessageLine(const Message& message, Close close, QWidget* parent = nullptr);

    const Message& message() const { return m_message; }
    bool hasHeightForWidth() const override { return true; }

signals:
    void actionTriggered();
    void closeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Message m_message;
};

/** Newest on top, three shown, the rest "and 2 more". Takes no room while there is none. */
class MessageBar final : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kShownMax = 3;

    explicit MessageBar(QWidget* parent = nullptr);

    /** Shows it and returns its number. */
    int post(const Message& message);
    void close(int number);
    void closeAll();
    int count() const { return int(m_entries.size()); }

signals:
    void actionTriggered(int number);
    void closed(int number);

private:
    struct Entry
    {
        int number;
        MessageLine* line;
    };
    void arrange();

    QList<Entry> m_entries; // newest first
    QVBoxLayout* m_column;
    QWidget* m_more;
    QLabel* m_moreText;
    int m_last = 0;
    bool m_isOpen = false; // all are shown
};

} // namespace ui
