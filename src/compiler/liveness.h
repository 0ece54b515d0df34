// From where to where in the program each tensor is in use.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Instruction indices, both inclusive; first > last: never used. A tensor from before a hardware
// loop that is used inside it is in use for the whole loop, because every iteration runs the same
// instructions on the same storage. One that the body creates is another one in each iteration.
struct Lifetime {
  std::uint32_t first = 0xFFFFFFFFu;
  std::uint32_t last = 0;
  [[nodiscard]] bool used() const { return first <= last; }
  [[nodiscard]] bool meets(const Lifetime& other) const {
    return first <= other.last && other.first <= last;
  }
};

[[nodiscard]] std::vector<Lifetime> lifetimes(const isa::Program& program);

}  // namespace trainyard::compiler
