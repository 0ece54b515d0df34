// New instructions put between others, and what names instructions by index kept right.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Instructions whose records are in the program already, each to be put before an instruction.
struct Insertion {
  std::uint32_t before = 0;  // index before anything is inserted
  isa::Instruction what;
};

// Puts all of them in; those for one place keep their order. A branch to that place runs them.
void insert(isa::Program& program, std::vector<Insertion> insertions);

// One that has no record in the program yet.
template <typename Record>
struct Addition {
  std::uint32_t before = 0;
  std::uint32_t location = 0;  // the source line it belongs to
  Record record;

  [[nodiscard]] static const isa::InstructionInfo& info() {
    return isa::info(isa::opcode_of<Record>);
  }
};

template <typename Record>
void insert(isa::Program& program, const std::vector<Addition<Record>>& additions,
            isa::Engine engine) {
  // Each is appended for its record, and then put where it belongs.
  const std::size_t count = program.instructions.size();
  for (const Addition<Record>& one : additions) program.append(one.record, engine);
  std::vector<Insertion> insertions;
  for (std::size_t k = 0; k < additions.size(); ++k) {
    insertions.push_back({additions[k].before, program.instructions[count + k]});
    insertions.back().what.location = additions[k].location;
  }
  program.instructions.resize(count);
  insert(program, std::move(insertions));
}

// After instructions moved: loops, branches, edges and where tensors are created follow. place[i]:
// where instruction i is now; arrival[i]: where a branch to i goes. Both have one more entry, for
// the end.
void renumber(isa::Program& program, const std::vector<std::uint32_t>& place,
              const std::vector<std::uint32_t>& arrival);

}  // namespace trainyard::compiler
