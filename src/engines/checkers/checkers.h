// The checks of a run, together: reads of unwritten bytes, PSUM sums that were never begun,
// run-time addresses out of bounds, and races. They watch and report; they change neither values
// nor time.
#pragma once

#include <memory>
#include <span>

#include "engines/checkers/bounds.h"
#include "engines/checkers/psum_groups.h"
#include "engines/checkers/races.h"
#include "engines/checkers/unwritten.h"

namespace trainyard::engines {

class Checkers {
 public:
  // With keep = 0, the first finding is thrown as a Fault.
  Checkers(const isa::Program& program, isa::Execution& execution, std::size_t keep = 0)
      : program_(program),
        findings_(keep),
        unwritten_(program, execution, findings_),
        groups_(program, execution, findings_),
        races_(program, execution.machine, findings_) {}
  Checkers(const Checkers&) = delete;
  Checkers& operator=(const Checkers&) = delete;

  void waited(isa::Engine engine, std::span<const isa::Wait> waits) {
    races_.waited(engine, waits);
  }
  // A stream item is issued. `record` has its run-time addresses resolved.
  void issued(isa::Engine engine, const isa::StreamItem& item, const void* record,
              std::uint32_t iteration, base::Ticks time) {
    races_.issued(engine, item, record, iteration, time);
  }
  void signalled(isa::Engine engine, const isa::StreamItem& item) {
    races_.signalled(engine, item);
  }
  // A branch passes over the next `items` of an engine's stream.
  void skipped(isa::Engine engine, std::size_t items) { races_.skipped(engine, items); }
  // Just before an instruction is applied.
  void apply(std::uint32_t instruction, isa::Engine engine, const void* record) {
    const isa::InstructionInfo& info = program_.info_at(instruction);
    const void* original = program_.record(instruction);
    if (record != original) check_bounds(program_, instruction, info, original, record, findings_);
    unwritten_.apply(instruction, info, record);
    groups_.apply(instruction, engine, info, record);
  }

  [[nodiscard]] const Findings& findings() const { return findings_; }

 private:
  const isa::Program& program_;
  Findings findings_;
  UnwrittenCheck unwritten_;
  PsumGroupCheck groups_;
  RaceCheck races_;
};

}  // namespace trainyard::engines
