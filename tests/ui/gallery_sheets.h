// The gallery's sheets: each shows some widgets in their states, with the values of the pictures.
#pragma once

#include <QList>
#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace gallery {

struct Sheet
{
    QString name;
    std::function<std::unique_ptr<QWidget>()> make;
};

QList<Sheet> sheets();

std::unique_ptr<QWidget> badges();
std::unique_ptr<QWidget> controls();
std::unique_ptr<QWidget> overview();
std::unique_ptr<QWidget> letters();
std::unique_ptr<QWidget> dossier();
std::unique_ptr<QWidget> approval();
std::unique_ptr<QWidget> states();

} // namespace gallery
