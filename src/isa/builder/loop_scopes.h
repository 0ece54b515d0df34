// The hardware loops that are open while a program is built, and which tensors were declared in the
// body of one that has ended and are unknown since.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "isa/core/tile.h"

namespace trainyard::isa {

class LoopScopes {
 public:
  // `tensors`: how many are declared so far.
  void enter(std::uint32_t loop_begin, std::size_t tensors) {
    open_.push_back({loop_begin, tensors});
  }
  void leave() {
    left_ = open_.back().first_tensor;
    open_.pop_back();
  }
  // What the body of the loop that was left last declared is unknown from now on. `tensors` are
  // declared so far.
  void close(std::size_t tensors) {
    closed_.resize(tensors);
    std::fill(closed_.begin() + static_cast<std::ptrdiff_t>(left_), closed_.end(), true);
  }
  [[nodiscard]] bool is_open() const { return !open_.empty(); }
  // The loop_begin of the innermost open loop.
  [[nodiscard]] std::uint32_t innermost() const { return open_.back().loop_begin; }
  [[nodiscard]] bool any_closed() const { return !closed_.empty(); }
  [[nodiscard]] bool is_closed(TensorId tensor) const {
    return tensor < closed_.size() && closed_[tensor];
  }

 private:
  struct Open {
    std::uint32_t loop_begin;
    std::size_t first_tensor;
  };
  std::vector<Open> open_{};
  std::size_t left_ = 0;        // first tensor of the body that was left last
  std::vector<bool> closed_{};  // by tensor
};

}  // namespace trainyard::isa
