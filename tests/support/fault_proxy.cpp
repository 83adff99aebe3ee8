#include "tests/support/fault_proxy.h"

#include "processor/base/check.h"

#include <array>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace support {
namespace {

sockaddr_un addressOf(const std::string& file)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    CHECK(file.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, file.c_str(), file.size() + 1);
    return address;
}

int newSocket()
{
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(made >= 0);
    return made;
}

bool sendAll(int socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

using Buffer = std::array<char, 65'536>;

std::string_view receive(int socket, Buffer& buffer)
{
    const auto got = ::recv(socket, buffer.data(), buffer.size(), 0);
    return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

} // namespace

FaultProxy::FaultProxy(std::string listenFile, std::string targetFile)
    : m_listenFile{std::move(listenFile)}
    , m_targetFile{std::move(targetFile)}
    , m_listener{newSocket()}
{
    const sockaddr_un address = addressOf(m_listenFile);
    CHECK(::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    CHECK(::listen(m_listener, 16) == 0);
    std::array<int, 2> ends{};
    CHECK(::pipe(ends.data()) == 0);
    m_wakeReader = ends[0];
    m_wakeWriter = ends[1];
    m_thread = std::thread{[this] { serve(); }};
}

FaultProxy::~FaultProxy()
{
    m_stop = true;
    wake();
    m_thread.join();
    for (const Line& line : m_lines) {
        ::close(line.client);
        ::close(line.server);
    }
    for (const int one : {m_listener, m_wakeReader, m_wakeWriter}) ::close(one);
    ::unlink(m_listenFile.c_str());
}

void FaultProxy::arm(Fault fault, std::string trigger)
{
    const std::scoped_lock lock{m_mutex};
    m_fault = fault;
    m_struck = fault != Fault::None && trigger.empty();
    m_trigger = std::move(trigger);
    wake();
}

void FaultProxy::wake() const
{
    CHECK(::write(m_wakeWriter, "w", 1) == 1);
}

void FaultProxy::acceptOne()
{
    const int client = ::accept(m_listener, nullptr, nullptr);
    if (client < 0) return;
    const int server = newSocket();
    const sockaddr_un address = addressOf(m_targetFile);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(client);
        ::close(server);
        return;
    }
    m_lines.push_back({client, server});
}

bool FaultProxy::passRequest(const Line& line)
{
    Buffer buffer;
    const auto bytes = receive(line.client, buffer);
    if (bytes.empty()) return false;
    {
        const std::scoped_lock lock{m_mutex};
        if (m_fault != Fault::None && !m_struck && bytes.find(m_trigger) != bytes.npos) {
            m_struck = true;
        }
        if (m_struck && m_fault == Fault::CutBefore) return false;
    }
    return sendAll(line.server, bytes);
}

bool FaultProxy::passAnswer(const Line& line)
{
    Buffer buffer;
    const auto bytes = receive(line.server, buffer);
    if (bytes.empty()) return false;
    const std::scoped_lock lock{m_mutex};
    if (!m_struck) return sendAll(line.client, bytes);
    return m_fault != Fault::CutAfterAnswer;
}

void FaultProxy::serve()
{
    while (!m_stop) {
        const bool stalled = [this] {
            const std::scoped_lock lock{m_mutex};
            return m_struck && m_fault == Fault::Stall;
        }();
        std::vector<pollfd> wanted{{m_wakeReader, POLLIN, 0}};
        if (!stalled) {
            wanted.push_back({m_listener, POLLIN, 0});
            for (const Line& line : m_lines) {
                wanted.push_back({line.client, POLLIN, 0});
                wanted.push_back({line.server, POLLIN, 0});
            }
        }
        if (::poll(wanted.data(), wanted.size(), -1) < 0) continue;
        if (wanted[0].revents != 0) {
            char byte = 0;
            CHECK(::read(m_wakeReader, &byte, 1) == 1);
        }
        if (stalled) continue;

        std::vector<Line> kept;
        for (std::size_t i = 0; i < m_lines.size(); ++i) {
            const bool open = (wanted[2 + 2 * i].revents == 0 || passRequest(m_lines[i]))
                && (wanted[3 + 2 * i].revents == 0 || passAnswer(m_lines[i]));
            if (open) {
                kept.push_back(m_lines[i]);
            } else {
                ::close(m_lines[i].client);
                ::close(m_lines[i].server);
            }
        }
        m_lines = std::move(kept);
        if (wanted[1].revents != 0) acceptOne();
    }
}

} // namespace support
