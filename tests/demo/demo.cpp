// countersign-demo: real signed webhooks through real stores, with what goes wrong in real life.
#include "tests/demo/options.h"
#include "tests/demo/show.h"

#include <cstdio>
#include <string>

int main(int argc, char** argv)
{
    std::string complaint;
    const auto options = demo::readOptions(argc, argv, complaint);
    if (options) return demo::show(*options);
    if (complaint.empty()) {
        std::fputs(demo::kUsage, stdout);
        return 0;
    }
    std::fprintf(stderr, "countersign-demo: cannot use %s\n\n%s", complaint.c_str(), demo::kUsage);
    return 64;
}
