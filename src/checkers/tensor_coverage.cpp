#include "checkers/tensor_coverage.h"

namespace trainyard::checkers {

TensorCoverage::TensorCoverage(const isa::Program& program, const state::Core& core)
    : program_(program), core_(core), by_tensor_(program.tensors.size()) {}

Coverage& TensorCoverage::of(isa::TensorId id) {
  const isa::Tensor& tensor = program_.tensors[id];
  const bool in_sbuf = tensor.space == isa::Space::sbuf;
  const bool shared = tensor.manual_address || tensor.address < 0;
  std::unique_ptr<Coverage>& made =
      !shared ? by_tensor_[id] : (in_sbuf ? placed_in_sbuf_ : placed_in_psum_);
  if (made) return *made;
  Coverage::Extent extent;
  if (shared) {
    const state::Scratchpad& memory = in_sbuf ? core_.sbuf : core_.psum;
    extent = {.partitions = memory.partitions(), .bytes = memory.bytes_per_partition()};
  } else {
    extent = {tensor.partition_start, static_cast<int>(tensor.partitions()), tensor.address,
              tensor.bytes_per_partition()};
  }
  made = std::make_unique<Coverage>(extent);
  return *made;
}

}  // namespace trainyard::checkers
