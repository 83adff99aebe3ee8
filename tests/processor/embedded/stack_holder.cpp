// Serves the folder of its argument, prints the stores' process numbers, and waits to be killed.
#include "processor/embedded/stack.h"

#include <csignal>
#include <cstdio>

int main(int count, char** words)
{
    if (count != 2) return 64;
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, nullptr); // before any thread starts, so that all inherit it

    auto stack = embedded::Stack::start({.folder = words[1], .fsync = false});
    if (!stack) {
        std::fprintf(stderr, "%s\n", stack.error().message.c_str());
        return 1;
    }
    std::printf("ready %d %d\n", (*stack)->pid(embedded::Store::Postgres),
        (*stack)->pid(embedded::Store::Redis));
    std::fflush(stdout);
    int stop = 0;
    sigwait(&stops, &stop);
    return 0;
}
