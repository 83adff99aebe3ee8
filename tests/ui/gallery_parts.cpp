#include "tests/ui/gallery_sheets.h"
#include "ui/widgets/bound_line.h"
#include "ui/widgets/environment_chip.h"
#include "ui/widgets/icon_names.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/stat_tile.h"
#include "ui/widgets/state_badge.h"
#include "ui/widgets/state_view.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/widget_parts.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRadioButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace gallery {

namespace {

const QDateTime kNow{QDate{2026, 3, 18}, QTime{14, 26, 8}, Qt::UTC};

std::unique_ptr<QWidget> page(int width, int height)
{
    auto widget = std::make_unique<QWidget>();
    widget->resize(width, height);
    widget->setAutoFillBackground(true);
    auto* column = new QVBoxLayout{widget.get()};
    column->setContentsMargins(20, 14, 20, 12);
    column->setSpacing(12);
    return widget;
}

ui::TileContent tile(ui::Icon icon, const char* name, const char* state, const char* value,
    const char* why, const char* time)
{
    return {.icon = icon,
        .name = name,
        .state = ui::stateWord(ui::WordSet::Health, QString{state}),
        .value = value,
        .why = why,
        .time = time,
        .timeWithZone = QString{time} + " UTC"};
}

} // namespace

QList<Sheet> sheets()
{
    return {{"badges", badges}, {"controls", controls}, {"overview", overview},
        {"letters", letters}, {"dossier", dossier}, {"approval", approval}, {"states", states}};
}

std::unique_ptr<QWidget> badges()
{
    auto widget = page(1280, 900);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(5);
    int at = 0;
    for (const ui::WordRow& row : ui::allWords()) {
        grid->addWidget(new ui::StateBadge{{ui::textOf(row), row.kind, row.shape}}, at / 5, at % 5);
        ++at;
    }
    static_cast<QVBoxLayout*>(widget->layout())->addLayout(grid);
    auto* icons = new QHBoxLayout;
    for (std::size_t i = 0; i < ui::kIconNames.size(); ++i) {
        icons->addWidget(new ui::IconLabel{ui::Icon(i), ui::IconTone::Text, 20});
    }
    static_cast<QVBoxLayout*>(widget->layout())->addLayout(icons);
    return widget;
}

std::unique_ptr<QWidget> controls()
{
    auto widget = page(900, 560);
    auto* column = static_cast<QVBoxLayout*>(widget->layout());
    const auto row = [column](std::initializer_list<QWidget*> widgets) {
        auto* line = new QHBoxLayout;
        line->setSpacing(10);
        for (QWidget* each : widgets) {
            line->addWidget(each);
        }
        line->addStretch();
        column->addLayout(line);
    };
    auto* disabled = ui::makeButton("Request recovery…");
    disabled->setIcon(ui::icon(ui::Icon::Lock));
    disabled->setEnabled(false);
    auto* primary = ui::makeButton("Request replay: selected (3)…", "primary");
    primary->setIcon(ui::icon(ui::Icon::Replay, ui::IconTone::OnAccent));
    auto* checked = ui::makeButton("Credited twice?");
    checked->setCheckable(true);
    checked->setChecked(true);
    auto* fallback = ui::makeButton("Cancel");
    fallback->setDefault(true);
    row({ui::makeButton("Discard…"), primary, disabled, checked, fallback,
        ui::makeButton("Small", "small"), ui::makeButton("Flat", "flat"),
        ui::makeButton("5,518,204", "link"), ui::makeIconButton(ui::Icon::Refresh, "Refresh")});
    row({new ui::Segmented{"Zone", {"UTC", "Local"}},
        new ui::Segmented{"Range", {"1 h", "24 h", "7 d"}}});
    auto* field = new QLineEdit{"payments-eu"};
    auto* empty = new QLineEdit;
    empty->setPlaceholderText("User, address, tx hash, event");
    auto* off = new QLineEdit{"disabled"};
    off->setEnabled(false);
    auto* combo = new QComboBox;
    combo->addItems({"Verify certificate and host name", "In the keychain"});
    row({field, empty, off, combo});
    auto* on = new QCheckBox{"I mean to work in production"};
    on->setChecked(true);
    auto* partly = new QCheckBox{"Some"};
    partly->setTristate(true);
    partly->setCheckState(Qt::PartiallyChecked);
    auto* radio = new QRadioButton{"Connect to an installation"};
    radio->setChecked(true);
    row({on, partly, new QCheckBox{"Off"}, radio, new QRadioButton{"Try a private demo"}});
    row({new ui::EnvironmentChip{ui::Environment::Production},
        new ui::EnvironmentChip{ui::Environment::Staging},
        new ui::EnvironmentChip{ui::Environment::Test}});
    auto* tabs = new QTabBar;
    for (const char* name : {"Timeline", "Statement", "Deliveries 3", "Attempts 1", "Notes 1"}) {
        tabs->addTab(name);
    }
    row({tabs});
    auto* progress = new QProgressBar;
    progress->setValue(40);
    column->addWidget(progress);
    column->addWidget(new QPlainTextEdit{"{\"event_id\":\"evt_9b41c7d2\"}"});
    return widget;
}

