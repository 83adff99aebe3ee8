#include "ui/widgets/words.h"

#include <QCoreApplication>

namespace ui {

QString textOf(const WordRow& row)
{
    return QCoreApplication::translate("ui::words", row.source.text, row.source.comment);
}

StateWord stateWord(WordSet set, QStringView name)
{
    for (const WordRow& row : allWords()) {
        if (row.set == set && name == QLatin1String{row.name}) {
            return {textOf(row), row.kind, row.shape};
        }
    }
    return {name.toString(), StateKind::Unknown, Icon::Unknown};
}

StateWord stateWord(WordSet set, QStringView name, const QString& detail)
{
    StateWord word = stateWord(set, name);
    if (!detail.isEmpty()) {
        word.text = QCoreApplication::translate("ui::words", "%1, %2", "state, detail")
                        .arg(word.text, detail);
    }
    return word;
}

} // namespace ui
