#include "processor/embedded/private_file.h"

#include "processor/embedded/descriptor.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace embedded {
namespace {

base::Error fileError(const std::string& path)
{
    const auto kind = errno == ENOENT ? base::ErrorKind::NotFound : base::ErrorKind::Unavailable;
    return base::Error{kind, path + ": " + strerror(errno)};
}

bool writeAll(int file, const std::string& content)
{
    std::size_t done = 0;
    while (done < content.size()) {
        const auto wrote = write(file, content.data() + done, content.size() - done);
        if (wrote < 0 && errno != EINTR) return false;
        if (wrote > 0) done += static_cast<std::size_t>(wrote);
    }
    return true;
}

// Without this the rename itself may be lost with the power.
void syncFolderOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const Descriptor opened{open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened.isOpen()) fsync(opened.number());
}

} // namespace

base::Status writePrivateFile(const std::string& path, const std::string& content)
{
    std::string draft = path + ".XXXXXX";
    const Descriptor file{mkostemp(draft.data(), O_CLOEXEC)}; // mode 0600 by definition
    if (!file.isOpen()) return fileError(path);
    if (!writeAll(file.number(), content) || fsync(file.number()) != 0
        || rename(draft.c_str(), path.c_str()) != 0) {
        const auto error = fileError(path);
        unlink(draft.c_str());
        return error;
    }
    syncFolderOf(path);
    return base::Done{};
}

base::Result<std::string> readFile(const std::string& path)
{
    const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file.isOpen()) return fileError(path);
    std::string content;
    std::array<char, 4096> block{};
    for (;;) {
        const auto got = read(file.number(), block.data(), block.size());
        if (got == 0) return content;
        if (got < 0 && errno != EINTR) return fileError(path);
        if (got > 0) content.append(block.data(), static_cast<std::size_t>(got));
    }
}

} // namespace embedded
