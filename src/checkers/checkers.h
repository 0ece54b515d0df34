// The checks of a run, together: reads of unwritten bytes, misused sums in PSUM, run-time addresses
// out of bounds, races, what cores do to memory they share, and values that are no longer what the
// author expects. They watch and report; they change neither values nor time.
#pragma once

#include <span>
#include <utility>

#include "checkers/history.h"
#include "checkers/psum_groups.h"
#include "checkers/races.h"
#include "checkers/scatter.h"
#include "checkers/sharing.h"
#include "checkers/unwritten.h"
#include "checkers/values.h"
#include "isa/semantics/observer.h"

namespace trainyard::checkers {

class Checkers final : public isa::Observer {
 public:
  Checkers(const isa::Program& program, isa::Execution& execution, FindingPolicy policy = {},
           SharingCheck::Seat sharing = {})
      : program_(program),
        execution_(execution),
        counts_overflows_(policy.overflows),
        findings_(program, std::move(policy)),
        history_(program),
        unwritten_(program, execution, history_, findings_),
        groups_(program, execution, history_, findings_),
        values_(program, execution, history_, findings_),
        scatter_(program, execution, history_, findings_),
        races_(program, execution.machine, findings_),
        sharing_(sharing) {}

  void waited(isa::Engine engine, std::span<const isa::Wait> waits) override {
    races_.waited(engine, waits);
  }
  void issued(isa::Engine engine, const isa::StreamItem& item, const void* record,
              std::uint32_t iteration, base::Ticks time) override {
    races_.issued(engine, item, record, iteration, time);
  }
  void signalled(isa::Engine engine, const isa::StreamItem& item) override {
    races_.signalled(engine, item);
  }
  void skipped(isa::Engine engine, std::size_t items) override { races_.skipped(engine, items); }
  void apply(std::uint32_t instruction, isa::Engine engine, const void* record,
             base::Ticks time) override {
    const isa::InstructionInfo& info = program_.info_at(instruction);
    history_.apply(instruction, time);
    determined_ = unwritten_.apply(instruction, engine, info, record);
    groups_.apply(instruction, engine, info, record);
    // Nothing is said about values that are arbitrary.
    if (determined_) {
      values_.before(instruction, engine, info, record);
      scatter_.apply(instruction, info, record);
    }
    if (sharing_.check != nullptr) sharing_.check->apply(sharing_.core, info, record, execution_);
    if (counts_overflows_ && determined_) {
      overflows_ = {};
      execution_.overflows = &overflows_;
    }
  }
  void applied(std::uint32_t instruction, const void* record) override {
    const isa::InstructionInfo& info = program_.info_at(instruction);
    execution_.overflows = nullptr;
    if (overflows_.count > 0)
      values_.report_overflows(instruction, info, record, std::exchange(overflows_, {}));
    values_.after(instruction, info, record, determined_);
    if (sharing_.check == nullptr) return;
    sharing_.check->applied({sharing_.core, instruction, history_.latest(instruction), execution_},
                            info, record, findings_);
  }
  void sends(std::uint32_t instruction, const void* record, isa::Message& message) override {
    unwritten_.sends(instruction, program_.info_at(instruction), record, message);
  }
  void finish() override { races_.finish(); }

  [[nodiscard]] const Findings& findings() const { return findings_; }

 private:
  const isa::Program& program_;
  isa::Execution& execution_;
  bool counts_overflows_;
  isa::Overflows overflows_{};  // of the instruction being applied
  Findings findings_;
  History history_;
  UnwrittenCheck unwritten_;
  PsumGroupCheck groups_;
  ValueCheck values_;
  ScatterCheck scatter_;
  RaceCheck races_;
  SharingCheck::Seat sharing_;
  bool determined_ = true;  // all that the instruction being applied reads
};

}  // namespace trainyard::checkers
