#include "ui/widgets/icons.h"

#include "processor/base/check.h"
#include "ui/widgets/icon_names.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/theme.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <array>
#include <cmath>

namespace ui {

namespace {

// The drawings carry one colour and one stroke, which are replaced as text: SVG Tiny has no
// currentColor that a theme could set.
constexpr char kPlaceholderColor[] = "#556072";
constexpr char kPlaceholderStroke[] = "stroke-width=\"1.5\"";

const QByteArray& drawing(Icon which)
{
    static std::array<QByteArray, kIconNames.size()> s_drawings;
    QByteArray& text = s_drawings[static_cast<std::size_t>(which)];
    if (text.isEmpty()) {
        loadResources();
        QFile file{QStringLiteral(":/icons/%1.svg").arg(nameOf(which))};
        CHECK(file.open(QIODevice::ReadOnly));
        text = file.readAll();
    }
    return text;
}

QColor toneColorIn(const Theme& theme, IconTone tone)
{
    switch (tone) {
    case IconTone::Text:
        return theme.text;
    case IconTone::Muted:
        return theme.muted;
    case IconTone::Accent:
        return theme.accent;
    case IconTone::OnAccent:
        return theme.onAccent;
    case IconTone::Ok:
        return theme.of(StateKind::Ok).fill;
    case IconTone::Info:
        return theme.of(StateKind::Info).fill;
    case IconTone::Waiting:
        return theme.of(StateKind::Waiting).fill;
    case IconTone::Warning:
        return theme.of(StateKind::Warning).fill;
    case IconTone::Danger:
        return theme.of(StateKind::Danger).fill;
    case IconTone::Unknown:
        return theme.of(StateKind::Unknown).fill;
    case IconTone::OkText:
        return theme.of(StateKind::Ok).text;
    case IconTone::InfoText:
        return theme.of(StateKind::Info).text;
    case IconTone::WaitingText:
        return theme.of(StateKind::Waiting).text;
    case IconTone::WarningText:
        return theme.of(StateKind::Warning).text;
    case IconTone::DangerText:
        return theme.of(StateKind::Danger).text;
    case IconTone::UnknownText:
        return theme.of(StateKind::Unknown).text;
    }
    CHECK(!"unreachable");
}

// On a selected row a fill may fall below 3:1, the text tone does not.
IconTone onSelection(IconTone tone)
{
    if (tone >= IconTone::Ok && tone <= IconTone::Unknown) {
        constexpr int distance = int(IconTone::OkText) - int(IconTone::Ok);
        return IconTone(int(tone) + distance);
    }
    return tone == IconTone::Muted ? IconTone::Text : tone;
}

class ThemedIconEngine final : public QIconEngine
{
public:
    ThemedIconEngine(Icon which, IconTone tone) : m_which{which}, m_tone{tone} {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        paintIcon(*painter, rect, m_which, colorFor(mode));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override
    {
        // Asked for in device pixels. A wider size than high is room between icon and text, which
        // Qt's styles keep at 4 px: the drawing stands at the outer end of it.
        const int side = std::min(size.width(), size.height());
        const QPixmap square = iconPixmap(m_which, colorFor(mode), side, 1);
        QPixmap pixmap{size};
        pixmap.fill(Qt::transparent);
        QPainter painter{&pixmap};
        const bool isMirrored = QGuiApplication::layoutDirection() == Qt::RightToLeft;
        painter.drawPixmap(
            isMirrored ? size.width() - side : 0, (size.height() - side) / 2, square);
        painter.end();
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }
    QSize actualSize(const QSize& size, QIcon::Mode, QIcon::State) override { return size; }
    QIconEngine* clone() const override { return new ThemedIconEngine{m_which, m_tone}; }
    QString iconName() override { return nameOf(m_which); }
    bool isNull() override { return false; }

private:
    QColor colorFor(QIcon::Mode mode) const
    {
        const Theme& theme = currentTheme();
        switch (mode) {
        case QIcon::Disabled:
            return theme.disabled;
        case QIcon::Selected:
            return toneColorIn(theme, onSelection(m_tone));
        case QIcon::Normal:
        case QIcon::Active:
            return toneColorIn(theme, m_tone);
        }
        CHECK(!"unreachable");
    }

    Icon m_which;
    IconTone m_tone;
};

QPixmap drawn(Icon which, const QColor& color, int sidePx, double stroke)
{
    QByteArray svg = drawing(which);
    svg.replace(kPlaceholderColor, color.name().toLatin1());
    if (stroke > kStroke) {
        svg.replace(kPlaceholderStroke, "stroke-width=\"" + QByteArray::number(stroke) + '"');
    }
    QSvgRenderer renderer{svg};
    CHECK(renderer.isValid());
    QPixmap pixmap{sidePx, sidePx};
    pixmap.fill(Qt::transparent);
    QPainter painter{&pixmap};
    renderer.render(&painter);
    return pixmap;
}

} // namespace

QString nameOf(Icon which)
{
    return QLatin1String{kIconNames[static_cast<std::size_t>(which)]};
}

QIcon icon(Icon which, IconTone tone)
{
    return QIcon{new ThemedIconEngine{which, tone}};
}

IconTone fillTone(StateKind kind)
{
    return IconTone(int(IconTone::Ok) + int(kind));
}

IconTone textTone(StateKind kind)
{
    return IconTone(int(IconTone::OkText) + int(kind));
}

QColor toneColor(IconTone tone)
{
    return toneColorIn(currentTheme(), tone);
}

Icon iconOf(StateKind kind)
{
    switch (kind) {
    case StateKind::Ok:
        return Icon::Ok;
    case StateKind::Info:
        return Icon::Info;
    case StateKind::Waiting:
        return Icon::Waiting;
    case StateKind::Warning:
        return Icon::Warning;
    case StateKind::Danger:
        return Icon::Danger;
    case StateKind::Unknown:
        return Icon::Unknown;
    }
    CHECK(!"unreachable");
}

void paintIcon(
    QPainter& painter, const QRectF& where, Icon which, const QColor& color, double stroke)
{
    const double ratio = painter.device()->devicePixelRatioF();
    const int side = int(std::lround(std::min(where.width(), where.height())));
    if (side > 0) {
        // Whole device pixels: half of one would blur the thin strokes.
        const QPointF corner{
            std::round(where.x() * ratio) / ratio, std::round(where.y() * ratio) / ratio};
        painter.drawPixmap(corner, iconPixmap(which, color, side, ratio, stroke));
    }
}

QPixmap iconPixmap(Icon which, const QColor& color, int size, double pixelRatio, double stroke)
{
    const int sidePx = int(std::lround(size * pixelRatio));
    // The colour is in the key, so a change of theme never shows an old drawing.
    const QString key = QStringLiteral("countersign/%1/%2/%3/%4")
                            .arg(int(which))
                            .arg(color.rgba())
                            .arg(sidePx)
                            .arg(stroke);
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = drawn(which, color, sidePx, stroke);
        QPixmapCache::insert(key, pixmap);
    }
    pixmap.setDevicePixelRatio(pixelRatio);
    return pixmap;
}

} // namespace ui
