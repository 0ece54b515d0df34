// A program that two cores run together: written once, with the core of each instruction, it
// becomes a program for each of them, with barriers where one needs what the other one wrote.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Who runs an instruction. What the cores do in one section they do to different bytes, or only
// read; sections are numbered in the order of the program.
struct Share {
  static constexpr std::uint8_t both = 2;  // begins and ends of loops in which both cores turn
  std::uint8_t core = 0;
  std::uint32_t section = 0;
};

// The program of each core, one where core 0 does everything. All have the tensors of the whole.
[[nodiscard]] std::vector<isa::Program> shared_out(isa::Program whole,
                                                   std::span<const Share> shares);

}  // namespace trainyard::compiler
