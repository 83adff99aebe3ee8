// EnvironmentChip: where this is, as word and icon on its colour; in the status bar and dialogs.
#pragma once

#include "ui/widgets/theme.h"

#include <QWidget>

namespace ui {

class EnvironmentChip final : public QWidget
{
    Q_OBJECT

public:
    explicit EnvironmentChip(Environment environment, QWidget* parent = nullptr);

    void setEnvironment(Environment environment);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString word() const;

    Environment m_environment;
};

} // namespace ui
