// The factors of one operation while its rule finds them, and what rules share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/partition/factors.h"

namespace trainyard::graph {

class Making {
 public:
  using Kind = Factor::Kind;

  Making(const Op& op, const Facts& facts) : op_(op), facts_(facts) {
    for (const ValueId value : op.operands) made_.operands.emplace_back(shape(value).size());
    for (const ValueId value : op.results) made_.results.emplace_back(shape(value).size());
  }

  [[nodiscard]] const Op& op() const { return op_; }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] const std::vector<std::int64_t>& shape(ValueId value) const {
    return facts_.type(value).shape;
  }
  [[nodiscard]] const std::vector<std::int64_t>& operand(std::size_t i) const {
    return shape(op_.operands.at(i));
  }
  [[nodiscard]] const std::vector<std::int64_t>& result(std::size_t i = 0) const {
    return shape(op_.results.at(i));
  }

  std::size_t add(std::int64_t size, Kind kind = Kind::kept) {
    made_.all.push_back({size, kind});
    return made_.all.size() - 1;
  }
  void of_operand(std::size_t i, std::size_t dim, std::size_t factor) {
    made_.operands.at(i).at(dim).push_back(factor);
  }
  void of_result(std::size_t i, std::size_t dim, std::size_t factor) {
    made_.results.at(i).at(dim).push_back(factor);
  }
  // A dimension of the first operand that is one of the first result.
  void keep(std::size_t from, std::size_t to) {
    const std::size_t factor = add(operand(0)[from]);
    of_operand(0, from, factor);
    of_result(0, to, factor);
  }
  // A dimension that stays where it is, in `count` operands and all results.
  void stay(std::size_t dim, std::size_t count) {
    const std::size_t factor = add(result()[dim]);
    for (std::size_t i = 0; i < count; ++i) of_operand(i, dim, factor);
    for (std::size_t i = 0; i < op_.results.size(); ++i) of_result(i, dim, factor);
  }
  // `count` operands and the results have one rank; dimensions that `stays` says, and that are as
  // long in all of them, are divided alike.
  void along(std::size_t count, auto stays) {
    for (std::size_t d = 0; d < result().size(); ++d) {
      bool is_same = stays(d);
      for (std::size_t i = 0; i < count; ++i) is_same &= operand(i)[d] == result()[d];
      if (is_same) stay(d, count);
    }
  }
  // All but the last `count` dimensions, of so many operands.
  void leading(std::size_t count, std::size_t operands) {
    along(operands, [&](std::size_t d) { return d + count < result().size(); });
  }
  Factors take() { return std::move(made_); }

 private:
  const Op& op_;
  const Facts& facts_;
  Factors made_;
};

// Rules are functions that say whether the operation can be divided.
// Each element of a result comes of those in the same place; scalars go to all.
[[nodiscard]] bool elementwise_factors(Making& make);
// Every part of the result can be made by itself.
[[nodiscard]] bool created_factors(Making& make);

[[nodiscard]] inline std::size_t as_dim(std::int64_t dim) { return static_cast<std::size_t>(dim); }
[[nodiscard]] inline bool holds_dim(std::span<const std::int64_t> dims, std::size_t dim) {
  return std::ranges::find(dims, static_cast<std::int64_t>(dim)) != dims.end();
}

// Whether a region of two scalars adds them up; or folds them so that values which are combined
// twice do not change the result.
[[nodiscard]] bool is_sum(const Region& region, ElementType element);
[[nodiscard]] bool is_idempotent(const Region& region);

}  // namespace trainyard::graph
