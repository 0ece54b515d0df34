// Where the tensors of a step's programs lie while they run with values: arguments and results
// where the caller says, constants in memory of their own, and the rest in the device's scratch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "compiler/lowering/lowered.h"
#include "runtime/device.h"
#include "session/session.h"

namespace trainyard::session {

using GridInstances = std::vector<std::shared_ptr<Instance>>;

class Placing {
 public:
  // `instances`: of the cores of a grid, whose programs have equal tensors, in no memory.
  Placing(GridInstances instances, const compiler::ProgramStep& step);

  // The instances in the memory of a device. `outside`: arguments and results, the same for all
  // cores. `unwritten`: nobody knows what lay in the scratch before. Throws NoRoom "hbm.capacity".
  [[nodiscard]] GridInstances on(const runtime::DeviceRef& device,
                                 std::span<const runtime::Binding> outside, bool unwritten);

 private:
  using Bindings = std::vector<runtime::Binding>;

  [[nodiscard]] const std::vector<Bindings>& constants(const runtime::Device& device);

  GridInstances instances_;
  std::vector<Bindings> scratch_;  // by core; offsets
  std::int64_t scratch_bytes_ = 0;
  std::vector<std::vector<isa::TensorId>> constants_;                            // by core
  std::map<std::shared_ptr<runtime::Memory>, std::vector<Bindings>> written_{};  // by core
};

}  // namespace trainyard::session
