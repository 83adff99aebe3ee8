#include "processor/daemon/doctor.h"

#include "processor/base/json_writer.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace processor {
namespace {

struct GradeWord
{
    Grade grade;
    std::string_view word;
};

constexpr std::array kWords{GradeWord{Grade::Fine, "ok"}, GradeWord{Grade::Note, "note"},
    GradeWord{Grade::Warning, "warning"}, GradeWord{Grade::Wrong, "wrong"}};

std::string_view wordOf(Grade grade)
{
    return std::ranges::find(kWords, grade, &GradeWord::grade)->word;
}

} // namespace

bool isAnyWrong(const std::vector<Diagnosis>& diagnoses)
{
    return std::ranges::any_of(
        diagnoses, [](const Diagnosis& one) { return one.grade == Grade::Wrong; });
}

std::string reportOf(const std::vector<Diagnosis>& diagnoses, bool asJson)
{
    if (asJson) {
        base::JsonWriter json;
        json.beginObject().field("ok", !isAnyWrong(diagnoses)).key("findings").beginArray();
        for (const Diagnosis& one : diagnoses) {
            json.beginObject()
                .field("subject", one.subject)
                .field("grade", wordOf(one.grade))
                .field("text", one.text)
                .endObject();
        }
        return json.endArray().endObject().take() + "\n";
    }
    constexpr std::size_t kColumn = 9;
    std::string text;
    for (const Diagnosis& one : diagnoses) {
        const std::string_view word = wordOf(one.grade);
        text += std::string{word} + std::string(kColumn - word.size(), ' ') + one.subject + ": "
            + one.text + "\n";
    }
    return text;
}

} // namespace processor
