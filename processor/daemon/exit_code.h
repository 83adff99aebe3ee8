// How countersignd ends: numbers of sysexits.h, which service managers and scripts rely on.
#pragma once

namespace processor {

enum class ExitCode : int {
    Ok = 0,
    Finding = 1, // doctor found something that needs a person
    Usage = 64, // arguments nobody understands
    Data = 65, // a file that cannot be taken as it is
    Unavailable = 69, // a store did not come up in time
    Software = 70, // a thread ended by itself: a bug of ours
    Busy = 75, // somebody else has it: the same command works later
    Config = 78, // all complaints are in one message
};

constexpr int number(ExitCode code)
{
    return static_cast<int>(code);
}

} // namespace processor
