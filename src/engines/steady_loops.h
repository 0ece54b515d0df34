// The hardware loops of a program whose turns are alike in time but for what the machine does:
// where they lie in the streams, and whose turn ends when. No address, bound or branch in them
// depends on a count in a way that time could see. It runs nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/core/control_flow.h"
#include "isa/core/program.h"

namespace trainyard::engines {

struct SteadyLoop {
  // A loop's begin and end in a stream, and how many loops are around it there.
  struct Place {
    std::uint32_t begin = 0, end = 0;
    std::size_t depth = 0;

    // Whether a sequencer whose next item is at `at` is in a turn.
    [[nodiscard]] bool holds(std::size_t at) const { return begin < at && at <= end; }
  };

  std::uint32_t begin = 0, end = 0;  // instructions
  isa::LoopBounds bounds{};
  std::array<std::optional<Place>, isa::engine_count> places{};
  std::size_t pilot = 0;  // the engine whose turns are counted
  // Of its turns on all engines, those that the compiler added among them; in order, once each.
  std::vector<std::uint32_t> instructions{};

  // Whether all addresses that follow the count are in bounds where it is `count`.
  [[nodiscard]] bool in_bounds(const isa::Program& program, std::int64_t count) const;
};

class SteadyLoops {
 public:
  explicit SteadyLoops(const isa::Program& program);

  [[nodiscard]] bool empty() const { return loops_.empty(); }
  // In the author's order: a loop stands behind the one around it.
  [[nodiscard]] const std::vector<SteadyLoop>& list() const { return loops_; }
  // The loop that a loop_end closes on the engine whose turns count; nothing for all others.
  [[nodiscard]] std::optional<std::uint32_t> closed_by(std::uint32_t loop_end,
                                                       isa::Engine engine) const {
    if (loops_.empty() || by_end_[loop_end] == none) return std::nullopt;
    const std::uint32_t loop = by_end_[loop_end];
    if (loops_[loop].pilot != static_cast<std::size_t>(engine)) return std::nullopt;
    return loop;
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  void place_in(const isa::Program& program, std::size_t engine);

  std::vector<SteadyLoop> loops_;
  std::vector<std::uint32_t> by_end_;  // by instruction; empty without loops
};

}  // namespace trainyard::engines
