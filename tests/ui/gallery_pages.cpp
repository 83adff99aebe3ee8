#include "tests/ui/gallery_sheets.h"
#include "ui/data/cell_role.h"
#include "ui/widgets/amount_delegate.h"
#include "ui/widgets/badge_delegate.h"
#include "ui/widgets/bound_line.h"
#include "ui/widgets/dialog_frame.h"
#include "ui/widgets/explainer_view.h"
#include "ui/widgets/filter_chips.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/kind_chips.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/new_rows_strip.h"
#include "ui/widgets/style_sheet.h"
#include "ui/widgets/time_delegate.h"
#include "ui/widgets/timeline_view.h"
#include "ui/widgets/widget_parts.h"

#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace gallery {

namespace {

const QDateTime kNow{QDate{2026, 3, 18}, QTime{14, 26, 8}, Qt::UTC};

QFrame* card(QVBoxLayout*& column)
{
    auto* frame = new QFrame;
    ui::setLook(*frame, "card");
    column = new QVBoxLayout{frame};
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    return frame;
}

void addLetter(QStandardItemModel& model, const char* id, const char* amount, const char* unit,
    const char* state, int secondsAgo)
{
    QList<QStandardItem*> row;
    for (int i = 0; i < 6; ++i) {
        row << new QStandardItem;
    }
    row[0]->setText(id);
    row[1]->setText("evt_9b6f01aa");
    row[2]->setData(amount, ui::RawRole);
    row[2]->setData(unit, ui::UnitRole);
    row[2]->setData(true, ui::MovedRole);
    row[3]->setText("No answer from rpc-a in 5 s");
    row[4]->setData(state, ui::RawRole);
    row[5]->setData(kNow.addSecs(-secondsAgo), ui::RawRole);
    model.appendRow(row);
}

QTableView* table(QStandardItemModel* model)
{
    using Look = ui::CellDelegate::Look;
    auto* view = new QTableView;
    model->setParent(view);
    view->setModel(model);
    view->setShowGrid(false);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(
        ui::rowHeight(ui::currentFonts().body, ui::Density::Compact));
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->horizontalHeader()->setHighlightSections(false);
    view->setItemDelegateForColumn(0, new ui::CellDelegate{Look::Link, view});
    view->setItemDelegateForColumn(1, new ui::CellDelegate{Look::Mono, view});
    auto* amounts = new ui::AmountDelegate{view};
    amounts->setRoom(6, "USDC");
    view->setItemDelegateForColumn(2, amounts);
    view->setItemDelegateForColumn(3, new ui::CellDelegate{Look::Text, view});
    view->setItemDelegateForColumn(4, new ui::BadgeDelegate{ui::WordSet::Letter, view});
    view->setItemDelegateForColumn(5, new ui::TimeDelegate{view, [] { return kNow; }});
    view->setColumnWidth(2, amounts->columnWidth());
    view->setColumnWidth(3, 230);
    view->setColumnWidth(4, 150);
    view->horizontalHeader()->setStretchLastSection(true);
    return view;
}

QList<ui::TimelineEntry> entries()
{
    using ui::Icon;
    using ui::IconTone;
    const QDateTime at{QDate{2026, 3, 18}, QTime{14, 2, 9}, Qt::UTC};
    const auto amount
        = ui::AmountText::fromNumeric(u"1.204817360592114073", "ETH", ui::AmountText::Sign::Moved);
    const auto delivery
        = [](const char* state) { return ui::stateWord(ui::WordSet::Delivery, QString{state}); };
    return {
        {.id = 1,
            .kind = "chain",
            .at = at,
            .hasMilliseconds = false,
            .icon = Icon::Chain,
            .plain = "Mined in block 22,071,334, position 0, status 1",
            .detail = "From 0x51c8…09fa to our address 0xb7e2…41d3"},
        {.id = 2,
            .kind = "deliveries",
            .at = at.addMSecs(2408),
            .icon = Icon::Webhook,
            .tone = IconTone::Ok,
            .bold = "Delivery 1 accepted",
            .plain = "from alchemy-main",
            .detail = "Signature valid · trace 7d0f2a61 · answered 200 in 3.1 ms",
            .badge = delivery("accepted")},
        {.id = 3,
            .kind = "states",
            .at = at.addMSecs(2412),
            .icon = Icon::Waiting,
            .tone = IconTone::Waiting,
            .plain = "State: pending → enqueued",
            .detail = "Waits for finality, block 22,071,334"},
        {.id = 4,
            .kind = "deliveries",
            .at = at.addMSecs(6731),
            .icon = Icon::Webhook,
            .tone = IconTone::Info,
            .bold = "Delivery 2 suppressed",
            .plain = "from quicknode-eu",
            .detail = "Same chain, tx hash and position as delivery 1 · nothing changed",
            .badge = delivery("duplicate")},
        {.id = 5,
            .kind = "money",
            .at = at.addMSecs(4440912),
            .icon = Icon::Journal,
            .tone = IconTone::Ok,
            .bold = "Posted once",
            .amount = amount,
            .detail = "Balance 3.7 → 4.904817360592114073 ETH · version 118",
            .badge = ui::stateWord(ui::WordSet::Event, u"confirmed")},
        {.id = 6,
            .kind = "states",
            .at = at.addMSecs(4440918),
            .icon = Icon::Unknown,
            .tone = IconTone::Unknown,
            .plain = "Redis does not answer",
            .detail = "Stream entry and acknowledgement are not known",
            .badge = ui::stateWord(ui::WordSet::Event, u"unknown")},
    };
}

ui::Explanation explanation()
{
    using ui::StateKind;
    return {.question = "Never arrived?",
        .verdict = StateKind::Warning,
        .sentence = "Not credited yet: the chain node does not answer.",
        .consequence = "Step 6 of 7. Nothing is lost.",
        .steps = {{.kind = StateKind::Ok,
                      .finding = "The address is ours",
                      .evidence = "0x04fb…9a6e → user 51730"},
            {.kind = StateKind::Ok,
                .finding = "Event recorded",
                .evidence = "evt_c20e77b1, enqueued · PostgreSQL, 14:26:08",
                .links = {{"evt_c20e77b1", "event:1"}}},
            {.kind = StateKind::Unknown,
                .finding = "Finality is not known",
                .evidence = "Breaker of polygon: probe in 27 s"},
            {.isSkipped = true, .finding = "Posted"}},
        .customerEnglish = "We see your transfer of 2,500.75 USDC of 18 March 2026 and wait for "
                           "the network to confirm it. It will be credited without your doing.",
        .customerRussian = "Мы видим ваш перевод 2 500,75 USDC от 18 марта 2026 г. и ждём "
                           "подтверждения сети. После него сумма зачислится без вашего участия.",
        .asOf = "14:26:08 UTC",
        .bound = "Joined 6 sources since 2025-12-01 · 0.18 s · complete"};
}

} // namespace

