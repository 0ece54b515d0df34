// The operations of a program's streams, each looked up when its sequencer comes to it. Those in
// loops are kept, so that a turn costs no more lookups than the first; all others come once.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engines/operation.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::engines {

class Operations {
 public:
  // Everything referred to must outlive this.
  Operations(const isa::Program& program, const machine::Core& core)
      : program_(program), core_(core) {}

  // The operation at `position` of an engine's stream, where the same instruction may cost another
  // engine something else. Valid until the engine asks for another position. `repeats`: it is in a
  // loop.
  [[nodiscard]] const Operation& at(isa::Engine engine, std::size_t position, bool repeats) {
    Stream& stream = streams_[static_cast<std::size_t>(engine)];
    if (stream.position != position) look_up(stream, engine, position, repeats);
    return *stream.current;
  }
  // The same with the costs of this run, whose record has its addresses resolved.
  [[nodiscard]] Operation resolved(const Operation& operation, isa::Engine engine,
                                   std::uint32_t instruction, const void* record) const {
    return engines::resolved(operation, program_.record(instruction), record, engine, core_);
  }

 private:
  static constexpr std::uint32_t unknown = 0xFFFFFFFFu;

  struct Stream {
    std::size_t position = ~std::size_t{0};
    const Operation* current = nullptr;
    std::optional<Operation> once{};
    std::deque<Operation> kept{};
    std::vector<std::uint32_t> places{};  // in `kept`, by position; empty without loops
  };
  void look_up(Stream& stream, isa::Engine engine, std::size_t position, bool repeats);

  const isa::Program& program_;
  const machine::Core& core_;
  std::array<Stream, isa::engine_count> streams_{};
};

}  // namespace trainyard::engines
