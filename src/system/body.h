// What the collectives of a program have in common for all ranks that run it: found once, however
// many ranks share the body.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/network.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::system {

struct BodyCollective {
  std::uint32_t instruction = 0;
  isa::Meeting meeting{};  // of no rank: without its group and its edges
  bool is_of_whole_rank = false;
  float share = 1;  // of a full link, by its class of priority
  fabric::Memory memory = fabric::Memory::hbm;
};

// In the order of the program.
[[nodiscard]] std::vector<BodyCollective> collectives_of(const isa::Program& program,
                                                         const machine::Core& core);

// What else of a program costs time: all but which ranks its collectives name.
[[nodiscard]] std::uint64_t time_hash(isa::Program program);

}  // namespace trainyard::system
