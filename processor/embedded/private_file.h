// Files that only their owner may read, written whole or not at all.
#pragma once

#include "processor/base/result.h"

#include <string>

namespace embedded {

/// Replaces `path` by a file of mode 0600 with this content: a reader sees the old or the new one,
/// never a half, also after a crash.
base::Status writePrivateFile(const std::string& path, const std::string& content);

/// The whole content; NotFound when there is no such file.
base::Result<std::string> readFile(const std::string& path);

} // namespace embedded
