#include "processor/config/text_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace config {

namespace {

struct CloseFile
{
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

} // namespace

base::Result<std::string> readTextFile(const std::string& path)
{
    const auto unreadable = [&](const std::string& why) {
        return base::Error{base::ErrorKind::Invalid, "file '" + path + "' cannot be read: " + why};
    };
    const std::unique_ptr<std::FILE, CloseFile> file{std::fopen(path.c_str(), "re")};
    if (file == nullptr) {
        return unreadable(std::strerror(errno));
    }
    std::string text(kTextFileMax + 1, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0) {
        return unreadable(std::strerror(errno)); // a folder, for instance
    }
    if (text.size() > kTextFileMax) {
        return unreadable("larger than 1 MiB");
    }
    return text;
}

} // namespace config
