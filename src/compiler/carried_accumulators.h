// Which accumulators and generators carry a value from an instruction to a later one, and so keep
// instructions in order. It knows nothing of tiles.
#pragma once

#include <optional>

#include "isa/core/accumulation.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

// An accumulator that every instruction of a program resets before it reads it carries nothing on,
// and keeps no instructions in order.
class CarriedAccumulators {
 public:
  explicit CarriedAccumulators(const isa::Program& program);

  // Whether instruction i reads or changes state that is carried on.
  [[nodiscard]] bool touches(std::uint32_t i, isa::HiddenState state) const;

 private:
  // Whether it reads what an earlier instruction left. Generators and other cores always do.
  [[nodiscard]] bool continues(std::uint32_t i) const;
  [[nodiscard]] bool leaves_alone(std::uint32_t i) const;
  [[nodiscard]] std::optional<isa::Accumulation> accumulation(std::uint32_t i) const;

  const isa::Program& program_;
  isa::HiddenState carried_ = isa::HiddenState::none;
};

}  // namespace trainyard::compiler
