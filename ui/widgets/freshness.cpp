#include "ui/widgets/freshness.h"

#include "ui/widgets/phrases.h"

#include <QCoreApplication>

namespace ui {

namespace {

QString withSource(const QString& text, const QString& source)
{
    return source.isEmpty() ? text : text + QStringLiteral(" · ") + source;
}

} // namespace

FreshnessText textOf(const Freshness& freshness, const QDateTime& now, Zone zone)
{
    const auto say
        = [](const char* text) { return QCoreApplication::translate("ui::freshness", text); };
    if (!freshness.asOf.isValid()) {
        const char* text = freshness.isSilent ? QT_TRANSLATE_NOOP("ui::freshness", "No answer yet")
                                              : QT_TRANSLATE_NOOP("ui::freshness", "Not asked yet");
        return {withSource(say(text), freshness.source), StateKind::Unknown};
    }
    const QString at = time_text::withZone(freshness.asOf, now, zone);
    if (freshness.isSilent) {
        return {withSource(phrases::noAnswerSince(at), freshness.source), StateKind::Unknown};
    }
    const std::chrono::milliseconds age{freshness.asOf.msecsTo(now)};
    if (age > kFreshFor) {
        const QString old = say(QT_TRANSLATE_NOOP("ui::freshness", "%1 old"));
        return {
            withSource(old.arg(time_text::duration(age)), freshness.source), StateKind::Warning};
    }
    return {
        withSource(say(QT_TRANSLATE_NOOP("ui::freshness", "As of %1")).arg(at), freshness.source),
        StateKind::Ok};
}

} // namespace ui
