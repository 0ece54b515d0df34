// New instructions put between others, and what names instructions by index kept right.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"

namespace trainyard::compiler {

// Instructions whose records are in the program already, each to be put before an instruction.
struct Insertion {
  std::uint32_t before = 0;  // index before anything is inserted
  isa::Instruction what;
};

// Puts all of them in; those for one place keep their order. A branch to that place runs them.
void insert(isa::Program& program, std::vector<Insertion> insertions);

// After instructions moved: loops, branches and edges follow. place[i]: where instruction i is now;
// arrival[i]: where a branch to i goes. Both have one more entry, for the end.
void renumber(isa::Program& program, const std::vector<std::uint32_t>& place,
              const std::vector<std::uint32_t>& arrival);

}  // namespace trainyard::compiler
