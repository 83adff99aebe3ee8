// Theme: every colour of the console under its name. Palette, style sheet, delegates and charts
// read nothing else.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

class QApplication;

namespace ui {

struct Fonts;

/** What a state means to its reader; each kind has its own colours and its own outline. */
enum class StateKind { Ok, Info, Waiting, Warning, Danger, Unknown };
inline constexpr std::array kStateKinds{StateKind::Ok, StateKind::Info, StateKind::Waiting,
    StateKind::Warning, StateKind::Danger, StateKind::Unknown};

/** Where the money is real. Test includes demo: no frame. */
enum class Environment { Production, Staging, Test };

/** `text` is legible on `soft` and on surface; `fill` is for icons, bars and charts. */
struct Tone
{
    QColor text;
    QColor fill;
    QColor soft;
};

struct Theme
{
    bool isDark = false;
    bool isHighContrast = false;

    QColor window, surface, surfaceAlt, header, sidebar; // grounds
    QColor border, grid, control; // lines: decoration, decoration, edges of what can be used
    QColor text, muted, disabled;
    QColor accent, onAccent, link;
    QColor selection, hover;
    QColor c1, c2, c3; // chart series
    QColor moneyIn, moneyOut;
    QColor veil; // over the page behind a dialog, with its alpha
    std::array<Tone, 6> states; // by StateKind
    std::array<Tone, 3> environments; // by Environment
    QColor onProduction; // text on the production fill

    const Tone& of(StateKind kind) const { return states[static_cast<std::size_t>(kind)]; }
    const Tone& of(Environment place) const
    {
        return environments[static_cast<std::size_t>(place)];
    }

    /** High contrast: decoration lines become controls' edges, soft grounds surface. */
    static Theme light(bool highContrast = false);
    static Theme dark(bool highContrast = false);

    /** Every role of Qt 6.4, disabled ones included. */
    QPalette palette() const;

    /** The colour that the style sheet calls `@name`; invalid for a name that does not exist. */
    QColor token(QStringView name) const;
};

/** The theme applied last; light before. One process has one look, as it has one palette. */
const Theme& currentTheme();

/**
 * Gives the whole application this look: Fusion, palette, fonts, style sheet. May be called again
 * at any time: widgets get PaletteChange, icons follow by themselves (icons.h).
 */
void applyTheme(QApplication& application, const Theme& theme, const Fonts& fonts);

/**
 * Whether the desktop was dark when the program began: Qt 6.4 cannot say, so the lightness of the
 * palette decides. Ask before applyTheme().
 */
bool isDarkPalette(const QPalette& startUp);

} // namespace ui
