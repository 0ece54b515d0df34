// Which tensors were declared inside the body of a hardware loop that has ended.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "isa/program.h"

namespace trainyard::binding {

class LoopScopes {
 public:
  void enter(const isa::Program& program) { first_inside_.push_back(program.tensors.size()); }
  // `closes`: what the loop's body declared is unknown from now on.
  void leave(const isa::Program& program, bool closes) {
    const std::size_t first = first_inside_.back();
    first_inside_.pop_back();
    if (!closes) return;
    closed_.resize(program.tensors.size());
    std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(first), closed_.end(), true);
  }
  [[nodiscard]] bool closed(isa::TensorId tensor) const {
    return tensor < closed_.size() && closed_[tensor];
  }

 private:
  std::vector<std::size_t> first_inside_{};  // of each open loop
  std::vector<bool> closed_{};               // by tensor
};

}  // namespace trainyard::binding
