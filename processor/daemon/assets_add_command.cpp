#include "processor/base/json_writer.h"
#include "processor/daemon/commands.h"
#include "processor/daemon/logins.h"
#include "sql/asset_add.h"

#include <cstdio>

namespace processor {
namespace {

struct Added
{
    bool isNew; // false: exactly this asset was there
};

base::Result<Added> addAsset(pg::Connection& connection, const config::AssetsAddCommand& asset)
{
    pg::Params place;
    place.text(asset.code).text(asset.chain).text(asset.contract);
    pg::Params all = place;
    all.smallint(static_cast<std::int16_t>(asset.decimals));
    const auto added = connection.run(sql::kAssetAdd, all);
    if (!added) return added.error();
    if (added->affected() == 1) return Added{true};

    const auto taken = connection.run(sql::kAssetTaken, place);
    if (!taken) return taken.error();
    CHECK(!taken->empty()); // assets cannot be deleted
    const std::string other = std::string{taken->text(0, 0)} + " on "
        + std::string{taken->text(0, 1)} + ", " + taken->textOrNull(0, 2).value_or("native") + ", "
        + std::to_string(taken->bigint(0, 3)) + " decimals";
    if (taken->text(0, 0) == asset.code && taken->text(0, 1) == asset.chain
        && taken->textOrNull(0, 2) == asset.contract && taken->bigint(0, 3) == asset.decimals) {
        return Added{false};
    }
    return base::Error{
        base::ErrorKind::Invalid, "the code or the place belongs to another asset: " + other};
}

} // namespace

ExitCode assetsAddCommand(const config::AssetsAddCommand& command, const config::Request& request)
{
    auto connection = pg::Connection::open(loginOf(request.settings.database.url.reveal()));
    if (!connection) return failed(connection.error());
    const auto added = addAsset(*connection, command);
    if (!added) return failed(added.error());

    const std::string text = request.asJson
        ? base::JsonWriter{}
              .beginObject()
              .field("asset", command.code)
              .field("added", added->isNew)
              .endObject()
              .take()
        : command.code + (added->isNew ? " added" : " was there already");
    std::printf("%s\n", text.c_str());
    return ExitCode::Ok;
}

} // namespace processor
