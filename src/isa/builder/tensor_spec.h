// A tensor that a front end declares, before it is storage of a program, and the rules that hold
// for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::isa {

// A place on chip that the author chose.
struct ManualAddress {
  std::int64_t partition = 0;
  std::int64_t byte = 0;  // within the partition
};

struct TensorSpec {
  std::string name{};                 // empty: "t" and its number
  std::vector<std::int64_t> shape{};  // on chip the first is the partition dimension
  DType dtype = DType::float32;
  Space space = Space::sbuf;
  TensorRole role = TensorRole::internal;
  bool shared = false;                     // in HBM: seen by every core of the grid
  std::optional<ManualAddress> address{};  // on chip only; absent: the compiler chooses it
  std::vector<std::byte> constant{};       // all bytes of a constant, row-major
};

// Throws InputError "tensor.shape", "tensor.partitions", "tensor.constant" or "memory.address".
void check(const TensorSpec& spec, const machine::Core& core);
// The tensor of a spec that holds to the rules.
[[nodiscard]] Tensor made_from(TensorSpec spec);

}  // namespace trainyard::isa
