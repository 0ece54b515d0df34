// What every runner of a core does with an instruction, from its issue until it has been applied:
// run-time addresses are resolved, what other cores send is at hand, whoever watches is told. Which
// instruction comes next, and when, is the runner's policy: the author's order (Interpreter), each
// engine as far as it can or by a seed (StreamWalker), events (TimedCore).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/state_visitor.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/meeting.h"
#include "isa/semantics/observer.h"

namespace trainyard::engines {

// An instruction that has been issued and not yet applied.
struct Issued {
  static constexpr std::uint32_t in_program = 0xFFFFFFFFu;

  std::uint32_t instruction = 0;
  std::uint32_t slot = in_program;  // of its record, when its run-time addresses are resolved
  isa::Engine engine = isa::Engine::any;
};

class Steps {
 public:
  // Everything referred to must outlive this; `observer`, which may be null, is told.
  Steps(const isa::Program& program, isa::Execution& execution, isa::Observer* observer)
      : program_(program), execution_(execution), observer_(observer) {}

  [[nodiscard]] const isa::Program& program() const { return program_; }
  [[nodiscard]] isa::Execution& execution() const { return execution_; }
  [[nodiscard]] isa::Observer* observer() const { return observer_; }

  // With the registers of now, which count where the instruction is `dynamic`: an address of it is
  // computed at run time. On any engine, in the author's order, every engine's hold the same.
  [[nodiscard]] Issued issue(std::uint32_t instruction, isa::Engine engine, bool dynamic) {
    return {.instruction = instruction,
            .slot = dynamic ? resolve(instruction, engine) : Issued::in_program,
            .engine = engine};
  }
  // The same of a stream's item, of which the observer is told.
  [[nodiscard]] Issued issue(const isa::StreamItem& item, isa::Engine engine, bool dynamic,
                             std::uint32_t iteration, base::Ticks now) {
    const Issued one = issue(item.instruction, engine, dynamic);
    if (observer_ != nullptr) observer_->issued(engine, item, record(one), iteration, now);
    return one;
  }
  // Its record, with run-time addresses resolved, until it is applied or dropped.
  [[nodiscard]] const void* record(const Issued& one) const {
    return one.slot == Issued::in_program ? program_.record(one.instruction)
                                          : slots_[one.slot]->bytes;
  }
  // Runs it. Throws Fault that names the instruction's place.
  void apply(const Issued& one, base::Ticks now = {});
  // It will not be applied.
  void drop(const Issued& one) {
    if (one.slot != Issued::in_program) free_.push_back(one.slot);
  }

  // An instruction that meets other cores: its side of the meeting, and what it sends there.
  [[nodiscard]] isa::Attendant attendant(const Issued& one) const {
    return {.execution = &execution_, .instruction = one.instruction, .record = record(one)};
  }
  [[nodiscard]] isa::Message sends(const isa::Attendant& mine) const;

  // How many have been applied.
  [[nodiscard]] std::uint64_t applied() const { return applied_; }
  void show(base::StateVisitor& visitor) { visitor.counter(applied_); }

 private:
  struct Room {
    alignas(std::max_align_t) std::byte bytes[isa::record_bytes_max];
  };

  // The slot with the record as it is now.
  [[nodiscard]] std::uint32_t resolve(std::uint32_t instruction, isa::Engine engine);

  const isa::Program& program_;
  isa::Execution& execution_;
  isa::Observer* observer_;
  std::vector<std::unique_ptr<Room>> slots_;
  std::vector<std::uint32_t> free_;
  std::uint64_t applied_ = 0;
};

// What all cores of a meeting have sent is at hand while this lives.
class Reception {
 public:
  Reception(isa::Execution& execution, std::span<const isa::Message> received, isa::SharedSum* sum)
      : execution_(execution) {
    execution_.received = received;
    execution_.shared_sum = sum;
  }
  Reception(const Reception&) = delete;
  Reception& operator=(const Reception&) = delete;
  ~Reception() {
    execution_.received = {};
    execution_.shared_sum = nullptr;
  }

 private:
  isa::Execution& execution_;
};

// By instruction: whether an address of it is computed at run time.
[[nodiscard]] std::vector<bool> dynamic_instructions(const isa::Program& program);

}  // namespace trainyard::engines
