// Operations that go along the same rows: each row of their results needs that row of their
// operands and no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "graph/module.h"
#include "graph/partition/factors.h"
#include "machine/core.h"

namespace trainyard::compiler {

// About how many instructions an operation becomes.
[[nodiscard]] std::int64_t instructions_of(const graph::Op& op, const graph::Function& function,
                                           const machine::Core& core);

struct TurnLimits {
  // An operation of more is not unrolled.
  std::int64_t instructions_max = 131'072;
  // A turn of so many takes milliseconds, beside which the few microseconds are little in which the
  // core drains and fills again.
  std::int64_t instructions_of_turn = 16'384;
  // Fewer rows leave the array idle while it takes weights.
  std::int64_t rows_min = 512;
};

// Of each value that lies along the rows, the dimension whose slowest part they are.
using RowDims = std::map<graph::ValueId, std::size_t>;

struct RowRegion {
  std::int64_t turns = 1;         // in so many parts of equal size
  std::set<std::size_t> members;  // operations of the list
  RowDims dims;                   // of what they read and make; all else is read whole
};

class RowRegions {
 public:
  // Operations of one list, of main or of a loop's body.
  RowRegions(const graph::Function& function, const std::vector<graph::Op>& ops,
             const machine::Core& core, const TurnLimits& limits);

  // The region around an operation that takes too many instructions at once; nothing where no
  // division of it is worth its loop.
  [[nodiscard]] std::optional<RowRegion> around(std::size_t seed) const;

 private:
  struct Along {  // an operation's operands and results that lie along the rows, and others
    RowDims values{};
    std::set<graph::ValueId> whole{};
    bool is_possible = false;
  };
  [[nodiscard]] bool stays_whole(const graph::Op& op) const;
  [[nodiscard]] std::optional<graph::Factors> factors(const graph::Op& op) const;
  [[nodiscard]] Along along(const graph::Op& op, const graph::Factors& factors, std::size_t factor,
                            std::int64_t turns) const;
  [[nodiscard]] std::optional<std::size_t> factor_at(const graph::Op& op,
                                                     const graph::Factors& factors,
                                                     const RowDims& dims) const;
  [[nodiscard]] std::optional<RowRegion> grown(std::size_t seed, std::size_t factor,
                                               std::int64_t turns) const;
  [[nodiscard]] std::set<std::size_t> joined(const std::set<std::size_t>& candidates) const;
  // Leaves outside what makes more to hand on than it is made of, and views of what is handed on.
  void trim(RowRegion& region, std::size_t seed) const;
  [[nodiscard]] std::set<graph::ValueId> outputs(const RowRegion& region) const;
  // Bytes that it hands on, without those that only its turns see, and what the array waits for.
  [[nodiscard]] double turned_by_array(const RowRegion& region) const;
  [[nodiscard]] double traffic(const RowRegion& region) const;
  [[nodiscard]] std::int64_t instructions(const RowRegion& region) const;
  [[nodiscard]] double bytes(graph::ValueId value) const {
    return static_cast<double>(function_.type(value).bytes());
  }

  const graph::Function& function_;
  const std::vector<graph::Op>& ops_;
  const machine::Core& core_;
  const TurnLimits& limits_;
  graph::Facts facts_;
  std::map<graph::ValueId, std::size_t> made_by_;
  std::map<graph::ValueId, std::vector<std::size_t>> users_;
};

}  // namespace trainyard::compiler
