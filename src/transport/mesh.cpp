#include "transport/mesh.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <random>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"

namespace trainyard::transport {

namespace {

constexpr base::ByteFormat card_format{
    .label = "processes.card",
    .rule = "a card holds the address, the word and the name of a process",
    .fix = "start all processes with the same version of this package",
};

std::string made_by_chance() {
  std::random_device device;
  std::string word;
  for (int i = 0; i < 4; ++i) word += fmt::format("{:08x}", device());
  return word;
}

std::string name_of_this() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return fmt::format("host {}, process {}", host.data(), getpid());
}

[[noreturn]] void refuse(std::string_view label, std::string rule, std::string place,
                         std::string found, std::string fix) {
  throw base::InputError(
      {std::string(label), std::move(rule), std::move(place), std::move(found), std::move(fix)});
}

// Hears SIGINT while this process waits in place of whoever hears it otherwise, Python for one, who
// would be told when this thread returns only. What nobody asked for goes to them afterwards.
class Interrupts {
 public:
  Interrupts() {
    seen_ = 0;
    sigaction(SIGINT, nullptr, &before_);
    if ((before_.sa_flags & SA_SIGINFO) == 0 && before_.sa_handler == SIG_IGN) return;
    struct sigaction hear {};
    hear.sa_handler = [](int) { seen_ = 1; };
    sigemptyset(&hear.sa_mask);
    sigaction(SIGINT, &hear, nullptr);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts() {
    sigaction(SIGINT, &before_, nullptr);
    if (seen_ != 0) raise(SIGINT);
  }
  [[nodiscard]] static bool take() {
    const bool taken = seen_ != 0;
    seen_ = 0;
    return taken;
  }

 private:
  inline static volatile std::sig_atomic_t seen_ = 0;
  struct sigaction before_ {};
};

struct Head {
  std::uint64_t about = 0, bytes = 0;  // sizes
};
constexpr std::size_t about_max = 4096, step = std::size_t{64} << 20;

// One message out and one in, as much at a time as the connection takes.
class Exchanged {
 public:
  Exchanged(int descriptor, std::string_view about, std::string_view message)
      : descriptor_(descriptor), message_(message) {
    const Head head{about.size(), message.size()};
    front_.assign(reinterpret_cast<const char*>(&head), sizeof head);
    front_ += about;
  }

  [[nodiscard]] short wants() const {
    return static_cast<short>((is_sent() ? 0 : POLLOUT) | (is_received() ? 0 : POLLIN));
  }
  // False where the other end is gone.
  [[nodiscard]] bool go_on(short ready) {
    if ((ready & POLLOUT) != 0 && !is_sent() && !send_some()) return false;
    const bool may_read = (ready & (POLLIN | POLLHUP | POLLERR)) != 0;
    return !may_read || is_received() || receive_some();
  }
  [[nodiscard]] std::string_view about() const {
    return std::string_view(in_).substr(sizeof(Head), head().about);
  }
  [[nodiscard]] std::string take() { return std::move(in_).substr(sizeof(Head) + head().about); }

 private:
  [[nodiscard]] bool is_sent() const { return sent_ == front_.size() + message_.size(); }
  [[nodiscard]] bool is_received() const { return received_ >= sizeof(Head) && left() == 0; }
  [[nodiscard]] Head head() const {
    Head head;
    std::memcpy(&head, in_.data(), sizeof head);
    return head;
  }
  [[nodiscard]] std::size_t left() const {
    if (received_ < sizeof(Head)) return sizeof(Head) - received_;
    return sizeof(Head) + head().about + head().bytes - received_;
  }

  bool send_some() {
    const std::string_view rest = sent_ < front_.size() ? std::string_view(front_).substr(sent_)
                                                        : message_.substr(sent_ - front_.size());
    const ssize_t sent = send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    sent_ += static_cast<std::size_t>(sent);
    return true;
  }
  bool receive_some() {
    const std::size_t most = std::min(left(), step);
    if (in_.size() < received_ + most) in_.resize(received_ + most);
    const ssize_t got = recv(descriptor_, in_.data() + received_, most, MSG_DONTWAIT);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    received_ += static_cast<std::size_t>(got);
    return received_ < sizeof(Head) || head().about <= about_max;
  }

