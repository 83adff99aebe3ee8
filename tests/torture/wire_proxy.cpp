#include "tests/torture/wire_proxy.h"

#include "processor/base/check.h"

#include <arpa/inet.h>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace torture {
namespace {

constexpr std::uint32_t kProtocol3 = 196'608; // the one start-up packet after which types begin

struct Address
{
    sockaddr_storage storage{};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const
    {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
};

Address addressOf(const std::string& place)
{
    Address address;
    if (place.starts_with('/')) {
        sockaddr_un file{};
        file.sun_family = AF_UNIX;
        CHECK(place.size() < sizeof file.sun_path);
        std::memcpy(file.sun_path, place.c_str(), place.size() + 1);
        std::memcpy(&address.storage, &file, sizeof file);
        address.size = sizeof file;
        return address;
    }
    const auto colon = place.rfind(':');
    CHECK(colon != std::string::npos);
    std::uint16_t port = 0;
    std::from_chars(place.data() + colon + 1, place.data() + place.size(), port);
    sockaddr_in net{};
    net.sin_family = AF_INET;
    net.sin_port = htons(port);
    CHECK(inet_pton(AF_INET, place.substr(0, colon).c_str(), &net.sin_addr) == 1);
    std::memcpy(&address.storage, &net, sizeof net);
    address.size = sizeof net;
    return address;
}

int newSocket(const Address& address)
{
    const int made = ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(made >= 0);
    return made;
}

int portOf(int socket)
{
    sockaddr_in net{};
    socklen_t size = sizeof net;
    CHECK(::getsockname(socket, reinterpret_cast<sockaddr*>(&net), &size) == 0);
    return net.sin_family == AF_INET ? ntohs(net.sin_port) : 0;
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

bool receiveInto(std::string& kept, int socket)
{
    std::array<char, 65'536> buffer;
    const auto got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) return false;
    kept.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
}

std::uint32_t bigEndianAt(std::string_view bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

/// The first message of `bytes` as a whole, or nothing yet.
std::string_view firstMessage(std::string_view bytes, bool isStarted)
{
    const std::size_t typeSize = isStarted ? 1 : 0;
    if (bytes.size() < typeSize + 4) return {};
    const std::size_t size = typeSize + bigEndianAt(bytes, typeSize);
    return bytes.size() < size ? std::string_view{} : bytes.substr(0, size);
}

void closeBoth(int client, int server)
{
    ::close(client);
    ::close(server);
}

} // namespace

WireProxy::WireProxy(const std::string& listen, const std::string& target) : m_target{target}
{
    const Address address = addressOf(listen);
    m_listener = newSocket(address);
    CHECK(::bind(m_listener, address.get(), address.size) == 0);
    CHECK(::listen(m_listener, 64) == 0);
    m_port = portOf(m_listener);
    std::array<int, 2> ends{};
    CHECK(::pipe(ends.data()) == 0);
    m_wakeReader = ends[0];
    m_wakeWriter = ends[1];
    m_thread = std::thread{[this] { serve(); }};
}

WireProxy::~WireProxy()
{
    m_stop = true;
    wake();
    m_thread.join();
    for (const Line& line : m_lines) closeBoth(line.client, line.server);
    for (const int one : {m_listener, m_wakeReader, m_wakeWriter}) ::close(one);
}

void WireProxy::arm(Cut cut)
{
    const std::scoped_lock lock{m_mutex};
    m_cut = std::move(cut);
    m_isArmed = true;
}

void WireProxy::release()
{
    m_isFrozen = false;
    wake();
}

void WireProxy::wake() const
{
    CHECK(::write(m_wakeWriter, "w", 1) == 1);
}

void WireProxy::acceptOne()
{
    const int client = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const Address address = addressOf(m_target);
    const int server = newSocket(address);
    if (::connect(server, address.get(), address.size) != 0) {
        closeBoth(client, server);
        return;
    }
    m_lines.push_back({.client = client, .server = server});
}

bool WireProxy::strikesAt(Line& line, std::string_view message)
{
    const std::scoped_lock lock{m_mutex};
    if (!m_isArmed) return false;
    const bool isHit = (m_cut.after.empty() || line.hasPassedAfter)
        && message.find(m_cut.at) != std::string_view::npos;
    if (!m_cut.after.empty() && message.find(m_cut.after) != std::string_view::npos) {
        line.hasPassedAfter = true;
    }
    if (isHit) m_isArmed = false;
    return isHit;
}

bool WireProxy::passMessages(Line& line)
{
    while (!m_isFrozen) {
        const auto message = firstMessage(line.fromClient, line.isStarted);
        if (message.empty()) return true;
        std::size_t passing = message.size();
        if (!line.isStarted) {
            line.isStarted = message.size() >= 8 && bigEndianAt(message, 4) == kProtocol3;
        } else if (strikesAt(line, message)) {
            const auto where = m_cut.where;
            if (where == Cut::Where::Before) passing = 0;
            if (where == Cut::Where::Half) passing /= 2;
            if (where == Cut::Where::HalfRead) line.isToHalveAnswer = true;
            else m_isFrozen = true;
        }
        if (!sendAll(line.server, std::string_view{line.fromClient}.substr(0, passing))) {
            return false;
        }
        line.fromClient.erase(0, passing);
    }
    return true;
}

bool WireProxy::passFromClient(Line& line)
{
    if (!receiveInto(line.fromClient, line.client)) return false;
    if (line.isRaw) return sendAll(line.server, std::exchange(line.fromClient, {}));
    return passMessages(line);
}

bool WireProxy::passFromServer(Line& line)
{
    if (!receiveInto(line.fromServer, line.server)) return false;
    std::size_t passing = line.fromServer.size();
    if (line.isToHalveAnswer) {
        line.isToHalveAnswer = false;
        passing /= 2;
        m_isFrozen = true;
    }
    const bool passed = sendAll(line.client, std::string_view{line.fromServer}.substr(0, passing));
    line.fromServer.erase(0, passing);
    return passed;
}

// After a release. From here on such a line is bytes: where its next message begins is not known.
void WireProxy::passKept()
{
    std::erase_if(m_lines, [](Line& line) {
        const bool isOpen = sendAll(line.client, std::exchange(line.fromServer, {}))
            && sendAll(line.server, std::exchange(line.fromClient, {}));
        line.isRaw = true;
        if (!isOpen) closeBoth(line.client, line.server);
        return !isOpen;
    });
}

void WireProxy::passReady(const std::vector<pollfd>& ready)
{
    std::size_t next = 2;
    std::erase_if(m_lines, [this, &ready, &next](Line& line) {
        const bool hasRequest = ready[next++].revents != 0;
        const bool hasAnswer = ready[next++].revents != 0;
        // Once frozen, the lines that come later in this round pass nothing either.
        const bool isOpen = (m_isFrozen || !hasRequest || passFromClient(line))
            && (m_isFrozen || !hasAnswer || passFromServer(line));
        if (!isOpen) closeBoth(line.client, line.server);
        return !isOpen;
    });
}

void WireProxy::serve()
{
    while (!m_stop) {
        const bool isFrozen = m_isFrozen;
        std::vector<pollfd> wanted{{m_wakeReader, POLLIN, 0}};
        if (!isFrozen) {
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
            if (!m_isFrozen) passKept();
            continue;
        }
        if (isFrozen) continue;
        passReady(wanted);
        if (!m_isFrozen && wanted[1].revents != 0) acceptOne();
    }
}

} // namespace torture
