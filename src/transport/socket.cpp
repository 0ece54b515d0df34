#include "transport/socket.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "base/error.h"

namespace trainyard::transport {

namespace {

[[noreturn]] void refuse_connection(const Address& address, std::string found) {
  throw base::InputError({"processes.connection", "processes of one job reach each other over TCP",
                          address.text(), std::move(found),
                          "check the address, the port and that all processes were started"});
}

using Resolved = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Resolved resolve(const Address& address, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(address.host.c_str(), fmt::format("{}", address.port).c_str(), &hints, &found);
  if (error != 0) refuse_connection(address, gai_strerror(error));
  return {found, &freeaddrinfo};
}

// Small messages go at once; a host that vanished is noticed.
void set_up(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

int milliseconds_until(Deadline deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

// Whether a descriptor is ready by then.
bool becomes_ready(int descriptor, short events, Deadline deadline) {
  while (true) {
    pollfd wait{descriptor, events, 0};
    const int ready = poll(&wait, 1, milliseconds_until(deadline));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool send_all(int descriptor, std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!becomes_ready(descriptor, POLLOUT, deadline)) return false;
    const ssize_t sent = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EAGAIN && errno != EINTR)
      return false;
  }
  return true;
}

bool receive_all(int descriptor, char* to, std::size_t size, Deadline deadline) {
  while (size > 0) {
    if (!becomes_ready(descriptor, POLLIN, deadline)) return false;
    const ssize_t received = recv(descriptor, to, size, MSG_DONTWAIT);
    if (received > 0) {
      to += received;
      size -= static_cast<std::size_t>(received);
    } else if (received == 0 || (errno != EAGAIN && errno != EINTR)) {
      return false;
    }
  }
  return true;
}

}  // namespace

Address Address::read(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, std::min(colon, text.size()));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = colon == std::string_view::npos
                                 ? std::from_chars_result{end, std::errc::invalid_argument}
                                 : std::from_chars(text.data() + colon + 1, end, port);
  if (host.empty() || error != std::errc() || rest != end) {
    throw base::InputError({"processes.address", "an address is a host and a port",
                            std::string(text), "something else",
                            "write it as \"10.0.0.1:5000\" or \"[::1]:5000\""});
  }
  return {std::string(host), port};
}

std::string Address::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

std::string host_towards(const Address& address) {
  try {
    const Resolved found = resolve(address, 0);
    const Socket probe(socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (probe.is_open() && connect(probe.descriptor(), found->ai_addr, found->ai_addrlen) == 0)
      return probe.address().host;
  } catch (const base::InputError&) {
    return "127.0.0.1";
  }
  return "127.0.0.1";
}

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}
Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Socket Socket::listening(const Address& address) {
  const Resolved found = resolve(address, AI_PASSIVE);
  Socket result(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(result.descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (result.descriptor_ < 0 || bind(result.descriptor_, found->ai_addr, found->ai_addrlen) != 0 ||
      listen(result.descriptor_, SOMAXCONN) != 0)
    refuse_connection(address, fmt::format("nothing can listen there: {}", std::strerror(errno)));
  return result;
}

Socket Socket::connected(const Address& address, Deadline deadline) {
  const Resolved found = resolve(address, 0);
  while (true) {
    for (const addrinfo* at = found.get(); at != nullptr; at = at->ai_next) {
      Socket result(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
      if (connect(result.descriptor_, at->ai_addr, at->ai_addrlen) != 0) continue;
      set_up(result.descriptor_);
      return result;
    }
    if (std::chrono::steady_clock::now() > deadline)
      refuse_connection(address, fmt::format("no connection: {}", std::strerror(errno)));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Socket Socket::accepted(Deadline deadline) const {
  if (!becomes_ready(descriptor_, POLLIN, deadline)) return {};
  Socket result(accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC));
  if (result.is_open()) set_up(result.descriptor_);
  return result;
}

Address Socket::address() const {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getsockname(descriptor_, address, &size) != 0 ||
      getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    refuse_connection({}, "an end without an address");
  Address result{host.data(), 0};
  std::from_chars(port.data(), port.data() + std::strlen(port.data()), result.port);
  return result;
}

bool Socket::send_line(std::string_view text, Deadline deadline) const {
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string all(reinterpret_cast<const char*>(&size), sizeof size);
  return send_all(descriptor_, all.append(text), deadline);
}

bool Socket::receive_line(std::string& text, Deadline deadline) const {
  std::uint32_t size = 0;
  if (!receive_all(descriptor_, reinterpret_cast<char*>(&size), sizeof size, deadline) ||
      size > line_max)
    return false;
  text.resize(size);
  return receive_all(descriptor_, text.data(), size, deadline);
}

}  // namespace trainyard::transport
