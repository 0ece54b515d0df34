// What belongs to the pieces of a region that is cut at its collectives and loops. Views of the
// region's arguments, constants and the few numbers that places are computed from are repeated in
// each piece that reads them, where they cost nothing or fuse: handed on, a layer's weights would
// be copied out of all layers' first.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "graph/module.h"

namespace trainyard::plan {

using graph::Function, graph::Op, graph::Region, graph::ValueId;

class Pieces {
 public:
  // `cuts`: whether a piece ends at an operation; the last one of the region always ends one.
  Pieces(const Function& function, const Region& region, std::function<bool(const Op&)> cuts);

  // The operations of the piece made of those in [begin, end), in their order: empty where others
  // repeat all of them.
  [[nodiscard]] std::vector<Op> ops(std::size_t begin, std::size_t end) const;
  // What those in [begin, end) compute for others behind it.
  [[nodiscard]] std::vector<ValueId> outputs(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool is_repeated(ValueId value) const { return repeated_at_.contains(value); }
  // Whether an operation from `begin` on reads the value, the region's end included.
  [[nodiscard]] bool is_read_from(std::size_t begin, ValueId value) const;

 private:
  using Places = std::map<ValueId, std::size_t>;  // operations by what they define or read

  [[nodiscard]] bool may_repeat(const Op& op, const std::set<ValueId>& computed) const;

  const Function& function_;
  const Region& region_;
  std::function<bool(const Op&)> cuts_;
  std::vector<bool> repeats_;  // each operation
  Places repeated_at_;
  Places last_read_;      // by what is not repeated
  Places last_read_cut_;  // where a piece ends
};

}  // namespace trainyard::plan
