// Which hardware loops stand around the instructions of a program, so that a trace can say in which
// turn of each an instruction ran.
#pragma once

#include <vector>

#include "isa/core/control_flow.h"
#include "trace/labels.h"

namespace trainyard::report {

class RolledLoops {
 public:
  RolledLoops(const isa::Program& program, trace::Labels& labels)
      : program_(program), labels_(labels), tree_(program) {}

  // The hardware loops that instruction `i` stands in, outermost first. Where the trips of an inner
  // loop are only known at run time, the turns of the whole nest are counted as one loop, "turn".
  [[nodiscard]] std::vector<trace::Loop> around(std::uint32_t i) const;

 private:
  [[nodiscard]] trace::Loop loop_of(std::uint32_t begin) const;

  const isa::Program& program_;
  trace::Labels& labels_;
  isa::LoopTree tree_;
};

}  // namespace trainyard::report
