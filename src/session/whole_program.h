// In which ways a program as a whole is fastest, and with how much of SBUF for what stays on chip
// between operations: regions overlap, and what is faster alone may be slower in the whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compiler/compiler.h"
#include "graph/module.h"
#include "session/scores.h"

namespace trainyard::session {

class WholeProgram {
 public:
  enum class Ways : std::uint8_t {
    by_rule,
    quick,     // those that are timed while it is compiled
    searched,  // those that a search found best for each of its regions alone
  };

  struct Found {
    Ways ways = Ways::by_rule;
    std::int64_t resident_percent = 0;  // at most, of SBUF, for what stays on chip
  };

  // `scores` outlives it. `module`: behind all passes; `beside`: what else says which program it
  // is.
  WholeProgram(Scores& scores, const graph::Module& module, int cores,
               const compiler::Options& options, std::string_view beside = {});

  // What is known; nothing where it was not timed.
  [[nodiscard]] std::optional<Found> fastest() const;
  void keep(const Found& fastest);
  // What a whole takes.
  [[nodiscard]] std::optional<base::Ticks> time(const Found& found) const;
  void keep_time(const Found& found, base::Ticks time);

 private:
  [[nodiscard]] std::uint64_t key_of(const Found& found) const;

  Scores& scores_;
  std::uint64_t key_;
};

}  // namespace trainyard::session
