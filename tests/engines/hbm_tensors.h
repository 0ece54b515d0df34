// The HBM tensors of a program that no device holds: where a stack has them, and what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/error.h"
#include "isa/core/program.h"
#include "state/core.h"

namespace trainyard::engines {

// Copies row-major content into a placed tensor and marks it as written.
inline void write_tensor(const isa::Program& program, isa::TensorId tensor,
                         std::span<const std::int64_t> hbm_base, state::Hbm& hbm,
                         std::span<const std::byte> content) {
  const isa::Tensor& what = program.tensors[tensor];
  base::check(static_cast<std::int64_t>(content.size()) == what.bytes(),
              "the content has as many bytes as the tensor");
  if (content.empty()) return;
  std::memcpy(hbm.at(hbm_base[tensor]), content.data(), content.size());
  hbm.written().mark(hbm_base[tensor], what.bytes());
}

// The row-major content of a placed tensor.
[[nodiscard]] inline std::span<const std::byte> tensor_content(
    const isa::Program& program, isa::TensorId tensor, std::span<const std::int64_t> hbm_base,
    const state::Hbm& hbm) {
  return {hbm.at(hbm_base[tensor]), static_cast<std::size_t>(program.tensors[tensor].bytes())};
}

// Where the stack holds each tensor, by tensor id; -1 for those on chip. Tensors without an address
// get fresh memory; constants are filled in.
[[nodiscard]] inline std::vector<std::int64_t> place_tensors(const isa::Program& program,
                                                             state::Hbm& hbm) {
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

}  // namespace trainyard::engines
