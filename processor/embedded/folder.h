// The folder of an embedded stack: who may use it, what is where, and the lock of its one serve.
#pragma once

#include "processor/base/result.h"
#include "processor/embedded/account.h"
#include "processor/embedded/descriptor.h"

#include <string>

namespace embedded {

/// An opened folder. While it lives no other process (and no other Folder) can open the same.
class Folder
{
public:
    /// Creates what is missing. Refuses (Conflict) when another process serves it, and (Invalid)
    /// when the stores' account cannot reach it.
    static base::Result<Folder> open(const std::string& path);

    [[nodiscard]] const Account& account() const { return m_account; }
    [[nodiscard]] const std::string& path() const { return m_path; } // absolute, links resolved
    [[nodiscard]] std::string postgres() const { return m_path + "/pg"; }
    [[nodiscard]] std::string redis() const { return m_path + "/redis"; }
    [[nodiscard]] std::string secretFile() const { return m_path + "/webhook.secret"; }
    /// Where the sockets are: `run` inside, or a private folder elsewhere when the path of a socket
    /// inside would pass 107 bytes or has characters that URLs and lists trip over; `run.path` then
    /// names it.
    [[nodiscard]] const std::string& sockets() const { return m_sockets; }

    /// Makes the webhook secret, 64 hexadecimal digits, unless there is one.
    [[nodiscard]] base::Status ensureSecret() const;

private:
    Folder(std::string path, Descriptor lock, Account account);
    base::Status makeSocketFolder();
    base::Status makeShortSocketFolder();

    std::string m_path;
    Descriptor m_lock;
    Account m_account;
    std::string m_sockets;
};

} // namespace embedded
