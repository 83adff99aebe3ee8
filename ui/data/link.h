// Link: whether a store answers, since when, and who it is; for banners and the status bar.
#pragma once

#include "ui/data/session.h"

#include <QDateTime>
#include <QMetaType>
#include <QString>

namespace ui {

struct Link
{
    enum class State {
        Connecting,
        Up,
        Down, // did not answer since `since`; being tried again
    };

    State state = State::Connecting;
    QDateTime since = {}; // UTC, this computer's clock
    QString reason = {}; // the store's own sentence while Down
    ServerFacts server = {}; // of the last connection
};

} // namespace ui

Q_DECLARE_METATYPE(ui::Link)
