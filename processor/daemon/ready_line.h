// ReadyLine: where a serving process can be reached, for whoever started it.
#pragma once

#include "processor/config/settings.h"
#include "processor/daemon/service.h"
#include "processor/daemon/stores.h"

#include <string>

namespace processor {

/// One line of JSON without its end. The stores' addresses are named only where they are the
/// embedded stack's: others were given by whoever reads this, and may hold passwords.
[[nodiscard]] std::string readyLine(
    const config::Settings& settings, const Stores& stores, const Service& service);

/// DIR/ready.json, readable by its owner alone, while the process serves.
class ReadyFile
{
public:
    ReadyFile() = default;
    ~ReadyFile();
    ReadyFile(const ReadyFile&) = delete;
    ReadyFile& operator=(const ReadyFile&) = delete;

    base::Status write(const std::string& folder, const std::string& line);

private:
    std::string m_path;
};

} // namespace processor
