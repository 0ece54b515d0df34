// What a loop's turns compute, computed for all turns at once: each value of the body becomes one
// with a dimension more, the last, whose element t is the value of turn t. So rows of turns lie
// along partitions, as a recurrence needs them, and what is summed over other dimensions stays
// apart.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "graph/builder.h"
#include "graph/module.h"

namespace trainyard::compiler {

class TurnBatch {
 public:
  // Writes operations to `out`, which stand where the loop stands.
  TurnBatch(graph::Function& function, std::vector<graph::Op>& out, std::int64_t turns);

  struct Batched {
    graph::ValueId value = 0;
    bool varies = false;  // else it is the same in all turns, and has no dimension more
  };
  [[nodiscard]] std::int64_t turns() const { return turns_; }
  // None where the value is one of the body that is not computed yet.
  [[nodiscard]] std::optional<Batched> find(graph::ValueId value) const;
  // The body's values are those that are named here and in add(); others are of outside.
  void own(graph::ValueId value) { known_.emplace(value, std::nullopt); }
  void define(graph::ValueId value, Batched batched) { known_[value] = batched; }
  // A number that turns count: `first`, `first` + `step` ...
  void define_counter(graph::ValueId value, std::int64_t first, std::int64_t step);
  // Constants of outside, which say where slices lie.
  void note_constant(const graph::Op& op);

  // Whether all operands are known.
  [[nodiscard]] bool is_ready(const graph::Op& op) const;
  // Whether products of turns are among them, and slices that turns move along.
  [[nodiscard]] bool has_products() const { return has_products_; }
  [[nodiscard]] bool has_slices() const { return has_slices_; }
  // Computes an operation that is ready; false where nobody knows how.
  [[nodiscard]] bool add(const graph::Op& op);
  // Its places in turn order where they lie next to each other.
  struct Run {
    std::int64_t first = 0;  // of the lowest place
    bool is_backward = false;
  };
  // The one index of a slice that turns move, and where the others stay; of operands from `from`
  // on.
  struct Place {
    std::size_t dim = 0;
    Run run{};
  };
  [[nodiscard]] std::optional<Place> place_of(const graph::Op& op, std::size_t from,
                                              const std::vector<std::int64_t>& shape) const;
  // With the dimension of turns, whether it varies or not.
  [[nodiscard]] graph::ValueId in_all_turns(graph::ValueId value);
  // The value before each turn of a state that is `after` behind it.
  [[nodiscard]] graph::ValueId before_turns(graph::ValueId initial, graph::ValueId after);
  [[nodiscard]] graph::ValueId last_of(graph::ValueId all);
  [[nodiscard]] graph::Builder& write() { return write_; }
  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_.type(value);
  }
  // Elements [place.first, ... + turns) along a dimension as they come by turn.
  [[nodiscard]] graph::ValueId by_place(graph::ValueId stacked, const Place& place);

 private:
  [[nodiscard]] const graph::Literal* numbers_of(graph::ValueId value) const;
  void note_numbers(const graph::Op& op);
  bool add_invariant(const graph::Op& op);
  bool add_elementwise(const graph::Op& op);
  bool add_moved(const graph::Op& op);
  bool add_slice_of_turn(const graph::Op& op);
  bool add_sum(const graph::Op& op);
  bool add_product(const graph::Op& op);
  bool finish(const graph::Op& op, std::vector<graph::ValueId> operands,
              graph::Dictionary attributes);

  graph::Function& function_;
  graph::Builder write_;
  std::int64_t turns_;
  bool has_products_ = false, has_slices_ = false;
  std::map<graph::ValueId, std::optional<Batched>> known_;
  std::map<graph::ValueId, graph::Literal> numbers_;  // of scalars: one, or one a turn
};

}  // namespace trainyard::compiler