std::unique_ptr<QWidget> letters()
{
    auto widget = std::make_unique<QWidget>();
    widget->setAutoFillBackground(true);
    widget->resize(1078, 420);
    auto* column = new QVBoxLayout{widget.get()};
    column->setContentsMargins(20, 14, 20, 12);
    column->setSpacing(12);
    auto* chips = new ui::FilterChips{
        {{.key = "state", .label = "State", .choices = {{"open", "open"}}},
            {.key = "cause", .label = "Cause"}, {.key = "type", .label = "Type"},
            {.key = "failed", .label = "Failed"},
            {.key = "age", .label = "Older than", .isOffered = false}},
        "Event, user, tx, error"};
    chips->setFilter({{{"state", ui::FilterOp::Is, "open"}, {"failed", ui::FilterOp::Is, "7d"}}});
    QPushButton* views = ui::makeButton("Views", "small");
    views->setIcon(ui::icon(ui::Icon::Down));
    chips->addAtEnd(views);
    column->addWidget(chips);

    QVBoxLayout* inside = nullptr;
    QFrame* frame = card(inside);
    auto* strip = new ui::NewRowsStrip;
    strip->setCount(12);
    inside->addWidget(strip);
    auto* model = new QStandardItemModel{0, 6};
    model->setHorizontalHeaderLabels(
        {"Letter", "Event", "Amount, exact", "Latest error", "State", "Failed, UTC"});
    addLetter(*model, "L-90412", "1.950300000000000004", "ETH", "open", 384);
    addLetter(*model, "L-90411", "-0.75", "ETH", "replaying", 385);
    addLetter(*model, "L-90410", "0.000481200000003", "ETH", "resolved", 385);
    addLetter(*model, "L-90409", "-1204.55", "USDC", "discarded", 90000);
    addLetter(*model, "L-90408", "999999.999999999999999999", "USDC", "teleported", 90000);
    QTableView* view = table(model);
    view->selectRow(1);
    inside->addWidget(view, 1);
    auto* bound = new ui::BoundLine;
    bound->setBound(
        {8, true, "searched all open letters, 3,431 rows", std::chrono::milliseconds{18}});
    inside->addWidget(bound);
    column->addWidget(frame, 1);
    return widget;
}

