// State outside the operands (accumulators, generators) that instructions hand to later ones: what
// of it keeps instructions in order. It knows nothing of tiles.
#pragma once

#include <optional>

#include "isa/core/accumulation.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

// An accumulator that every instruction of a program resets before it reads it hands nothing on,
// and keeps nobody in order.
class HandedState {
 public:
  explicit HandedState(const isa::Program& program);

  // Whether instruction i reads or changes state that is handed on.
  [[nodiscard]] bool touches(std::uint32_t i, isa::HiddenState state) const;

 private:
  // Whether it reads what an earlier instruction left. Generators and other cores always do.
  [[nodiscard]] bool continues(std::uint32_t i) const;
  [[nodiscard]] bool leaves_alone(std::uint32_t i) const;
  [[nodiscard]] std::optional<isa::Accumulation> accumulation(std::uint32_t i) const;

  const isa::Program& program_;
  isa::HiddenState handed_ = isa::HiddenState::none;
};

}  // namespace trainyard::compiler
