// The parts of the processor one process may play.
#pragma once

#include "processor/base/result.h"

#include <array>
#include <bitset>
#include <string>
#include <string_view>

namespace config {

enum class Role { Ingest, Dispatch, Settle, Replay, Chain, Notify, Analytics, Watch };

inline constexpr std::array kRoles{Role::Ingest, Role::Dispatch, Role::Settle, Role::Replay,
    Role::Chain, Role::Notify, Role::Analytics, Role::Watch};

/// The word of `--roles`, in processor_instances and in logs.
[[nodiscard]] std::string_view roleName(Role role);

class RoleSet
{
public:
    [[nodiscard]] static RoleSet all();
    /// From "ingest,settle". Invalid, naming the word: what is no role, given twice, or nothing.
    [[nodiscard]] static base::Result<RoleSet> parse(std::string_view text);

    [[nodiscard]] bool contains(Role role) const { return m_roles[static_cast<std::size_t>(role)]; }
    void insert(Role role) { m_roles.set(static_cast<std::size_t>(role)); }
    /// As parse() takes it, in the order of kRoles.
    [[nodiscard]] std::string text() const;
    bool operator==(const RoleSet&) const = default;

private:
    std::bitset<kRoles.size()> m_roles;
};

} // namespace config
