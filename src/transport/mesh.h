// Processes that run the same programs together, each connected with each: what one has and another
// one needs goes over TCP. They send one another values of their own programs only, never code; who
// connects shows a word that the others were given.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transport/socket.h"

namespace trainyard::transport {

// What one process tells the others of itself before they meet.
struct Card {
  Address address;   // where it listens
  std::string word;  // that it wants to hear
  std::string name;  // "host nid0001, process 4711"

  [[nodiscard]] std::string text() const;
  // Throws InputError "processes.card".
  [[nodiscard]] static Card read(std::string_view text);
};

// Who listens and what the others must know, before anybody has met.
struct Door {
  Socket socket;
  Card card;

  // On that host (an address of this machine), at any free port, with a word made by chance.
  [[nodiscard]] static Door opened(const std::string& host);
};

class Mesh {
 public:
  // `door`: of this process, whose number is `rank`; `cards`: of all, by rank. Throws InputError
  // "processes.missing" where one does not come by then.
  Mesh(int rank, const Door& door, std::vector<Card> cards, Deadline deadline);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(cards_.size()); }

  // Sends a message to each of `with` and returns what each of them sends; they do the same at
  // this moment of theirs. `about` is what this process is doing. Throws InputError
  // "processes.gone" where one of them ends first, "processes.order" where it does something else,
  // and "processes.interrupted" after SIGINT.
  [[nodiscard]] std::vector<std::string> exchange(std::span<const int> with,
                                                  std::span<const std::string> messages,
                                                  std::string_view about);

 private:
  int rank_;
  std::vector<Card> cards_;
  std::vector<Socket> sockets_;  // by rank; none to itself
  std::mutex mutex_;
};

}  // namespace trainyard::transport
