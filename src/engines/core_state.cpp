#include "engines/core_state.h"

#include <algorithm>

#include "engines/float32_shadow.h"
#include "state/large_pages.h"

namespace trainyard::engines {

state::CoreSizes sizes_of(const machine::Core& core) {
  const std::int64_t room = has_shadow(core) ? Float32Shadow::room : 0;
  return {.partitions = static_cast<int>(core.sbuf.partitions),
          .sbuf_bytes_per_partition = core.sbuf.partition_size.value + room,
          .psum_bytes_per_partition = core.psum.partition_size().value + room,
          .registers_per_engine = static_cast<int>(core.registers)};
}

std::shared_ptr<state::Hbm> make_stack(const machine::Machine& machine) {
  return std::make_shared<state::Hbm>(machine.chip.hbm.stack_size.value);
}

void expect(const isa::Program& program, state::Core& core) {
  std::int64_t sbuf = 0, psum = 0;
  for (const isa::Tensor& tensor : program.tensors) {
    if (tensor.space == isa::Space::hbm || tensor.partitions() == 0) continue;
    std::int64_t& reach = tensor.space == isa::Space::psum ? psum : sbuf;
    reach = std::max(reach, tensor.address + tensor.bytes_per_partition());
  }
  state::prefer_large_pages(core.sbuf, sbuf);
  state::prefer_large_pages(core.psum, psum);
}

}  // namespace trainyard::engines
