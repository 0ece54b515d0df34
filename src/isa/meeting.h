// Instructions that need the other cores of their grid: what they send, and whether those that meet
// fit together. Who waits for whom, and for how long, is the runners' affair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/execution.h"
#include "isa/program.h"

namespace trainyard::isa {

[[nodiscard]] Meeting meeting_of(const Program& program, std::uint32_t instruction);

// An instruction that stands at a meeting: one core's side of it.
struct Attendant {
  Execution* execution = nullptr;  // of its core, with its program
  std::uint32_t instruction = 0;
  const void* record = nullptr;  // with its run-time addresses resolved
};

// Throws Fault "meeting.match" unless the attendants, in the order of their cores, can meet: they
// are the same kind of instruction, barriers name the same shared data, and what each core sends
// is what another one receives.
void check_match(std::span<const Attendant> attendants);

// The bits that an exchange sends, partition by partition.
[[nodiscard]] std::vector<std::byte> outgoing(const Attendant& attendant);

// "core_barrier at kernel.py:12 in kernel", for messages.
[[nodiscard]] std::string describe(const Program& program, std::uint32_t instruction);

}  // namespace trainyard::isa
