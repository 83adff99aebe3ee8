// Icons: our own line drawings in the colours of the current theme, sharp at any pixel ratio.
#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QSize>
#include <QString>

class QPainter;
class QPixmap;

namespace ui {

enum class StateKind;

/** One per file of resources/icons. */
enum class Icon {
    Alerts,
    Approvals,
    Audit,
    Back,
    Breaker,
    Chain,
    Close,
    Columns,
    Command,
    Copy,
    Danger,
    Database,
    DeadLetters,
    Down,
    Enqueued,
    Export,
    External,
    Eye,
    Filter,
    Forward,
    In,
    Info,
    Journal,
    Letters,
    Link,
    Lock,
    Lookup,
    Mail,
    Note,
    Ok,
    Out,
    Overview,
    Pack,
    Pause,
    Person,
    Play,
    Plus,
    Processing,
    Quarantine,
    Reconciliation,
    Refresh,
    Replay,
    Server,
    Shield,
    Skip,
    Streams,
    Table,
    Theme,
    Trash,
    Unknown,
    Waiting,
    Warning,
    Webhook,
    Zombies,
};

/** The role an icon plays; the theme gives the colour, also disabled and on a selected row. */
enum class IconTone {
    Text,
    Muted,
    Accent,
    OnAccent, // on a primary button
    Ok, // the states' fill
    Info,
    Waiting,
    Warning,
    Danger,
    Unknown,
    OkText, // the states' text tone: on soft grounds and selected rows
    InfoText,
    WaitingText,
    WarningText,
    DangerText,
    UnknownText,
};

/** Follows theme and pixel ratio by itself: it is drawn when it is painted. Set it once. */
QIcon icon(Icon which, IconTone tone = IconTone::Text);

/** The tone of a state: its fill, or its text tone (on soft grounds and on selected rows). */
IconTone fillTone(StateKind kind);
IconTone textTone(StateKind kind);

/** The colour of a tone in the current theme. */
QColor toneColor(IconTone tone);

/** The outline of a state: shape repeats what colour says. */
Icon iconOf(StateKind kind);

/** For buttons with text: the icon is 16, the rest is room before the text. */
inline constexpr QSize kIconBesideText{20, 16};

/** Strokes in the drawings' 20 units: 1.5 everywhere, 2 inside badges. */
inline constexpr double kStroke = 1.5;
inline constexpr double kBadgeStroke = 2;

/** Paints an icon into the rectangle, in one colour; for delegates and own widgets. */
void paintIcon(QPainter& painter, const QRectF& where, Icon which, const QColor& color,
    double stroke = kStroke);

/** The same as a pixmap of `size` logical pixels, for labels. Cached. */
QPixmap iconPixmap(
    Icon which, const QColor& color, int size, double pixelRatio, double stroke = kStroke);

/** The name of the drawing: `deadletters`. */
QString nameOf(Icon which);

} // namespace ui
