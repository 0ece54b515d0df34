#include "system/memory_faults.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::system {

MemoryFaults::MemoryFaults(std::span<const MemoryFault> faults, std::span<const CoreJob> jobs,
                           std::span<events::Queue* const> queues)
    : faults_(faults), jobs_(faults.size()), what_became_(faults.size()) {
  for (std::uint32_t f = 0; f < faults.size(); ++f) {
    const auto job = std::ranges::find(jobs, faults[f].rank, &CoreJob::rank);
    if (job == jobs.end()) continue;
    jobs_[f] = &*job;
    queues[static_cast<std::size_t>(job - jobs.begin())]->at(faults[f].time, *this, {0, f},
                                                             events::Priority::early);
  }
}

void MemoryFaults::handle(events::Message message) {
  what_became_[message.index] = strike(faults_[message.index], *jobs_[message.index]);
}

const char* MemoryFaults::strike(const MemoryFault& fault, const CoreJob& job) {
  if (!fault.tensor.empty()) {
    flip(fault, job);
    return "not noticed";
  }
  if (fault.corrected) return "corrected, nothing changes";
  throw base::Fault(
      base::FaultCategory::undefined_behavior,
      {"fault.ecc", "memory returns what was written to it", job.program.name,
       fmt::format("after {:.1f} ns: an uncorrectable error in the HBM of rank {} ({})",
                   base::to_nanoseconds(fault.time), fault.rank, fault.text),
       "restart from a checkpoint on another device: the runtime marks this one as failed"});
}

void MemoryFaults::record(LinkRecord& record) const {
  std::vector<std::size_t> order;
  for (std::size_t f = 0; f < faults_.size(); ++f) {
    if (what_became_[f] != nullptr) order.push_back(f);
  }
  base::stable_sort(order, {}, [&](std::size_t f) { return faults_[f].time; });
  for (const std::size_t f : order)
    record.faults.push_back(fmt::format("{}: {}", faults_[f].text, what_became_[f]));
}

void MemoryFaults::flip(const MemoryFault& fault, const CoreJob& job) {
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
}

}  // namespace trainyard::system
