// Filter: what a list is narrowed to; the chips and the editable line are two views of it.
#pragma once

#include "processor/base/result.h"

#include <QList>
#include <QString>

namespace ui {

/** How a term compares; a key allows some of them. */
enum class FilterOp { Is, IsNot, Above, Below };

struct FilterTerm
{
    QString key; // public: `state`
    FilterOp op = FilterOp::Is;
    QString value; // public: `open`, `RPC_TIMEOUT`, `1h`

    bool operator==(const FilterTerm&) const = default;
};

struct Filter
{
    QList<FilterTerm> terms = {}; // all of them hold; one per key
    QString text = {}; // free text

    bool isEmpty() const { return terms.isEmpty() && text.isEmpty(); }
    bool operator==(const Filter&) const = default;

    /** The term of this key; nullptr if there is none. */
    const FilterTerm* termOf(QStringView key) const;
    /** Replaces the term of its key, or adds it. */
    void set(const FilterTerm& term);
    void remove(QStringView key);
};

/** A choice of a key's list. */
struct FilterChoice
{
    QString value; // public
    QString label; // as people read it
};

/** A key that a page can be filtered by. */
struct FilterKey
{
    QString key; // public: `state`
    QString label; // "State"
    QList<FilterChoice> choices = {}; // empty: any value may be typed
    bool isOffered = true; // has a chip from the start; else it is behind "+ Filter"
    bool isOrdered = false; // may be compared by > and <
};

/** `state:open cause:RPC_TIMEOUT age>1h -provider:alchemy words of free text`, quoted if needed. */
QString toLine(const Filter& filter);

/**
 * Reads such a line; keys must be among `keys`. Error Invalid with a sentence for the person, in
 * their language, that names the word at fault.
 */
base::Result<Filter> fromLine(const QString& line, const QList<FilterKey>& keys);

} // namespace ui
