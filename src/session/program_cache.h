// Programs that have been compiled, by what they were compiled from: ranks that run equal programs
// share one body.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "session/ordering.h"

namespace trainyard::session {

class ProgramCache {
 public:
  using Body = std::shared_ptr<const Ordered>;

  // The compiled kernel, which may have been compiled before. Equal kernels are equal in every
  // record, tensor and place in the source.
  [[nodiscard]] Body compile(isa::Program kernel, const machine::Machine& machine,
                             const compiler::Options& options);
  // Those of one grid.
  [[nodiscard]] std::vector<Body> compile_grid(std::vector<isa::Program> kernels,
                                               const machine::Machine& machine,
                                               const compiler::Options& options);

  [[nodiscard]] std::size_t size() const { return bodies_.size(); }

 private:
  std::map<std::uint64_t, Body> bodies_;
};

}  // namespace trainyard::session
