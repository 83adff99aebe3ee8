<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en">
<context>
    <name>ui::MessageBar</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ui::phrases</name>
    <message numerus="yes">
        <source>%Ln new – show them</source>
        <translation>
            <numerusform>%Ln new – show them</numerusform>
            <numerusform>%Ln new – show them</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Request replay: selected (%Ln)…</source>
        <translation>
            <numerusform>Request replay: selected (%Ln)…</numerusform>
            <numerusform>Request replay: selected (%Ln)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Request replay: all matching (%Ln)…</source>
        <translation>
            <numerusform>Request replay: all matching (%Ln)…</numerusform>
            <numerusform>Request replay: all matching (%Ln)…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Unlocks in %n s</source>
        <translation>
            <numerusform>Unlocks in %n s</numerusform>
            <numerusform>Unlocks in %n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>probe in %n s</source>
        <translation>
            <numerusform>probe in %n s</numerusform>
            <numerusform>probe in %n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Searched the last %n days, %1 rows, complete</source>
        <translation>
            <numerusform>Searched the last day, %1 rows, complete</numerusform>
            <numerusform>Searched the last %n days, %1 rows, complete</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Searched the last %n days, %1 rows, not complete</source>
        <translation>
            <numerusform>Searched the last day, %1 rows, not complete</numerusform>
            <numerusform>Searched the last %n days, %1 rows, not complete</numerusform>
        </translation>
    </message>
</context>
</TS>
