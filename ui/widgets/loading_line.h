// LoadingLine: "Asking PostgreSQL, 1.2 s · Cancel", after 300 ms; old rows stay where they are.
#pragma once

#include <QElapsedTimer>
#include <QString>
#include <QWidget>

#include <chrono>

class QLabel;
class QTimer;

namespace ui {

/** Keeps its room all the time, so nothing moves when it begins or ends. */
class LoadingLine final : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kDelay{300};

    explicit LoadingLine(QWidget* parent = nullptr);

    /** A question to this source ("PostgreSQL") began. */
    void begin(const QString& source);
    /** It was answered, failed or was cancelled. */
    void end();

    bool isShowing() const { return m_isShowing; }
    QString text() const;

signals:
    void cancelRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void tick();

    QString m_source;
    QElapsedTimer m_since;
    QTimer* m_timer;
    QWidget* m_words;
    QLabel* m_text;
    bool m_isShowing = false;
    int m_step = 0;
};

} // namespace ui
