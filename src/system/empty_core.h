// A core that holds nothing, for a run without values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"
#include "state/core.h"

namespace trainyard::system {

struct EmptyCore {
  // `stack`: any; cores that compute nothing may share one.
  EmptyCore(const isa::Program& program, const machine::Machine& machine,
            std::shared_ptr<state::Hbm> stack);
  EmptyCore(const EmptyCore&) = delete;
  EmptyCore& operator=(const EmptyCore&) = delete;

  state::Core core;
  std::vector<std::int64_t> nowhere;  // by tensor
  isa::Execution execution;
};

}  // namespace trainyard::system
