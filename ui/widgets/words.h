// Words: every state of the console as shape, kind and word, in the language of the program.
#pragma once

#include "ui/widgets/icons.h"
#include "ui/widgets/theme.h"

#include <QString>

#include <span>

namespace ui {

/** Whose state it is; the same text may mean different things to different subjects. */
enum class WordSet {
    Event, // payment_status: pending, enqueued, processing, confirmed, failed
    EventType, // deposit, …
    Failure, // domain/failure.h
    Wait, // event_waits.reason
    Delivery, // deliveries.verdict
    Replay, // replay_requests.state
    ReplayItem, // replay_items.result, and sent, no_op while it runs
    Letter, // dead_letter_queue.state
    Breaker, // closed, open, half_open
    Zombie, // verdicts
    Quarantine, // quarantine.state
    Notification, // notifications.state
    Severity, // alerts.severity
    Alert, // alerts.state
    Finding, // reconciliation_findings.state
    FindingKind, // reconciliation_findings.kind
    Run, // reconciliation_runs.state
    Request, // requests.state
    Health, // of a store, a processor, a source
    Environment, // production, staging, test
    Role, // of a person
};

/** A state as people see it: always shape + word, colour only repeats. */
struct StateWord
{
    QString text = {};
    StateKind kind = StateKind::Unknown;
    Icon shape = Icon::Unknown;
};

/**
 * The word of a state by its public name (`half_open`). A name that this console does not know –
 * a newer processor's – is shown as it came, as Unknown; it is never dressed as a known one.
 */
StateWord stateWord(WordSet set, QStringView name);

/** As above with a detail behind the word: "Half-open, probe in 6 s". */
StateWord stateWord(WordSet set, QStringView name, const QString& detail);

/** One line of the table, untranslated. */
struct WordRow
{
    WordSet set;
    const char* name; // public: as tables, functions and the stream write it
    StateKind kind;
    Icon shape;
    struct
    {
        const char* text; // English, the source
        const char* comment; // tells the translator whose state it is
    } source;
};

/** All states there are; for filters' lists, the glossary and the test of completeness. */
std::span<const WordRow> allWords();

/** The translated word of a line. */
QString textOf(const WordRow& row);

} // namespace ui
