#include "ui/widgets/loading_line.h"

#include "ui/widgets/theme.h"
#include "ui/widgets/time_text.h"
#include "ui/widgets/widget_parts.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>

namespace ui {

namespace {

constexpr int kLoadingHeightPx = 20;
constexpr int kLoadingBarPx = 2;
constexpr int kSteps = 16; // of the bar across the width; a tick each

} // namespace

LoadingLine::LoadingLine(QWidget* parent)
    : QWidget{parent}
    , m_timer{new QTimer{this}}
    , m_words{new QWidget{this}}
    , m_text{makeLabel("muted", m_words)}
{
    setFixedHeight(kLoadingHeightPx);
    auto* outer = new QHBoxLayout{this};
    outer->setContentsMargins(0, kLoadingBarPx, 0, 0);
    outer->addWidget(m_words);
    auto* row = new QHBoxLayout{m_words};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(m_text);
    QPushButton* cancel = makeButton(tr("Cancel"), "link", m_words);
    cancel->setAccessibleName(tr("Cancel the question"));
    connect(cancel, &QPushButton::clicked, this, &LoadingLine::cancelRequested);
    row->addWidget(cancel);
    row->addStretch();
    m_words->hide();
    m_timer->setInterval(std::chrono::milliseconds{100});
    connect(m_timer, &QTimer::timeout, this, &LoadingLine::tick);
}

void LoadingLine::begin(const QString& source)
{
    m_source = source;
    m_since.start();
    m_timer->start();
}

void LoadingLine::end()
{
    m_timer->stop();
    m_isShowing = false;
    m_words->hide();
    update();
}

QString LoadingLine::text() const
{
    return m_text->text();
}

void LoadingLine::tick()
{
    const std::chrono::milliseconds elapsed{m_since.elapsed()};
    if (elapsed < kDelay) {
        return; // what is answered at once does not flicker
    }
    m_isShowing = true;
    ++m_step;
    m_text->setText(tr("Asking %1, %2 ·").arg(m_source, time_text::duration(elapsed)));
    setAccessibleName(m_text->text());
    m_words->show();
    update();
}

void LoadingLine::paintEvent(QPaintEvent*)
{
    if (!m_isShowing) {
        return;
    }
    QPainter painter{this};
    painter.fillRect(0, 0, width(), kLoadingBarPx, currentTheme().grid);
    const int part = width() / 4;
    const int at = (width() + part) * (m_step % kSteps) / kSteps - part;
    painter.fillRect(at, 0, part, kLoadingBarPx, currentTheme().accent);
}

} // namespace ui
