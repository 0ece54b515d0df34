// Bits of HBM that flip while a run goes on: corrected, noticed, or not noticed.
#pragma once

#include <span>
#include <vector>

#include "events/queue.h"
#include "system/faults.h"
#include "system/run.h"

namespace trainyard::system {

class MemoryFaults final : private events::Handler {
 public:
  // Everything referred to must outlive this. `queues`: of the jobs. Throws Fault "fault.ecc" and
  // InputError "fabric.fault" while they run.
  MemoryFaults(std::span<const MemoryFault> faults, std::span<const CoreJob> jobs,
               std::span<events::Queue* const> queues);

  // Those that were survived, by time.
  void record(LinkRecord& record) const;

 private:
  void handle(events::Message message) override;
  // What becomes of it.
  [[nodiscard]] static const char* strike(const MemoryFault& fault, const CoreJob& job);
  static void flip(const MemoryFault& fault, const CoreJob& job);

  std::span<const MemoryFault> faults_;
  std::vector<const CoreJob*> jobs_;      // by fault; null: none of the run
  std::vector<const char*> what_became_;  // by fault
};

}  // namespace trainyard::system
