// Statement: one named SQL statement of sql/console with its annotations, as embedded by the build.
#pragma once

namespace ui {

struct Statement
{
    const char* name;
    const char* text;
};

} // namespace ui
