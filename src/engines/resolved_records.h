// Records whose run-time addresses are resolved, from an instruction's issue until it is applied.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engines/decoded.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"

namespace trainyard::engines {

class ResolvedRecords {
 public:
  // In the place of a slot: the record as it stands in the program, without run-time addresses.
  static constexpr std::uint32_t in_program = 0xFFFFFFFFu;

  ResolvedRecords(const isa::Program& program, isa::Execution& execution)
      : program_(program), execution_(execution) {}

  // A slot with the record as it is now, until it is released.
  [[nodiscard]] std::uint32_t resolve(std::uint32_t instruction, isa::Engine engine) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.push_back(std::make_unique<RecordBuffer>());
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    resolve_at(program_, instruction, engine, execution_, slots_[slot]->bytes);
    return slot;
  }
  [[nodiscard]] const void* at(std::uint32_t slot, std::uint32_t instruction) const {
    return slot == in_program ? program_.record(instruction) : slots_[slot]->bytes;
  }
  void release(std::uint32_t slot) {
    if (slot != in_program) free_.push_back(slot);
  }

 private:
  const isa::Program& program_;
  isa::Execution& execution_;
  std::vector<std::unique_ptr<RecordBuffer>> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace trainyard::engines
