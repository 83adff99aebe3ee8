// Bodies in the native format, each with what intake has to say to it. In a file that moc does not
// read, for it does not get along with the raw literals.
#pragma once

#include <QByteArray>

#include <functional>
#include <vector>

namespace native {

// A body whose fields can be replaced one by one, as raw JSON.
struct Body
{
    QByteArray eventId = R"("e-1")";
    QByteArray eventType = R"("deposit")";
    QByteArray userId = "7";
    QByteArray amount = R"("50.1")";
    QByteArray more = {}; // begins with a comma

    [[nodiscard]] QByteArray text() const
    {
        return R"({"event_id":)" + eventId + R"(,"event_type":)" + eventType + R"(,"user_id":)"
            + userId + R"(,"amount":)" + amount + more + "}";
    }
};

struct Refusal
{
    const char* name;
    QByteArray body;
    QByteArray code;
    QByteArray detail; // a part of it
};
std::vector<Refusal> refusals();

struct Acceptance
{
    const char* name;
    QByteArray body;
    QByteArray amount;
};
std::vector<Acceptance> acceptances();

} // namespace native