std::unique_ptr<QWidget> dossier()
{
    auto widget = std::make_unique<QWidget>();
    widget->setAutoFillBackground(true);
    widget->resize(1078, 520);
    auto* row = new QHBoxLayout{widget.get()};
    row->setContentsMargins(20, 14, 20, 12);
    row->setSpacing(12);
    QVBoxLayout* left = nullptr;
    row->addWidget(card(left), 1);
    auto* kinds = new ui::KindChips{{{"", "All"}, {"chain", "Chain"}, {"deliveries", "Deliveries"},
        {"states", "States"}, {"money", "Money"}}};
    auto* timeline = new ui::TimelineView;
    timeline->timeline().setNow(kNow);
    timeline->setEntries(entries());
    timeline->setCurrentIndex(timeline->timeline().index(3));
    for (const char* kind : {"", "chain", "deliveries", "states", "money"}) {
        kinds->setCount(kind, timeline->timeline().count(kind));
    }
    kinds->setContentsMargins(14, 10, 14, 6);
    left->addWidget(kinds);
    left->addWidget(timeline, 1);
    auto* bound = new ui::BoundLine;
    bound->setText("Joined 6 sources since 2025-12-01 · 6 entries · 0.21 s · complete");
    left->addWidget(bound);
    QVBoxLayout* right = nullptr;
    QFrame* explainerCard = card(right);
    explainerCard->setFixedWidth(404);
    row->addWidget(explainerCard);
    auto* explainer = new ui::ExplainerView;
    explainer->setExplanation(explanation());
    right->addWidget(explainer);
    return widget;
}

std::unique_ptr<QWidget> approval()
{
    auto dialog = std::make_unique<ui::DialogFrame>(
        ui::DialogFrame::Grade::Three, ui::Environment::Production, nullptr);
    dialog->setHead(ui::Icon::Shield, "Approve replay R-0412",
        "The processor will post money for 12 letters. A posting cannot be taken back.");
    dialog->body().addWidget(
        new ui::MessageLine{{.kind = ui::StateKind::Warning,
                                .fact = "2 flags",
                                .rest = "1 letter is older than 24 h · user 48211 appears 2 times"},
            ui::MessageLine::Close::Fixed});
    dialog->setAct("Approve 12 letters", ui::Icon::Shield, "Reject…");
    dialog->needReason("Your reason (kept in the audit)");
    dialog->needNumber(12, "Type the number of letters: 12");
    return dialog;
}

} // namespace gallery
