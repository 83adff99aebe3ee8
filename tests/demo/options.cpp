#include "tests/demo/options.h"

#include <charconv>
#include <string_view>

namespace demo {
namespace {

template <class T>
bool readNumber(std::string_view text, T& into)
{
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), into);
    return failure == std::errc{} && end == text.data() + text.size();
}

} // namespace

std::optional<Options> readOptions(int argc, char** argv, std::string& complaint)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word{argv[i]};
        const std::string_view value{i + 1 < argc ? argv[i + 1] : ""};
        bool isRight = true;
        if (word == "--headless") {
            options.isHeadless = true;
        } else if (word == "--json") {
            options.isJson = true;
        } else if (word == "--dir" && !value.empty()) {
            options.folder = value;
            ++i;
        } else if (word == "--events") {
            isRight = readNumber(value, options.events) && options.events >= 100
                && options.events <= 1'000'000;
            ++i;
        } else if (word == "--seed") {
            isRight = readNumber(value, options.seed);
            ++i;
        } else {
            isRight = false;
        }
        if (!isRight) {
            if (word != "--help" && word != "-h") complaint = std::string{word};
            return std::nullopt;
        }
    }
    return options;
}

} // namespace demo