  int descriptor_;
  std::string front_, in_;
  std::string_view message_;
  std::size_t sent_ = 0, received_ = 0;
};

// Says who it is, and is let in.
Socket introduced(const Card& to, int rank, Deadline deadline) {
  Socket socket = Socket::connected(to.address, deadline);
  if (!socket.send_line(fmt::format("{} {}", to.word, rank), deadline)) return {};
  return socket;
}

// The rank of who comes in, or none.
int let_in(const Socket& socket, const Card& mine, int size, Deadline deadline) {
  std::string line;
  if (!socket.receive_line(
          line, std::min(deadline, std::chrono::steady_clock::now() + std::chrono::seconds(10))))
    return -1;
  for (int rank = 0; rank < size; ++rank)
    if (line == fmt::format("{} {}", mine.word, rank)) return rank;
  return -1;
}

}  // namespace

std::string Card::text() const {
  std::string out;
  for (const std::string& each : {address.text(), word, name}) base::put_string(out, each);
  return out;
}

Card Card::read(std::string_view text) {
  base::ByteReader reader(text, "what another process tells", card_format);
  const std::string address(reader.string()), word(reader.string()), name(reader.string());
  reader.expect_end();
  return {Address::read(address), word, name};
}

Door Door::opened(const std::string& host) {
  Socket socket = Socket::listening({host, 0});
  const Address address = socket.address();
  return {std::move(socket), {address, made_by_chance(), name_of_this()}};
}

Mesh::Mesh(int rank, const Door& door, std::vector<Card> cards, Deadline deadline)
    : rank_(rank), cards_(std::move(cards)), sockets_(cards_.size()) {
  const auto at = [&](int r) -> Socket& { return sockets_[static_cast<std::size_t>(r)]; };
  for (int r = 0; r < rank; ++r)
    at(r) = introduced(cards_[static_cast<std::size_t>(r)], rank, deadline);
  const auto missing = [&] {
    for (int r = rank + 1; r < size(); ++r)
      if (!at(r).is_open()) return r;
    return -1;
  };
  while (missing() >= 0) {
    Socket guest = door.socket.accepted(deadline);
    if (!guest.is_open()) {
      refuse("processes.missing", "all processes of a job meet before the first program",
             fmt::format("process {} of {}", missing(), size()),
             fmt::format("process {} did not come", missing()),
             "look at its own messages; start all processes at about the same time");
    }
    const int who = let_in(guest, door.card, size(), deadline);
    if (who > rank) at(who) = std::move(guest);
  }
}

std::vector<std::string> Mesh::exchange(std::span<const int> with,
                                        std::span<const std::string> messages,
                                        std::string_view about) {
  const std::lock_guard lock(mutex_);
  about = about.substr(0, about_max);
  std::vector<Exchanged> all;
  std::vector<pollfd> waits;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const int descriptor = sockets_.at(static_cast<std::size_t>(with[i])).descriptor();
    all.emplace_back(descriptor, about, messages[i]);
    waits.push_back({descriptor, 0, 0});
  }
  const Interrupts interrupts;
  constexpr int check_ms = 200;
  while (true) {
    bool is_done = true;
    for (std::size_t i = 0; i < all.size(); ++i) {
      waits[i].events = all[i].wants();
      if (waits[i].events == 0) waits[i].fd = -1;
      is_done = is_done && waits[i].events == 0;
    }
    if (is_done) break;
    if (poll(waits.data(), waits.size(), check_ms) < 0 && errno != EINTR)
      base::fail("poll() of the connections to other processes");
    if (Interrupts::take()) {
      refuse("processes.interrupted", "processes wait for one another where they exchange values",
             std::string(about), "SIGINT while waiting", "start the job again");
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0 || all[i].go_on(waits[i].revents)) continue;
      const Card& card = cards_[static_cast<std::size_t>(with[i])];
      refuse("processes.gone", "the processes of a job end together", std::string(about),
             fmt::format("process {} of {} is gone ({})", with[i], size(), card.name),
             "look at its own messages; start the job again from its last checkpoint");
    }
  }
  std::vector<std::string> received;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].about() != about) {
      refuse("processes.order", "all processes run the same programs in the same order",
             std::string(about), fmt::format("process {} is at {}", with[i], all[i].about()),
             "let all processes run the same script with the same arguments");
    }
    received.push_back(all[i].take());
  }
  return received;
}

}  // namespace trainyard::transport
