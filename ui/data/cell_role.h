// Roles of a table's cell: what models answer and delegates paint, copy and export.
#pragma once

#include <QtGlobal>

namespace ui {

/**
 * Beside Qt::DisplayRole, which is the plain text for search, screen readers and cells without a
 * delegate of their own. A cell without a value has no RawRole; its DisplayRole says why.
 */
enum CellRole : int {
    // The value: qint64, exact decimal text (`-1204.55`), QDateTime in UTC, public state name.
    // Copy, CSV and delegates use it; nobody parses what is displayed.
    RawRole = 0x0100, // Qt::UserRole
    UnitRole, // amounts: the asset's code
    MovedRole, // amounts: true for money that moved, which always has its sign; balances have none
    DetailRole, // muted text behind the main one; of a state, behind its word
    RowIdRole, // the row's own id, the same for each of its cells: selection survives a refresh
};

} // namespace ui
