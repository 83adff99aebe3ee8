#include "ui/widgets/page_header.h"

#include "processor/base/check.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kHeaderHeightPx = 44;
constexpr int kHeaderGapPx = 8;

} // namespace

PageHeader::PageHeader(QWidget* parent, FreshnessLabel::Clock now)
    : QWidget{parent}
    , m_title{new ElidedLabel{"title", this}}
    , m_subtitle{new ElidedLabel{"muted", this}}
    , m_freshness{new FreshnessLabel{this, std::move(now)}}
    , m_right{new QHBoxLayout}
    , m_more{makeButton(tr("More"), "", this)}
    , m_moreMenu{new QMenu{this}}
{
    setFixedHeight(kHeaderHeightPx);
    auto* left = new QVBoxLayout;
    left->setSpacing(0);
    left->addWidget(m_title);
    left->addWidget(m_subtitle);
    left->addStretch();

    m_more->setAccessibleName(tr("More commands of this page"));
    m_more->setIcon(icon(Icon::Down));
    m_more->setMenu(m_moreMenu);
    m_more->hide();

    m_right->setSpacing(kHeaderGapPx);
    m_right->addWidget(m_freshness);
    m_right->addWidget(m_more);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    row->addLayout(left, 1);
    row->addLayout(m_right);
}

void PageHeader::setTitle(const QString& title)
{
    m_title->setText(title);
    setAccessibleName(title);
}

void PageHeader::setSubtitle(const QString& subtitle)
{
    m_subtitle->setText(subtitle);
}

void PageHeader::addSwitch(QWidget* widget)
{
    m_right->insertWidget(m_right->indexOf(m_more), widget);
    fold();
}

void PageHeader::addCommand(QAction* command, Rank rank)
{
    QPushButton* button = makeButton({}, "", this);
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    if (rank == Rank::Primary) {
        for (const Button& other : m_buttons) {
            CHECK(other.rank != Rank::Primary); // at most one on a page
        }
        setLook(*button, "primary");
    }
    // "More" stands between the buttons that fold and the primary, which never does.
    m_right->insertWidget(
        rank == Rank::Primary ? m_right->count() : m_right->indexOf(m_more), button);
    m_buttons.append({command, button, rank});
    connect(button, &QPushButton::clicked, command, &QAction::trigger);
    connect(command, &QAction::changed, this, [this, entry = m_buttons.last()] {
        follow(entry);
        fold();
    });
    follow(m_buttons.last());
    fold();
}

void PageHeader::follow(const Button& entry)
{
    entry.button->setText(entry.command->text().remove(u'&'));
    entry.button->setIcon(entry.command->icon());
    entry.button->setEnabled(entry.command->isEnabled());
    entry.button->setCheckable(entry.command->isCheckable());
    entry.button->setChecked(entry.command->isChecked());
    entry.button->setToolTip(entry.command->toolTip());
    entry.button->setAccessibleName(entry.button->text());
    entry.button->setAccessibleDescription(entry.command->toolTip());
}

QSize PageHeader::minimumSizeHint() const
{
    return {0, kHeaderHeightPx};
}

void PageHeader::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fold();
}

bool PageHeader::event(QEvent* event)
{
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::StyleChange) {
        fold();
    }
    return QWidget::event(event);
}

void PageHeader::fold()
{
    constexpr int titleRoomPx = 160; // less says nothing about where one is
    int room = width() - titleRoomPx;
    for (int i = 0; i < m_right->count(); ++i) {
        const QWidget* widget = m_right->itemAt(i)->widget();
        const bool isFolding = std::any_of(m_buttons.begin(), m_buttons.end(),
            [widget](const Button& b) { return b.button == widget && b.rank == Rank::Secondary; });
        if (!isFolding && widget != m_more) {
            room -= widget->sizeHint().width() + kHeaderGapPx;
        }
    }
    int wanted = 0;
    for (const Button& entry : m_buttons) {
        wanted
            += entry.rank == Rank::Secondary ? entry.button->sizeHint().width() + kHeaderGapPx : 0;
    }
    if (wanted > room) {
        room -= m_more->sizeHint().width() + kHeaderGapPx;
    }
    m_moreMenu->clear();
    bool isFull = false;
    for (const Button& entry : m_buttons) {
        if (entry.rank == Rank::Primary) {
            continue;
        }
        room -= entry.button->sizeHint().width() + kHeaderGapPx;
        isFull = isFull || room < 0;
        entry.button->setVisible(!isFull);
        if (isFull) {
            m_moreMenu->addAction(entry.command);
        }
    }
    m_more->setVisible(isFull);
}

} // namespace ui
