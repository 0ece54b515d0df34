// Between which numbers the elements of a value lie, by what it is computed from.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "compiler/lowering/canonical/definitions.h"

namespace trainyard::compiler {

struct Bounds {
  double low = 0, high = 0;
  [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

// Of a reduction or one under windows, how many elements each result is folded from at most.
[[nodiscard]] double folded_elements(const graph::Function& function, const graph::Op& op);

class ValueBounds {
 public:
  explicit ValueBounds(const graph::Function& function)
      : function_(function), definitions_(function) {}
  // Of the elements that are numbers; infinite where nothing is known.
  [[nodiscard]] Bounds of(graph::ValueId value);
  // From here on: what is known of a value apart from what it is computed from.
  void assume(graph::ValueId value, const Bounds& bounds) { known_[value] = bounds; }
  // What a comparison of numbers says, where bounds tell.
  [[nodiscard]] std::optional<bool> decided(graph::ValueId comparison);

 private:
  [[nodiscard]] Bounds computed(const graph::Op& op, int depth);
  [[nodiscard]] Bounds of(graph::ValueId value, int depth);
  [[nodiscard]] Bounds folded(const graph::Op& op, int depth);
  [[nodiscard]] std::optional<bool> decided(graph::ValueId comparison, int depth);

  const graph::Function& function_;
  Definitions definitions_;
  std::map<graph::ValueId, Bounds> known_;
};

}  // namespace trainyard::compiler
