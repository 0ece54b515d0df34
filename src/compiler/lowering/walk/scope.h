// What is known of the values of a function while it is lowered: where each lies, how many
// operations still read it, and how far ahead the next one is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/lowering/emit/counted.h"
#include "compiler/lowering/emit/lowered.h"
#include "compiler/lowering/values/segment.h"
#include "graph/module.h"

namespace trainyard::compiler {

struct Place {
  std::optional<NodeId> node{};    // in the program under construction
  std::optional<SlotId> slot{};    // in a buffer that outlives it
  std::optional<double> number{};  // nowhere: every element is this
  // Nowhere: the counters of the loops around it give it.
  std::optional<Counted> counted{};
};

// One function or region that is being lowered.
class Scope {
 public:
  Scope(const graph::Function& function, const graph::Region& region);

  [[nodiscard]] const graph::Function& function() const { return *function_; }
  [[nodiscard]] const graph::Region& region() const { return *region_; }
  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_->type(value);
  }
  [[nodiscard]] Place& place(graph::ValueId value) { return places_[value]; }
  [[nodiscard]] std::map<graph::ValueId, Place>& places() { return places_; }
  [[nodiscard]] int readers_left(graph::ValueId value) const;
  // Those behind the operation at hand.
  [[nodiscard]] int readers_behind(graph::ValueId value, const graph::Op& op) const;
  // How many operations ahead the value is read next, 0 for the one at hand; nothing where it is
  // not. Operations that give the same elements under another name stand for their readers.
  [[nodiscard]] std::optional<std::int64_t> next_read(graph::ValueId value) const;
  // From the operation at hand on.
  [[nodiscard]] std::int64_t ops_left() const { return std::ssize(region_->ops) - at_; }
  [[nodiscard]] const graph::Op& op_at_hand() const {
    return region_->ops.at(static_cast<std::size_t>(at_));
  }
  // An operation has been lowered: it reads its operands no more.
  void passed(const graph::Op& op);

 private:
  const graph::Function* function_;
  const graph::Region* region_;
  std::map<graph::ValueId, Place> places_;
  std::map<graph::ValueId, int> readers_;
  std::int64_t at_ = 0;                                          // of the operation at hand
  std::map<graph::ValueId, std::vector<std::int64_t>> read_at_;  // in order
};

}  // namespace trainyard::compiler
