#include "ui/widgets/filter.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {

namespace {

base::Error refusedLine(const QString& sentence)
{
    return {base::ErrorKind::Invalid, sentence.toStdString()};
}

QString sayFilter(const char* text)
{
    return QCoreApplication::translate("ui::filter", text);
}

QString quoted(const QString& value)
{
    const bool isPlain = !value.isEmpty() && std::none_of(value.begin(), value.end(), [](QChar c) {
        return c.isSpace() || c == u'"' || c == u'\\';
    });
    if (isPlain) {
        return value;
    }
    QString out = QStringLiteral("\"");
    for (const QChar c : value) {
        if (c == u'"' || c == u'\\') {
            out += u'\\';
        }
        out += c;
    }
    return out + u'"';
}

// A word of the line; where a quote began, what it holds is no operator.
struct Word
{
    QString text;
    qsizetype plainUntil = 0; // operators are looked for before this
};

base::Result<QList<Word>> wordsOf(const QString& line)
{
    QList<Word> words;
    Word word;
    bool isOpen = false; // in a word
    bool isQuoted = false;
    bool wasQuoted = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (isQuoted && c == u'\\' && i + 1 < line.size()) {
            word.text += line[++i];
        } else if (c == u'"') {
            isQuoted = !isQuoted;
            isOpen = true;
            if (!wasQuoted) {
                word.plainUntil = word.text.size();
                wasQuoted = true;
            }
        } else if (c.isSpace() && !isQuoted) {
            if (isOpen) {
                word.plainUntil = wasQuoted ? word.plainUntil : word.text.size();
                words << word;
            }
            word = {};
            isOpen = wasQuoted = false;
        } else {
            word.text += c;
            isOpen = true;
        }
    }
    if (isQuoted) {
        return refusedLine(sayFilter(QT_TRANSLATE_NOOP("ui::filter", "A quotation mark is open.")));
    }
    if (isOpen) {
        word.plainUntil = wasQuoted ? word.plainUntil : word.text.size();
        words << word;
    }
    return words;
}

const FilterKey* keyNamed(const QList<FilterKey>& keys, QStringView name)
{
    const auto found = std::find_if(
        keys.begin(), keys.end(), [name](const FilterKey& key) { return key.key == name; });
    return found == keys.end() ? nullptr : &*found;
}

base::Result<FilterTerm> termOfWord(const Word& word, qsizetype at, const QList<FilterKey>& keys)
{
    const QChar sign = word.text[at];
    const bool isNot = word.text.startsWith(u'-');
    const QString name = word.text.mid(isNot ? 1 : 0, at - (isNot ? 1 : 0));
    const FilterKey* key = keyNamed(keys, name);
    if (key == nullptr) {
        return refusedLine(
            sayFilter(QT_TRANSLATE_NOOP("ui::filter", "“%1” is no filter of this page."))
                .arg(name));
    }
    if (sign != u':' && (!key->isOrdered || isNot)) {
        return refusedLine(
            sayFilter(QT_TRANSLATE_NOOP("ui::filter", "“%1” has no greater or less.")).arg(name));
    }
    const QString value = word.text.mid(at + 1);
    if (value.isEmpty()) {
        return refusedLine(
            sayFilter(QT_TRANSLATE_NOOP("ui::filter", "“%1” has no value.")).arg(name));
    }
    const bool isKnown = key->choices.isEmpty() || sign != u':'
        || std::any_of(key->choices.begin(), key->choices.end(),
            [&](const FilterChoice& choice) { return choice.value == value; });
    if (!isKnown) {
        return refusedLine(sayFilter(QT_TRANSLATE_NOOP("ui::filter", "“%1” is no value of “%2”."))
                               .arg(value, name));
    }
    FilterOp op = isNot ? FilterOp::IsNot : FilterOp::Is;
    if (sign != u':') {
        op = sign == u'>' ? FilterOp::Above : FilterOp::Below;
    }
    return FilterTerm{key->key, op, value};
}

// The first `:`, `>` or `<` behind a name; a time like 14:02 or a hash has none.
qsizetype operatorIn(const Word& word)
{
    for (qsizetype i = word.text.startsWith(u'-') ? 1 : 0; i < word.plainUntil; ++i) {
        const QChar c = word.text[i];
        if (c == u':' || c == u'>' || c == u'<') {
            return i > 0 && word.text[0] != c ? i : -1;
        }
        if (!c.isLetter() && c != u'_') {
            return -1;
        }
    }
    return -1;
}

} // namespace

const FilterTerm* Filter::termOf(QStringView key) const
{
    for (const FilterTerm& term : terms) {
        if (term.key == key) {
            return &term;
        }
    }
    return nullptr;
}

void Filter::set(const FilterTerm& term)
{
    for (FilterTerm& mine : terms) {
        if (mine.key == term.key) {
            mine = term;
            return;
        }
    }
    terms << term;
}

void Filter::remove(QStringView key)
{
    terms.removeIf([key](const FilterTerm& term) { return term.key == key; });
}

QString toLine(const Filter& filter)
{
    QStringList words;
    for (const FilterTerm& term : filter.terms) {
        QString word;
        switch (term.op) {
        case FilterOp::Is:
            word = term.key + u':';
            break;
        case FilterOp::IsNot:
            word = u'-' + term.key + u':';
            break;
        case FilterOp::Above:
            word = term.key + u'>';
            break;
        case FilterOp::Below:
            word = term.key + u'<';
            break;
        }
        words << word + quoted(term.value);
    }
    for (const QString& word : filter.text.split(u' ', Qt::SkipEmptyParts)) {
        const bool looksLikeTerm = operatorIn({word, word.size()}) > 0;
        words << (looksLikeTerm ? u'"' + word + u'"' : quoted(word));
    }
    return words.join(u' ');
}

base::Result<Filter> fromLine(const QString& line, const QList<FilterKey>& keys)
{
    const auto words = wordsOf(line);
    if (!words) {
        return words.error();
    }
    Filter filter;
    QStringList text;
    for (const Word& word : *words) {
        const qsizetype at = operatorIn(word);
        if (at < 0) {
            text << word.text;
            continue;
        }
        const auto term = termOfWord(word, at, keys);
        if (!term) {
            return term.error();
        }
        filter.set(*term);
    }
    filter.text = text.join(u' ');
    return filter;
}

} // namespace ui
