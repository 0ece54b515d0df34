// What the values of a program are to the model that it computes, told by where they come from.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "graph/class_formats.h"
#include "graph/module.h"

namespace trainyard::graph {

// Whether a backward pass computes it, as JAX's name stack says: in transpose(...), but not again
// for a checkpoint. And whether it is differentiated or belongs to a backward pass.
[[nodiscard]] bool is_backward(const Module& module, const Op& op);
[[nodiscard]] bool is_differentiated(const Module& module, const Op& op);

// weights: arguments of main and constants, moved or converted, also in loops and called functions.
//   Where a product multiplies two arguments, the right one; of batches of matrices neither.
// kv_cache: arguments that the program updates in parts, and what is read from them.
// gradients: what operations of a backward pass compute.
// activations: the rest.
// No operand of a product is optimizer_state: see optimizer_state.h.
class TensorClasses {
 public:
  explicit TensorClasses(const Module& module);

  // Whether main calls it, by others maybe; those that are not have no classes.
  [[nodiscard]] bool is_called(const Function& function) const {
    return values_.contains(&function);
  }
  [[nodiscard]] TensorClass of(const Function& function, ValueId value) const;
  // Whether products and lookups alone read what a value comes from: no step of an optimiser does.
  [[nodiscard]] bool is_only_multiplied(const Function& function, ValueId value) const;

 private:
  enum class Kind : std::uint8_t { unknown, argument, cache, gradient, computed };
  struct Origin {
    Kind kind = Kind::unknown;
    int root = shared;  // the argument of main
    friend bool operator==(const Origin&, const Origin&) = default;
  };
  static constexpr int shared = -1, constant = -2;  // several, and what is no argument
  using Origins = std::vector<Origin>;

  void settle();  // the origins that follow from what is known of the roots
  [[nodiscard]] static Origin join(const Origin& a, const Origin& b);
  [[nodiscard]] Origin now(const Origin& origin) const;  // by what is known of its root
  void put(Origins& values, ValueId value, const Origin& origin);
  void visit(const Function& function, const Region& region);
  void visit(const Function& function, const Op& op);
  void visit_loop(const Function& function, const Op& op);
  void visit_branches(const Function& function, const Op& op);
  void visit_call(const Function& function, const Op& op);
  void visit_product(const Function& function, const Op& op);
  void mark(int root, Kind kind);

  const Module& module_;
  std::map<const Function*, Origins> values_;
  std::vector<Kind> roots_;             // of main's arguments, what became known of them
  std::vector<bool> is_computed_with_;  // likewise: by more than products and lookups
  bool changed_ = false, learns_ = false;
};

}  // namespace trainyard::graph
