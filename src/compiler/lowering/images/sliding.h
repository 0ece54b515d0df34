// Windows that slide over a value: the views and copies that convolutions and windowed reductions
// are made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// Along one dimension of the value.
struct Sliding {
  std::int64_t size = 1;           // elements of a window
  std::int64_t stride = 1;         // between windows
  std::int64_t low = 0, high = 0;  // padding; negative removes elements
  std::int64_t apart = 1;          // elements of the value lie that far apart (base dilation)
  std::int64_t dilation = 1;       // elements of a window do
};

// Of an operation with windows (reduce_window, select_and_scatter), along each dimension.
[[nodiscard]] std::vector<Sliding> sliding_of(const graph::Op& op);

// Elements set apart and surrounded: low[i] before, inner[i] between, and as many behind as `type`
// has room for. Negative padding removes.
[[nodiscard]] Strided padded(Lowerer& lowerer, NodeId value, NodeId filler, const graph::Type& type,
                             std::span<const std::int64_t> low,
                             std::span<const std::int64_t> inner);

// The value as the windows see it, and how many windows there are along each dimension.
class Windowed {
 public:
  // `filler`: what stands where the value has nothing.
  Windowed(Lowerer& lowerer, NodeId value, NodeId filler, std::vector<Sliding> sliding);

  [[nodiscard]] std::int64_t windows(std::size_t dim) const { return counts_.at(dim); }
  // Element `at` of every window: one element a window.
  [[nodiscard]] Strided tap(std::span<const std::int64_t> at) const;
  // Calls f(at) for each element of a window, in row-major order.
  template <typename F>
  void for_each_tap(const F& f) const {
    std::vector<std::int64_t> at(sliding_.size(), 0);
    for (;;) {
      f(std::span<const std::int64_t>(at));
      std::size_t dim = at.size();
      while (dim > 0 && ++at[dim - 1] == sliding_[dim - 1].size) at[--dim] = 0;
      if (dim == 0) return;
    }
  }
  // Along one dimension: from window to window, and within one.
  [[nodiscard]] Extent across(std::size_t dim) const;
  [[nodiscard]] Extent within(std::size_t dim) const;
  [[nodiscard]] const Strided& value() const { return value_; }

 private:
  std::vector<Sliding> sliding_;
  Strided value_;
  std::vector<std::int64_t> counts_;
};

}  // namespace trainyard::compiler
