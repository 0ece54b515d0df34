#include "system/memory_faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace trainyard::system {

MemoryFaults::MemoryFaults(std::span<const MemoryFault> faults, std::span<const CoreJob> jobs,
                           LinkRecord* record, events::Queue& queue)
    : faults_(faults), jobs_(jobs), record_(record), queue_(queue) {
  for (std::uint32_t f = 0; f < faults.size(); ++f)
    queue.at(faults[f].time, *this, {0, f}, events::Priority::early);
}

void MemoryFaults::handle(events::Message message) {
  const MemoryFault& fault = faults_[message.index];
  const auto job = std::ranges::find(jobs_, fault.rank, &CoreJob::rank);
  if (job == jobs_.end()) return;
  if (!fault.tensor.empty()) return flip(fault, *job);
  if (fault.corrected) return tell(fault, "corrected, nothing changes");
  throw base::Fault(
      base::FaultCategory::undefined_behavior,
      {"fault.ecc", "memory returns what was written to it", job->program.name,
       fmt::format("after {:.1f} ns: an uncorrectable error in the HBM of rank {} ({})",
                   base::to_nanoseconds(queue_.now()), fault.rank, fault.text),
       "restart from a checkpoint on another device: the runtime marks this one as failed"});
}

void MemoryFaults::flip(const MemoryFault& fault, const CoreJob& job) const {
  const auto& tensors = job.program.tensors;
  const auto found = std::ranges::find(tensors, fault.tensor, &isa::Tensor::name);
  const bool fits =
      found != tensors.end() && found->space == isa::Space::hbm && fault.bit < found->bytes() * 8;
  if (!fits) {
    throw base::InputError({"fabric.fault", "a flipped bit is one of an HBM tensor",
                            job.program.name, fault.text,
                            "name a tensor of the kernel that is in HBM, and one of its bits"});
  }
  const auto tensor = static_cast<std::size_t>(found - tensors.begin());
  std::byte& byte = *job.execution.core.hbm->at(job.execution.hbm_base[tensor] + fault.bit / 8);
  byte ^= static_cast<std::byte>(1u << static_cast<unsigned>(fault.bit % 8));
  tell(fault, "not noticed");
}

void MemoryFaults::tell(const MemoryFault& fault, const char* what) const {
  if (record_ != nullptr) record_->faults.push_back(fmt::format("{}: {}", fault.text, what));
}

}  // namespace trainyard::system
