// Where the tensors of a step's programs lie while they run with values: arguments and results
// where the caller says, constants in memory of their own, and the rest in the device's scratch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "compiler/lowering/emit/lowered.h"
#include "runtime/device.h"
#include "session/session.h"

namespace trainyard::session {

using GridInstances = std::vector<std::shared_ptr<Instance>>;

// Tensors of a step's programs that are arguments or results.
[[nodiscard]] std::set<isa::TensorId> outside_of(const compiler::ProgramStep& step);

class Placing {
 public:
  // `instances`: of the cores of a grid, whose programs have equal tensors, in no memory.
  Placing(GridInstances instances, const compiler::ProgramStep& step);

  using Bindings = std::vector<runtime::Binding>;
  using Inside = std::vector<Bindings>;  // by core

  // Where constants and the rest lie on a device. `unwritten`: nobody knows what lay there before.
  // Throws NoRoom "hbm.capacity".
  [[nodiscard]] Inside inside(const runtime::Device& device, bool unwritten);
  // The instances in its memory. `outside`: arguments and results, the same for all cores, each of
  // which has its half of some.
  [[nodiscard]] GridInstances on(const runtime::DeviceRef& device, const Inside& inside,
                                 std::span<const runtime::Binding> outside) const;

 private:
  [[nodiscard]] const Inside& constants(const runtime::Device& device);

  GridInstances instances_;
  std::vector<Bindings> scratch_;  // by core; offsets
  std::int64_t scratch_bytes_ = 0;
  std::set<isa::TensorId> halved_;
  std::vector<std::vector<isa::TensorId>> constants_;             // by core
  std::map<std::shared_ptr<runtime::Memory>, Inside> written_{};  // by core
};

}  // namespace trainyard::session
