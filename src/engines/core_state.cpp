#include "engines/core_state.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
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

std::vector<std::int64_t> place_tensors(const isa::Program& program, state::Hbm& hbm) {
  std::vector<std::int64_t> base(program.tensors.size(), -1);
  for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != isa::Space::hbm) continue;
    base[t] = tensor.address >= 0 ? tensor.address : hbm.allocate(tensor.bytes());
    if (tensor.role == isa::TensorRole::constant)
      write_tensor(program, t, base, hbm, tensor.constant);
  }
  return base;
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

void write_tensor(const isa::Program& program, isa::TensorId tensor,
                  std::span<const std::int64_t> hbm_base, state::Hbm& hbm,
                  std::span<const std::byte> content) {
  const isa::Tensor& what = program.tensors[tensor];
  base::check(static_cast<std::int64_t>(content.size()) == what.bytes(),
              "the content has as many bytes as the tensor");
  if (content.empty()) return;
  state::prefer_large_pages(hbm.at(hbm_base[tensor]), what.bytes());
  std::memcpy(hbm.at(hbm_base[tensor]), content.data(), content.size());
  hbm.written().mark(hbm_base[tensor], what.bytes());
}

std::span<const std::byte> tensor_content(const isa::Program& program, isa::TensorId tensor,
                                          std::span<const std::int64_t> hbm_base,
                                          const state::Hbm& hbm) {
  return {hbm.at(hbm_base[tensor]), static_cast<std::size_t>(program.tensors[tensor].bytes())};
}

}  // namespace trainyard::engines
