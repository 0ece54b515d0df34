// Bits of HBM that flip while a run goes on: corrected, noticed, or not noticed.
#pragma once

#include <span>

#include "events/queue.h"
#include "system/faults.h"
#include "system/run.h"

namespace trainyard::system {

class MemoryFaults final : private events::Handler {
 public:
  // Everything referred to must outlive this; `record` may be null. Throws Fault "fault.ecc" and
  // InputError "fabric.fault" while the queue runs.
  MemoryFaults(std::span<const MemoryFault> faults, std::span<const CoreJob> jobs,
               LinkRecord* record, events::Queue& queue);

 private:
  void handle(events::Message message) override;
  void flip(const MemoryFault& fault, const CoreJob& job) const;
  void tell(const MemoryFault& fault, const char* what) const;

  std::span<const MemoryFault> faults_;
  std::span<const CoreJob> jobs_;
  LinkRecord* record_;
  events::Queue& queue_;
};

}  // namespace trainyard::system
