#include "isa/builder/tensor_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace trainyard::isa {

namespace {

[[noreturn]] void refuse(const char* label, std::string rule, std::string found, std::string fix) {
  throw base::InputError({label, std::move(rule), {}, std::move(found), std::move(fix)});
}

void check_shape(Space space, const std::vector<std::int64_t>& shape, std::int64_t partitions) {
  if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 1; })) {
    refuse("tensor.shape", "every size of a tensor is positive",
           fmt::format("({})", fmt::join(shape, ", ")), {});
  }
  const bool on_chip = space != Space::hbm;
  if (shape.empty() || (on_chip && shape[0] > partitions)) {
    refuse("tensor.partitions",
           fmt::format("an on-chip tensor has a partition dimension of at most {}", partitions),
           fmt::format("shape ({})", fmt::join(shape, ", ")),
           "split the tensor along its first dimension");
  }
}

void check_address(const TensorSpec& spec, std::int64_t partitions) {
  const ManualAddress& address = *spec.address;
  if (spec.space == Space::hbm) {
    refuse("memory.address", "an address is given to on-chip tensors",
           fmt::format("address ({}, {}) in HBM", address.partition, address.byte),
           "leave the address out; HBM is placed by the runtime");
  }
  if (address.partition < 0 || address.partition > partitions - spec.shape[0]) {
    refuse("memory.address", fmt::format("a tensor lies inside the {} partitions", partitions),
           fmt::format("{} partitions from {} on", spec.shape[0], address.partition), {});
  }
}

}  // namespace

void check(const TensorSpec& spec, const machine::Core& core) {
  check_shape(spec.space, spec.shape, core.sbuf.partitions);
  if (spec.address) check_address(spec, core.sbuf.partitions);
  if (spec.role != TensorRole::constant) return;
  Tensor tensor;
  tensor.shape = spec.shape;
  tensor.dtype = spec.dtype;
  const std::int64_t bytes = tensor.bytes();
  if (static_cast<std::int64_t>(spec.constant.size()) != bytes) {
    refuse("tensor.constant", "a constant's content fills its tensor",
           fmt::format("{} bytes for {}", spec.constant.size(), bytes), {});
  }
}

Tensor made_from(TensorSpec spec) {
  Tensor tensor{.name = std::move(spec.name),
                .shape = std::move(spec.shape),
                .dtype = spec.dtype,
                .space = spec.space,
                .role = spec.role,
                .shared = spec.shared,
                .constant = std::move(spec.constant)};
  if (tensor.space != Space::hbm && tensor.shape.size() == 1) tensor.shape.push_back(1);
  if (spec.address) {
    tensor.manual_address = true;
    tensor.partition_start = static_cast<std::uint16_t>(spec.address->partition);
    tensor.address = spec.address->byte;
  }
  return tensor;
}

}  // namespace trainyard::isa
