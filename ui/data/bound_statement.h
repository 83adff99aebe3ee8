// A statement with its values written into it, so that nothing is prepared on the server by name.
#pragma once

#include "processor/base/result.h"
#include "ui/data/statement.h"

#include <QString>
#include <QVariant>
#include <QVariantList>

namespace ui {

/**
 * The text to run: each `$n` outside quotes and comments becomes a quoted literal cast to the type
 * of the statement's `-- in:` line. Values: integers, text, bool, QByteArray (bytea), QStringList
 * and lists of integers (arrays); an invalid QVariant is NULL. Text stays text whatever it
 * holds. Error Invalid: a text with U+0000, which PostgreSQL cannot hold. A count of values that
 * is not the statement's is a bug and ends the process.
 */
base::Result<QString> boundText(const Statement& statement, const QVariantList& values);

} // namespace ui