std::unique_ptr<QWidget> overview()
{
    auto widget = page(1078, 420);
    auto* column = static_cast<QVBoxLayout*>(widget->layout());
    auto* header = new ui::PageHeader{nullptr, [] { return kNow; }};
    header->setTitle("Overview");
    header->setSubtitle("What needs a person now, and how fast money moves");
    header->freshness().setFreshness({kNow, "PostgreSQL"});
    header->addSwitch(new ui::Segmented{"Range", {"1 h", "24 h", "7 d"}});
    auto* refresh = new QAction{ui::icon(ui::Icon::Refresh), "Refresh", header};
    header->addCommand(refresh);
    column->addWidget(header);
    auto* grid = new QGridLayout;
    grid->setSpacing(12);
    const ui::TileContent tiles[]{
        tile(ui::Icon::Server, "Processors", "warning", "3 of 4 alive",
            "proc-3 silent for 28 min 04 s", "14:26:06"),
        tile(ui::Icon::Database, "PostgreSQL", "ok", "1.8 ms", "41 of 200 connections", "14:26:08"),
        tile(ui::Icon::Streams, "Redis", "ok", "0.4 ms", "Relay at 98,412,977", "14:26:08"),
        tile(ui::Icon::Breaker, "Breaker", "warning", "ethereum", "214 credits wait · probe in 6 s",
            "14:26:07"),
        tile(ui::Icon::DeadLetters, "Dead letters", "critical", "3,431 open",
            "12 new since 13:40 · 5 causes", "14:26:08"),
        tile(ui::Icon::Zombies, "Zombies", "unknown", "", "2 suspects, proc-3 is silent",
            "13:58:04"),
        tile(ui::Icon::Reconciliation, "Reconciliation", "critical", "2 differ",
            "Chain run; accounts equal", "14:25:30"),
        tile(ui::Icon::Waiting, "Oldest waiting", "waiting", "11 min 42 s",
            "Waits for finality · evt_9b52e0", "14:26:08"),
    };
    for (int i = 0; i < 8; ++i) {
        auto* one = new ui::StatTile;
        one->setContent(tiles[i]);
        grid->addWidget(one, i / 4, i % 4);
    }
    column->addLayout(grid);
    auto* bar = new ui::MessageBar;
    bar->post({.kind = ui::StateKind::Ok,
        .fact = "Acknowledged.",
        .rest = "2 alerts.",
        .action = "Undo"});
    bar->post({.kind = ui::StateKind::Danger,
        .fact = "PostgreSQL does not answer.",
        .rest = "The rows are those of 14:02:11. It is asked again in 4 s.",
        .errorId = "E-7f31"});
    bar->post({.kind = ui::StateKind::Unknown,
        .fact = "Verdicts are incomplete.",
        .rest = "proc-3 has sent no heartbeat for 28 min 04 s. Recovery is locked for 2 events.",
        .action = "Show processors"});
    column->addWidget(bar);
    column->addStretch();
    return widget;
}

std::unique_ptr<QWidget> states()
{
    auto widget = page(900, 560);
    auto* column = static_cast<QVBoxLayout*>(widget->layout());
    using Kind = ui::StateView::Kind;
    auto* empty = new ui::StateView;
    empty->show(Kind::Empty, "No open dead letters.", "Searched all, 14:26:08 UTC.");
    auto* error = new ui::StateView;
    error->show(Kind::Error, "PostgreSQL refused the connection.",
        "It may be restarting. The question is asked again by Retry.", "Retry", "E-7f31");
    auto* unknown = new ui::StateView;
    unknown->show(Kind::Unknown, "Redis does not answer since 14:02:11 UTC.",
        "Lag and pending entries are not known; money moves without Redis.");
    for (QWidget* view : {static_cast<QWidget*>(empty), static_cast<QWidget*>(error),
             static_cast<QWidget*>(unknown)}) {
        column->addWidget(view, 1);
    }
    auto* stale = new ui::FreshnessLabel{nullptr, [] { return kNow; }};
    stale->setFreshness({kNow.addSecs(-130), "PostgreSQL"});
    auto* silent = new ui::FreshnessLabel{nullptr, [] { return kNow; }};
    silent->setFreshness({kNow.addSecs(-1437), "Redis", true});
    column->addWidget(stale);
    column->addWidget(silent);
    auto* bound = new ui::BoundLine;
    bound->setBound({50, true, "searched all open letters", std::chrono::milliseconds{5000},
        ui::Bound::End::StoppedByTime});
    column->addWidget(bound);
    return widget;
}

} // namespace gallery
