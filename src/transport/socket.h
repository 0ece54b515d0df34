// TCP between processes: whole messages over connections that close themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::transport {

using Deadline = std::chrono::steady_clock::time_point;

struct Address {
  std::string host;  // a name, or an IPv4 or IPv6 address
  std::uint16_t port = 0;

  // "host:port", "[::1]:port". Throws InputError "processes.address".
  [[nodiscard]] static Address read(std::string_view text);
  [[nodiscard]] std::string text() const;
};

// The address of this host by which packets leave it for that one; 127.0.0.1 where there is none.
// Sends nothing.
[[nodiscard]] std::string host_towards(const Address& address);

// A descriptor, closed with it; blocking. What fails throws InputError "processes.connection".
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  // Waits for connections; port 0 is any free one.
  [[nodiscard]] static Socket listening(const Address& address);
  // Tries again while nobody listens there.
  [[nodiscard]] static Socket connected(const Address& address, Deadline deadline);
  // The next connection, or none by then.
  [[nodiscard]] Socket accepted(Deadline deadline) const;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  // Of this end.
  [[nodiscard]] Address address() const;

  // A message of at most line_max bytes, with its length before it. False where the other end is
  // gone, says nothing in time or something longer.
  static constexpr std::size_t line_max = 65536;
  [[nodiscard]] bool send_line(std::string_view text, Deadline deadline) const;
  [[nodiscard]] bool receive_line(std::string& text, Deadline deadline) const;

 private:
  int descriptor_ = -1;
};

}  // namespace trainyard::transport
