// Which hardware loops stand around the instructions of a program, so that a trace can say in which
// turn of each an instruction ran.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "isa/core/program.h"
#include "trace/labels.h"

namespace trainyard::report {

// Walk the program with step() from its first instruction to its last.
class RolledLoops {
 public:
  RolledLoops(const isa::Program& program, trace::Labels& labels)
      : program_(program), labels_(labels) {}

  // Takes notice of instruction `i`, and returns the hardware loops that it stands in, outermost
  // first. Where the trips of an inner loop are only known at run time, the turns of the whole nest
  // are counted as one loop, "turn".
  [[nodiscard]] std::vector<trace::Loop> step(std::uint32_t i);

 private:
  [[nodiscard]] trace::Loop loop_of(std::uint32_t begin) const;

  const isa::Program& program_;
  trace::Labels& labels_;
  // Each engine runs its own copies of the loop instructions; those of `any` are for all.
  std::array<std::vector<trace::Loop>, isa::engine_count + 1> open_;
};

}  // namespace trainyard::report
