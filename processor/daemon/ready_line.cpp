#include "processor/daemon/ready_line.h"

#include "processor/base/json_writer.h"
#include "processor/embedded/private_file.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace processor {
namespace {

void textOrNull(base::JsonWriter& json, std::string_view name, const std::string& value)
{
    json.key(name);
    if (value.empty()) {
        json.null();
    } else {
        json.text(value);
    }
}

} // namespace

std::string readyLine(
    const config::Settings& settings, const Stores& stores, const Service& service)
{
    const embedded::Stack* stack = stores.stack();
    base::JsonWriter json;
    json.beginObject().field("event", "ready");
    textOrNull(json, "http", service.httpAddress());
    json.field("admin", service.adminAddress());
    textOrNull(json, "database_url", stack != nullptr ? stack->databaseUrl() : "");
    textOrNull(json, "redis_url", stack != nullptr ? stack->redisUrl() : "");
    textOrNull(json, "secret_file", stores.secretFile().value_or(""));
    return json.key("rate_limit")
        .beginObject()
        .field("per_second", settings.ingest.ratePerSecond)
        .field("per_minute", settings.ingest.ratePerMinute)
        .endObject()
        .endObject()
        .take();
}

base::Status ReadyFile::write(const std::string& folder, const std::string& line)
{
    std::string path = folder + "/ready.json";
    auto written = embedded::writePrivateFile(path, line + "\n");
    if (written) m_path = std::move(path);
    return written;
}

ReadyFile::~ReadyFile()
{
    std::error_code ignored;
    if (!m_path.empty()) std::filesystem::remove(m_path, ignored);
}

} // namespace processor
