#include "tests/support/temp_folder.h"

#include "processor/base/check.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace support {

std::string makeTempFolder()
{
    const char* parent = std::getenv("TMPDIR");
    std::string path = std::string{parent && *parent ? parent : "/tmp"} + "/countersign-XXXXXX";
    CHECK(mkdtemp(path.data()) != nullptr);
    if (geteuid() == 0) CHECK(chmod(path.c_str(), 0711) == 0);
    return path;
}

TempFolder::TempFolder() : m_path{makeTempFolder()} {}

TempFolder::~TempFolder()
{
    // A store that was killed may still be writing its last file.
    std::error_code failure;
    for (int attempt = 0; attempt < 5; ++attempt) {
        std::filesystem::remove_all(m_path, failure);
        if (!failure) return;
    }
}

} // namespace support
