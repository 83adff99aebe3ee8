// PageHeader: title, counts, as-of, switches and acts; the same on every page, 44 high.
#pragma once

#include "ui/widgets/freshness_label.h"

#include <QList>
#include <QWidget>

class QAction;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;

namespace ui {

/**
 * Left the title over one line of exact counts; right the as-of, then switches, then buttons, the
 * primary one last. Buttons that find no room fold into "More".
 */
class PageHeader final : public QWidget
{
    Q_OBJECT

public:
    explicit PageHeader(
        QWidget* parent = nullptr, FreshnessLabel::Clock now = QDateTime::currentDateTimeUtc);

    void setTitle(const QString& title);
    void setSubtitle(const QString& subtitle);
    FreshnessLabel& freshness() { return *m_freshness; }

    /** A range or view switch; it never folds. */
    void addSwitch(QWidget* widget);

    enum class Rank { Secondary, Primary };
    /** A command as a button: text, icon, shortcut hint, enabled and its reason follow it. */
    void addCommand(QAction* command, Rank rank = Rank::Secondary);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Button
    {
        QAction* command;
        QPushButton* button;
        Rank rank;
    };
    void follow(const Button& button);
    void fold();

    QLabel* m_title;
    QLabel* m_subtitle;
    FreshnessLabel* m_freshness;
    QHBoxLayout* m_right;
    QPushButton* m_more;
    QMenu* m_moreMenu;
    QList<Button> m_buttons;
};

} // namespace ui
