#include "ui/widgets/style_sheet.h"

#include "processor/base/check.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/resources.h"
#include "ui/widgets/theme.h"

#include <QFile>
#include <QStyle>
#include <QWidget>

#include <array>
#include <utility>

namespace ui {

namespace {

constexpr std::array kSizes{
    std::pair{"bodyPx", &Fonts::body},
    std::pair{"smallPx", &Fonts::small},
    std::pair{"labelPx", &Fonts::label},
    std::pair{"valuePx", &Fonts::value},
    std::pair{"pageTitlePx", &Fonts::pageTitle},
    std::pair{"dialogTitlePx", &Fonts::dialogTitle},
};

constexpr char kLookProperty[] = "look";
constexpr std::array kToneNames{"ok", "info", "waiting", "warning", "danger", "unknown"};

void setStyleProperty(QWidget& widget, const char* property, const char* value)
{
    if (widget.property(property).toByteArray() == value) {
        return;
    }
    widget.setProperty(property, QByteArray{value});
    widget.style()->unpolish(&widget);
    widget.style()->polish(&widget);
}

QString valueOf(QStringView name, const Theme& theme, const Fonts& fonts)
{
    for (const auto& [known, member] : kSizes) {
        if (name == QLatin1String{known}) {
            return QString::number((fonts.*member).pixelSize()) + QLatin1String{"px"};
        }
    }
    if (name == QLatin1String{"scheme"}) {
        return theme.isDark ? QStringLiteral("dark") : QStringLiteral("light");
    }
    if (name == QLatin1String{"monoFamily"}) {
        return fonts.mono.family();
    }
    const QColor color = theme.token(name);
    CHECK(color.isValid()); // the sheet is ours: a name it invents is a misprint
    return color.name();
}

} // namespace

QString filled(const QString& sheet, const Theme& theme, const Fonts& fonts)
{
    QString out;
    out.reserve(sheet.size());
    for (qsizetype at = 0; at < sheet.size();) {
        if (sheet[at] != QLatin1Char{'@'}) {
            out += sheet[at++];
            continue;
        }
        qsizetype end = at + 1;
        while (end < sheet.size() && sheet[end].isLetterOrNumber()) {
            ++end;
        }
        out += valueOf(QStringView{sheet}.mid(at + 1, end - at - 1), theme, fonts);
        at = end;
    }
    return out;
}

QString filledStyleSheet(const Theme& theme, const Fonts& fonts)
{
    loadResources();
    QFile file{QStringLiteral(":/style/countersign.qss")};
    CHECK(file.open(QIODevice::ReadOnly));
    return filled(QString::fromUtf8(file.readAll()), theme, fonts);
}

void setLook(QWidget& widget, const char* look)
{
    setStyleProperty(widget, kLookProperty, look);
}

void setTone(QWidget& widget, StateKind kind)
{
    setStyleProperty(widget, "tone", kToneNames[static_cast<std::size_t>(kind)]);
}

} // namespace ui
