// The order in which the dependences of a program are looked for: the author's, but that the body
// of a loop whose turns overlap stands there twice, the first time for the turn before. What the
// second needs of the first is what every turn needs of the one before it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

class TurnWalk {
 public:
  using Step = std::uint32_t;

  // `overlaps`: turns of innermost counted loops do, in a program without branches.
  TurnWalk(const isa::Program& program, bool overlaps);

  // Of each step its instruction.
  [[nodiscard]] const std::vector<std::uint32_t>& steps() const { return steps_; }
  [[nodiscard]] bool is_turn_before(Step step) const { return before_[step]; }
  // Where an instruction stands for itself, and for the turn before.
  [[nodiscard]] Step step_of(std::uint32_t instruction) const { return step_of_[instruction]; }
  [[nodiscard]] std::optional<Step> turn_before(std::uint32_t instruction) const;
  // Whether the turns of the loop overlap that an instruction begins or ends.
  [[nodiscard]] bool overlaps(std::uint32_t instruction) const { return overlaps_[instruction]; }

 private:
  static constexpr Step none = 0xFFFFFFFFu;
  void add(std::uint32_t begin, std::uint32_t end, bool before);

  std::vector<std::uint32_t> steps_;
  std::vector<bool> before_;          // by step
  std::vector<Step> step_of_, turn_;  // by instruction
  std::vector<bool> overlaps_;        // likewise
};

}  // namespace trainyard::compiler
