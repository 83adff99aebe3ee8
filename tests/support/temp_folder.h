// A folder for one test, gone with everything in it at the end of the scope.
#pragma once

#include <string>

namespace support {

class TempFolder
{
public:
    /// Below $TMPDIR or /tmp. Others may pass through when we are root, because the stores then run
    /// as another user; otherwise it is private.
    TempFolder();
    ~TempFolder();
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string file(const std::string& name) const { return m_path + "/" + name; }

private:
    std::string m_path;
};

/// A new empty folder like the above that stays; for programs that keep it on purpose.
std::string makeTempFolder();

} // namespace support
