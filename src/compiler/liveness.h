// From where to where in the program each tensor is in use.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Instruction indices, both inclusive; first > last: never used. A tensor that is used inside a
// hardware loop is in use for the whole loop, because every iteration runs the same instructions on
// the same storage.
struct Lifetime {
  std::uint32_t first = 0xFFFFFFFFu;
  std::uint32_t last = 0;
  [[nodiscard]] bool used() const { return first <= last; }
  [[nodiscard]] bool meets(const Lifetime& other) const {
    return first <= other.last && other.first <= last;
  }
};

[[nodiscard]] std::vector<Lifetime> lifetimes(const isa::Program& program);

// For each instruction the outermost hardware loop around it, as [begin, end]; {i, i} outside
// loops.
[[nodiscard]] std::vector<Lifetime> outermost_loops(const isa::Program& program);

// The hardware loops around the instruction that a walk through a program has come to.
class OpenLoops {
 public:
  // For every instruction, in order.
  void come_to(const isa::Program& program, std::uint32_t i);
  // The loop_begin of the outermost one that began at or behind instruction `since`: what was there
  // before outlives it.
  [[nodiscard]] std::optional<std::uint32_t> outermost_since(std::uint32_t since) const;

 private:
  std::vector<std::uint32_t> begins_;  // outermost first
};

}  // namespace trainyard::compiler
