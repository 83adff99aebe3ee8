// The one style sheet, resources/style/countersign.qss: written with @tokens, filled in at load.
#pragma once

#include <QString>

class QWidget;

namespace ui {

struct Fonts;
struct Theme;
enum class StateKind;

/** The sheet with every `@token` replaced; a token that does not exist ends the process. */
QString filledStyleSheet(const Theme& theme, const Fonts& fonts);

/**
 * Replaces `@name` in a text: colours of the theme; sizes `@bodyPx`, `@smallPx`, `@labelPx`,
 * `@pageTitlePx`, `@dialogTitlePx`, `@valuePx`; `@monoFamily`; `@scheme` (light, dark). Ends the
 * process at any other name.
 */
QString filled(const QString& sheet, const Theme& theme, const Fonts& fonts);

/** Says what a widget is to the sheet: "primary", "card", "muted", … (listed in the sheet). */
void setLook(QWidget& widget, const char* look);

/** A label's text in the tone of a state; follows the theme. */
void setTone(QWidget& widget, StateKind kind);

} // namespace ui
