// StatTile: one fact of the overview with its state, its reason and its own time; a button.
#pragma once

#include "ui/widgets/words.h"

#include <QAbstractButton>

namespace ui {

struct TileContent
{
    Icon icon = Icon::Unknown;
    QString name = {}; // "Dead letters"
    StateWord state = {};
    QString value = {}; // "3,431 open"; of an unknown state the tile says "Not known" instead
    QString why = {}; // "12 new since 13:40 · 5 causes"
    QString time = {}; // of the value, or of the last knowledge
    QString timeWithZone = {}; // for screen readers: "14:26:08 UTC"
};

/** 90 high; Enter, Space and a click are `clicked`: it opens its page. */
class StatTile final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit StatTile(QWidget* parent = nullptr);

    void setContent(const TileContent& content);
    const TileContent& content() const { return m_content; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool isUnknown() const { return m_content.state.kind == StateKind::Unknown; }
    QString valueText() const;
    void paintGround(QPainter& painter) const;

    TileContent m_content;
};

} // namespace ui
