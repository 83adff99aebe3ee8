#include "ui/widgets/theme.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/style_sheet.h"

#include <QApplication>
#include <QStyleFactory>

#include <utility>

namespace ui {

namespace {

// What the style sheet may name; states and environments add <name>Text, <name>Fill, <name>Soft.
constexpr std::array kTokens{
    std::pair{"window", &Theme::window},
    std::pair{"surface", &Theme::surface},
    std::pair{"surfaceAlt", &Theme::surfaceAlt},
    std::pair{"header", &Theme::header},
    std::pair{"sidebar", &Theme::sidebar},
    std::pair{"border", &Theme::border},
    std::pair{"grid", &Theme::grid},
    std::pair{"control", &Theme::control},
    std::pair{"text", &Theme::text},
    std::pair{"muted", &Theme::muted},
    std::pair{"disabled", &Theme::disabled},
    std::pair{"accent", &Theme::accent},
    std::pair{"onAccent", &Theme::onAccent},
    std::pair{"link", &Theme::link},
    std::pair{"selection", &Theme::selection},
    std::pair{"hover", &Theme::hover},
    std::pair{"c1", &Theme::c1},
    std::pair{"c2", &Theme::c2},
    std::pair{"c3", &Theme::c3},
    std::pair{"moneyIn", &Theme::moneyIn},
    std::pair{"moneyOut", &Theme::moneyOut},
    std::pair{"onProduction", &Theme::onProduction},
};
constexpr std::array kStateNames{"ok", "info", "waiting", "warning", "danger", "unknown"};
constexpr std::array kEnvironmentNames{"production", "staging", "test"};
constexpr std::array kToneParts{
    std::pair{"Text", &Tone::text},
    std::pair{"Fill", &Tone::fill},
    std::pair{"Soft", &Tone::soft},
};

Theme s_current = Theme::light();

Theme withContrast(Theme theme)
{
    theme.isHighContrast = true;
    theme.border = theme.control;
    theme.grid = theme.control;
    for (Tone& tone : theme.states) {
        tone.soft = theme.surface; // whoever paints it adds a 1 px edge in the text tone
    }
    for (Tone& tone : theme.environments) {
        tone.soft = theme.surface;
    }
    return theme;
}

} // namespace

Theme Theme::light(bool highContrast)
{
    Theme theme;
    theme.window = "#F5F6F9";
    theme.surface = "#FFFFFF";
    theme.surfaceAlt = "#F8F9FB";
    theme.header = "#EEF1F5";
    theme.sidebar = "#EBEEF3";
    theme.border = "#D8DDE6";
    theme.grid = "#E6E9EF";
    theme.control = "#7E8899";
    theme.text = "#18212F";
    theme.muted = "#556072";
    theme.disabled = "#8D96A6";
    theme.accent = "#2456C4";
    theme.onAccent = "#FFFFFF";
    theme.link = "#1F4FB8";
    theme.selection = "#D9E5FB";
    theme.hover = "#EDF2FB";
    theme.c1 = "#2456C4";
    theme.c2 = "#B85C0A";
    theme.c3 = "#0E8587";
    theme.moneyIn = "#0B6B4E";
    theme.moneyOut = "#96420F";
    theme.veil = QColor{0x18, 0x21, 0x2F, 97}; // 38 %
    theme.states = {{
        {"#0B6B4E", "#12916B", "#E1F3EC"}, // ok
        {"#1F55B5", "#3B7DE8", "#E3ECFC"}, // info
        {"#53389E", "#4D2FA3", "#ECE8F8"}, // waiting
        {"#8A4B00", "#C77700", "#FDF0DA"}, // warning
        {"#A81E2C", "#B3202E", "#FBE6E7"}, // danger
        {"#545D6B", "#7B8494", "#ECEEF2"}, // unknown
    }};
    theme.environments = {{
        {"#8C1D5B", "#8C1D5B", "#F8E4EF"}, // production
        {"#0E6478", "#0E6478", "#DFF1F5"}, // staging
        theme.of(StateKind::Unknown), // test
    }};
    theme.onProduction = "#FFFFFF";
    return highContrast ? withContrast(theme) : theme;
}

Theme Theme::dark(bool highContrast)
{
    Theme theme;
    theme.isDark = true;
    theme.window = "#11151C";
    theme.surface = "#181E28";
    theme.surfaceAlt = "#1C232E";
    theme.header = "#212936";
    theme.sidebar = "#141922";
    theme.border = "#2D3644";
    theme.grid = "#262F3D";
    theme.control = "#75819A";
    theme.text = "#E7EBF2";
    theme.muted = "#A3ADBE";
    theme.disabled = "#667084";
    theme.accent = "#7FA8FF";
    theme.onAccent = "#0D1524";
    theme.link = "#8FB4FF";
    theme.selection = "#23395F";
    theme.hover = "#202A3A";
    theme.c1 = "#7FA8FF";
    theme.c2 = "#F2A65A";
    theme.c3 = "#4CC9C0";
    theme.moneyIn = "#5FD3A8";
    theme.moneyOut = "#F08A4B";
    theme.veil = QColor{0x04, 0x07, 0x0C, 148}; // 58 %
    theme.states = {{
        {"#5FD3A8", "#35B98A", "#15332A"}, // ok
        {"#8AB4FF", "#4A80E8", "#1B2C4C"}, // info
        {"#CEBFFF", "#CEBFFF", "#2B2548"}, // waiting
        {"#F5B84B", "#E9A32B", "#3A2B10"}, // warning
        {"#FF8E8E", "#E5484D", "#42191E"}, // danger
        {"#AEB6C4", "#87909F", "#262D39"}, // unknown
    }};
    theme.environments = {{
        {"#F08CC3", "#B33F82", "#3B1730"}, // production
        {"#5CC4DA", "#5CC4DA", "#11333C"}, // staging
        theme.of(StateKind::Unknown), // test
    }};
    theme.onProduction = "#FFFFFF";
    return highContrast ? withContrast(theme) : theme;
}

QPalette Theme::palette() const
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor& color) {
        palette.setColor(QPalette::All, role, color);
    };
    set(QPalette::Window, window);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText,
             QPalette::ToolTipText, QPalette::HighlightedText}) {
        set(role, text);
    }
    set(QPalette::Base, surface);
    set(QPalette::Button, surface);
    set(QPalette::AlternateBase, surfaceAlt);
    set(QPalette::ToolTipBase, header);
    set(QPalette::PlaceholderText, muted);
    set(QPalette::Highlight, selection);
    set(QPalette::Link, link);
    set(QPalette::LinkVisited, of(StateKind::Waiting).text);
    set(QPalette::BrightText, of(StateKind::Danger).text);
    set(QPalette::Light, surface);
    set(QPalette::Midlight, grid);
    set(QPalette::Mid, border);
    set(QPalette::Dark, control);
    set(QPalette::Shadow, text);
    for (const auto role :
        {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    palette.setColor(QPalette::Disabled, QPalette::Highlight, header);
    return palette;
}

QColor Theme::token(QStringView name) const
{
    for (const auto& [known, member] : kTokens) {
        if (name == QLatin1String{known}) {
            return this->*member;
        }
    }
    for (const auto& [part, member] : kToneParts) {
        const QLatin1String suffix{part};
        if (!name.endsWith(suffix)) {
            continue;
        }
        const QStringView stem = name.chopped(suffix.size());
        for (std::size_t i = 0; i < kStateNames.size(); ++i) {
            if (stem == QLatin1String{kStateNames[i]}) {
                return states[i].*member;
            }
        }
        for (std::size_t i = 0; i < kEnvironmentNames.size(); ++i) {
            if (stem == QLatin1String{kEnvironmentNames[i]}) {
                return environments[i].*member;
            }
        }
    }
    return {};
}

const Theme& currentTheme()
{
    return s_current;
}

void applyTheme(QApplication& application, const Theme& theme, const Fonts& fonts)
{
    s_current = theme;
    setCurrentFonts(fonts);
    if (application.style()->objectName() != QLatin1String{"fusion"}) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    QApplication::setPalette(theme.palette());
    QApplication::setFont(fonts.body);
    application.setStyleSheet(filledStyleSheet(theme, fonts));
}

bool isDarkPalette(const QPalette& startUp)
{
    return startUp.color(QPalette::Window).lightness()
        < startUp.color(QPalette::WindowText).lightness();
}

} // namespace ui
