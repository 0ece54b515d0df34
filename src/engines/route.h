// The way through a list of instructions: where loops go back to and branches go on. One route
// serves a stream or the author's order; a Walk is a position on it with the loops that are
// running.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"
#include "isa/semantics/control.h"

namespace trainyard::engines {

class Route {
 public:
  // `instructions`: in the order of the list.
  Route(const isa::Program& program, std::span<const std::uint32_t> instructions);

  // Of a loop_begin: its loop_end. Of a loop_end: its loop_begin. Of a branch: where it goes. By
  // position.
  [[nodiscard]] std::size_t partner(std::size_t at) const { return partner_[at]; }

 private:
  std::vector<std::uint32_t> partner_;
};

// A while loop that goes on for longer counts as endless. On the device an iteration takes about a
// microsecond.
inline constexpr std::int64_t while_iterations_max = std::int64_t{1} << 22;

// Follows a route. Whoever walks executes the instructions in between.
class Walk {
 public:
  Walk(const isa::Program& program, const Route& route) : program_(&program), route_(&route) {}
  // Another route through the same program, inside the loops that `elsewhere` is in.
  Walk(const Route& route, const Walk& elsewhere) : Walk(elsewhere) { route_ = &route; }

  // Where to go on after the control instruction `instruction` at position `at` of the route;
  // usually the next position. execution.engine says whose registers count. Throws Fault
  // "run.endless".
  [[nodiscard]] std::size_t after(std::size_t at, std::uint32_t instruction,
                                  isa::Execution& execution);

 private:
  const isa::Program* program_;
  const Route* route_;
  struct Running {
    isa::LoopState state;
    std::int64_t iterations = 0;
  };
  [[nodiscard]] isa::LoopBounds bounds_of(std::uint32_t begin) const;
  // Whether a loop goes on. Throws Fault "run.endless" when a while loop has done so for too long.
  [[nodiscard]] bool goes_on(std::uint32_t begin, isa::Execution& execution);

  std::vector<Running> loops_;  // outermost first
};

// The stream of an engine, or all instructions, as a list for a Route.
[[nodiscard]] std::vector<std::uint32_t> instructions_of(
    const std::vector<isa::StreamItem>& stream);
[[nodiscard]] std::vector<std::uint32_t> authors_order(const isa::Program& program);

}  // namespace trainyard::engines
