// Which earlier instructions one must stay behind because of the registers of its engine's
// sequencer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Walks a program in order, each instruction on the engine that runs it.
class RegisterOrder {
 public:
  explicit RegisterOrder(const isa::Program& program) : program_(program) {}

  // The earlier instructions that `i` stays behind; valid until the next call.
  [[nodiscard]] std::span<const std::uint32_t> next(std::uint32_t i);

 private:
  struct Uses {
    bool is_set = false;
    std::uint32_t set = 0;             // the last instruction that sets it, and
    std::vector<std::uint32_t> reads;  // those that have read it since
  };

  const isa::Program& program_;
  std::array<std::array<Uses, 256>, isa::engine_count> uses_{};  // by engine and register
  std::vector<std::uint32_t> found_;
};

}  // namespace trainyard::compiler
