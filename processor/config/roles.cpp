#include "processor/config/roles.h"

#include <algorithm>

namespace config {

std::string_view roleName(Role role)
{
    switch (role) {
    case Role::Ingest:
        return "ingest";
    case Role::Dispatch:
        return "dispatch";
    case Role::Settle:
        return "settle";
    case Role::Replay:
        return "replay";
    case Role::Chain:
        return "chain";
    case Role::Notify:
        return "notify";
    case Role::Analytics:
        return "analytics";
    case Role::Watch:
        return "watch";
    }
    return {};
}

RoleSet RoleSet::all()
{
    RoleSet roles;
    roles.m_roles.set();
    return roles;
}

base::Result<RoleSet> RoleSet::parse(std::string_view text)
{
    RoleSet roles;
    for (bool isLast = false; !isLast;) {
        const std::size_t comma = text.find(',');
        isLast = comma == std::string_view::npos;
        const std::string_view word = text.substr(0, comma);
        const auto* const role = std::ranges::find(kRoles, word, &roleName);
        if (role == kRoles.end()) {
            return base::Error{base::ErrorKind::Invalid,
                "'" + std::string{word} + "' is no role; roles are " + all().text()};
        }
        if (roles.contains(*role)) {
            return base::Error{
                base::ErrorKind::Invalid, "role '" + std::string{word} + "' is given twice"};
        }
        roles.insert(*role);
        text.remove_prefix(isLast ? text.size() : comma + 1);
    }
    return roles;
}

std::string RoleSet::text() const
{
    std::string joined;
    for (const Role role : kRoles) {
        if (contains(role)) {
            joined += joined.empty() ? "" : ",";
            joined += roleName(role);
        }
    }
    return joined;
}

} // namespace config
