// Proves that a while loop never ends: one of its turns begins in a state that an earlier turn
// began in. It is asked at the begin of each turn, compares little and changes nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::engines {

class Repetition {
 public:
  // `body`: the loop's instructions. `alone`: nothing but the body changes the core's memory while
  // the loop runs, and each instruction ends before the next begins; else a body that loads
  // registers from memory is never said to repeat.
  Repetition(const isa::Program& program, std::span<const std::uint32_t> body, bool alone);

  // `turn` counts from 1. Returns the earlier turn that began like this one, else 0.
  [[nodiscard]] std::int64_t earlier_turn_like(std::int64_t turn, isa::Execution& execution);
  // Whether memory decides how the loop goes on, besides registers.
  [[nodiscard]] bool loads_registers() const { return loads_registers_; }

 private:
  // A turn is compared with the one that was kept last: turn 1, 2, 4, 8 ...
  void keep(std::int64_t turn, isa::Execution& execution);
  [[nodiscard]] std::vector<std::byte> memory(isa::Execution& execution) const;

  const isa::Program* program_;
  bool loads_registers_ = false;
  bool decidable_ = true;
  std::vector<std::uint32_t> written_;  // tensors; what the body cannot change need not be compared
  std::int64_t kept_turn_ = 0;
  std::vector<std::int64_t> kept_registers_;
  std::vector<std::byte> kept_memory_;
};

}  // namespace trainyard::engines
