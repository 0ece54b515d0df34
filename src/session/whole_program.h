// Whether a program as a whole is faster with the ways that a search found best for each of its
// regions alone, or by rule: regions overlap, and what is faster alone may be slower in the whole.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "graph/module.h"
#include "session/scores.h"

namespace trainyard::session {

class WholeProgram {
 public:
  // `scores` outlives it. `module`: behind all passes.
  WholeProgram(Scores& scores, const graph::Module& module, int cores)
      : scores_(scores), module_(module), cores_(cores) {}

  // What a search has found: by rule or not; nothing where there was none.
  [[nodiscard]] std::optional<bool> is_by_rule() const;
  void keep(bool is_by_rule);

 private:
  [[nodiscard]] std::uint64_t key() const;

  Scores& scores_;
  const graph::Module& module_;
  int cores_;
};

}  // namespace trainyard::session
