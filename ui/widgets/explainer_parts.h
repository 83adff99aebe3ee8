// The painted pieces of an explainer: the verdict's bar and a step on its ground.
#pragma once

#include "ui/widgets/explainer_view.h"

#include <QWidget>

namespace ui {

/** A soft ground in a state's tone, with a 3 px bar at the leading edge if it is a verdict. */
class ToneGround : public QWidget
{
    Q_OBJECT

public:
    enum class Edge { Bar, None };
    ToneGround(StateKind kind, Edge edge, QWidget* parent = nullptr);

    bool hasHeightForWidth() const override { return true; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateKind m_kind;
    Edge m_edge;
};

/** Icon, finding, evidence and links of one step; the first failing one is bold on its ground. */
class StepRow final : public QWidget
{
    Q_OBJECT

public:
    StepRow(const ExplainerStep& step, bool isFirstFailing, QWidget* parent = nullptr);

    bool hasHeightForWidth() const override { return true; }

signals:
    void linkActivated(const QString& target);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    StateKind m_kind;
    bool m_isFirstFailing;
};

} // namespace ui
