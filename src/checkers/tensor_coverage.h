// A bit for each byte of every on-chip tensor: tensors that the compiler lays in the same memory,
// one after the other or bytes of one beside bytes of another that are still in use, have bits of
// their own. Tensors that the author placed share theirs, since laying them over one another has
// a purpose.
#pragma once

#include <memory>
#include <vector>

#include "checkers/coverage.h"
#include "isa/core/program.h"
#include "state/core.h"

namespace trainyard::checkers {

class TensorCoverage {
 public:
  TensorCoverage(const isa::Program& program, const state::Core& core);

  // The bits of a tensor in SBUF or PSUM.
  [[nodiscard]] Coverage& of(isa::TensorId tensor);
  [[nodiscard]] Coverage& of(const isa::Tile& tile) { return of(tile.tensor); }

 private:
  const isa::Program& program_;
  const state::Core& core_;
  std::vector<std::unique_ptr<Coverage>> by_tensor_;
  std::unique_ptr<Coverage> placed_in_sbuf_, placed_in_psum_;
};

}  // namespace trainyard::checkers
