#include "ui/data/bound_statement.h"

#include <QStringList>

#include <optional>

namespace ui {
namespace {

QStringList inputTypes(const QString& text)
{
    static const QString kMark = QStringLiteral("-- in:");
    QStringList types;
    for (const auto& line : text.split(u'\n')) {
        if (!line.startsWith(kMark)) continue;
        for (const auto& type : line.mid(kMark.size()).split(u',')) types << type.trimmed();
    }
    return types;
}

/// The escape form means the same whatever standard_conforming_strings is.
QString quoted(QString text)
{
    text.replace(u'\\', QStringLiteral("\\\\")).replace(u'\'', QStringLiteral("''"));
    return QStringLiteral("E'") + text + u'\'';
}

QString arrayText(const QVariantList& items)
{
    QStringList parts;
    for (const auto& item : items) {
        QString text = item.toString();
        text.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
        parts << u'"' + text + u'"';
    }
    return u'{' + parts.join(u',') + u'}';
}

std::optional<QString> valueText(const QVariant& value)
{
    if (value.typeId() == QMetaType::QByteArray) {
        return QStringLiteral("\\x") + QString::fromLatin1(value.toByteArray().toHex());
    }
    if (value.typeId() == QMetaType::QStringList || value.typeId() == QMetaType::QVariantList) {
        return arrayText(value.toList());
    }
    QString text = value.toString();
    if (text.contains(QChar{u'\0'})) return std::nullopt;
    return text;
}

/// Where the quote, dollar-free comment or name that begins at `from` ends; `from` if none does.
qsizetype skipped(const QString& text, qsizetype from)
{
    if (text[from] == u'\'' || text[from] == u'"') {
        const qsizetype end = text.indexOf(text[from], from + 1);
        return end < 0 ? text.size() : end + 1;
    }
    if (QStringView{text}.mid(from).startsWith(u"--")) {
        const qsizetype end = text.indexOf(u'\n', from);
        return end < 0 ? text.size() : end;
    }
    return from;
}

} // namespace

base::Result<QString> boundText(const Statement& statement, const QVariantList& values)
{
    const QString text = QString::fromUtf8(statement.text);
    const QStringList types = inputTypes(text);
    CHECK(types.size() == values.size());

    QStringList literals;
    for (qsizetype i = 0; i < values.size(); ++i) {
        if (!values[i].isValid()) {
            literals << QStringLiteral("NULL::") + types[i];
            continue;
        }
        const auto value = valueText(values[i]);
        if (!value) {
            return base::Error{base::ErrorKind::Invalid, "the text holds a zero character"};
        }
        literals << QStringLiteral("(%1::%2)").arg(quoted(*value), types[i]);
    }

    QString bound;
    for (qsizetype at = 0; at < text.size();) {
        const qsizetype next = skipped(text, at);
        if (next > at) {
            // Comments stay out: a server's log shows the statement, not its explanation.
            if (text[at] != u'-') bound += QStringView{text}.mid(at, next - at);
            at = next;
            continue;
        }
        if (text[at] != u'$') {
            bound += text[at++];
            continue;
        }
        qsizetype end = at + 1;
        while (end < text.size() && text[end].isDigit()) ++end;
        const int number = QStringView{text}.mid(at + 1, end - at - 1).toInt();
        CHECK(number >= 1 && number <= literals.size());
        bound += literals[number - 1];
        at = end;
    }
    return bound.trimmed();
}

} // namespace ui
