// What instructions pass through on their engines, and what engines share there: the array of the
// tensor engine, the banks of PSUM, the bus to SBUF, the tables of the Scalar engine. It says when
// each of them works; it knows no stream.
#pragma once

#include <array>
#include <cstdint>

#include "base/state_visitor.h"
#include "engines/banks.h"
#include "engines/operation.h"
#include "engines/tensor_pipe.h"
#include "isa/core/program.h"
#include "trace/reason.h"

namespace trainyard::engines {

class DataPaths {
 public:
  // Everything referred to must outlive this.
  DataPaths(const isa::Program& program, const machine::Core& core)
      : spec_{program, core}, state_(core) {}

  // The way of one instruction: what its engine does until when, one phase after the other.
  struct Passage {
    struct Phase {
      base::Ticks end;
      trace::Reason reason = trace::Reason::working;
    };
    std::array<Phase, 4> phases{};
    base::Ticks free;    // the engine takes the next instruction
    base::Ticks commit;  // the result is there
  };
  // An instruction begins `now`, whose engine is free since `free`.
  [[nodiscard]] Passage run(isa::Engine engine, std::uint32_t instruction,
                            const Operation& operation, base::Ticks now, base::Ticks free) {
    return operation.passes ? through_array(instruction, operation, now)
                            : stream(engine, operation, now, free);
  }

  [[nodiscard]] const Throttle& throttle() const { return state_.pipe.throttle(); }
  [[nodiscard]] Throttle& throttle() { return state_.pipe.throttle(); }
  // Of the throttle only its rate.
  void show(base::StateVisitor& visitor);

 private:
  struct Spec {
    const isa::Program& program;
    const machine::Core& core;
  };
  struct State {
    explicit State(const machine::Core& core)
        : pipe(core), banks(core.psum, core.vector.clock), bus(core.sbuf) {}

    TensorPipe pipe;
    PsumBanks banks;
    SbufBus bus;
    TableSet tables = TableSet::none_loaded;
    std::uint32_t loaded_by = 0xFFFFFFFFu;  // whose stationary operand is in the array
  };

  [[nodiscard]] Passage stream(isa::Engine engine, const Operation& operation, base::Ticks now,
                               base::Ticks free);
  [[nodiscard]] Passage through_array(std::uint32_t instruction, const Operation& operation,
                                      base::Ticks now);
  [[nodiscard]] const isa::Tile* stationary_of(std::uint32_t instruction) const;
  // Whether the array holds the instruction's stationary operand already; it does from now on.
  [[nodiscard]] bool reuses_loaded(std::uint32_t instruction);

  Spec spec_;
  State state_;
};

}  // namespace trainyard::engines
