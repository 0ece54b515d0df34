#include "compiler/lowering/canonical/repeated_operands.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/dot_sides.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// A dimension of a product's result: the operand that has it, and its place there. Batches are the
// left one's.
using Label = std::pair<std::size_t, std::int64_t>;

class RepeatedOperands {
 public:
  explicit RepeatedOperands(Function& function) : function_(function) {
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      if (op.kind == OpKind::transpose || op.kind == OpKind::broadcast_in_dim)
        moved_[op.results[0]] = op;
      const bool is_product = op.kind == OpKind::dot_general && op.operands.size() == 2;
      return is_product && (multiply_once(op, 0, ops) || multiply_once(op, 1, ops) ||
                            repeat_result(op, 0, ops) || repeat_result(op, 1, ops));
    });
  }

 private:
  // What an operand repeats: the source, of each of its dimensions the operand's (none where its
  // one element is repeated), and which of the operand's are repeated.
  struct Repeats {
    ValueId source;
    Dims places, repeated;
  };

  [[nodiscard]] const Dims& shape(ValueId value) const { return function_.type(value).shape; }

  [[nodiscard]] std::optional<Repeats> repeats(ValueId operand) const {
    Dims order;  // of each dimension at hand, the operand's
    for (std::int64_t dim = 0; dim < function_.type(operand).rank(); ++dim) order.push_back(dim);
    auto found = moved_.find(operand);
    for (; found != moved_.end() && found->second.kind == OpKind::transpose;
         found = moved_.find(found->second.operands[0])) {
      const auto turned = found->second.integers("permutation");
      Dims inner(order.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        inner[static_cast<std::size_t>(turned[i])] = order[i];
      order = std::move(inner);
    }
    if (found == moved_.end()) return std::nullopt;
    const Op& spread = found->second;
    Repeats made{.source = spread.operands[0], .places = {}, .repeated = order};
    const auto dims = spread.integers("broadcast_dimensions");
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const std::int64_t place = order[static_cast<std::size_t>(dims[i])];
      const bool is_kept = shape(made.source)[i] == shape(operand)[static_cast<std::size_t>(place)];
      made.places.push_back(is_kept ? place : -1);
      if (is_kept) std::erase(made.repeated, place);
    }
    std::erase_if(made.repeated, [&](std::int64_t dim) {
      return shape(operand)[static_cast<std::size_t>(dim)] == 1;
    });
    return made;
  }

  // The source as the operand lies, without those of its dimensions.
  ValueId without(ValueId operand, const Repeats& found, const Dims& dropped,
                  graph::Builder& write) const {
    Dims kept, places;  // of the operand
    for (std::int64_t dim = 0; dim < function_.type(operand).rank(); ++dim)
      if (!is_in(dropped, dim)) kept.push_back(dim);
    // Of one element or repeated still: first out, then in again.
    Dims sizes;
    for (const std::int64_t place : found.places) {
      if (place < 0) continue;
      places.push_back(place);
      sizes.push_back(shape(operand)[static_cast<std::size_t>(place)]);
    }
    ValueId value = found.source;
    if (sizes != shape(value)) value = write.reshape(value, sizes);
    Dims into, to;
    for (const std::int64_t place : places)
      into.push_back(std::ranges::find(kept, place) - kept.begin());
    for (const std::int64_t dim : kept) to.push_back(shape(operand)[static_cast<std::size_t>(dim)]);
    Dims order(places.size());  // of the source's dimensions, by their places
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    std::ranges::sort(order, {}, [&](std::int64_t i) { return into[static_cast<std::size_t>(i)]; });
    value = write.turned(value, std::move(order));
    std::ranges::sort(into);
    return into.size() == to.size() ? value : write.spread(value, into, to);
  }

  bool multiply_once(const Op& dot, std::size_t side, std::vector<Op>& ops) {
    const ValueId operand = dot.operands[side];
    const auto found = repeats(operand);
    if (!found) return false;
    std::array<Dims, 2> kept;  // batches of each operand
    Dims dropped;
    std::vector<Label> before, now;
    for (std::size_t i = 0; i < dot.integers(dot_sides[0].batches).size(); ++i) {
      const std::array<std::int64_t, 2> pair{dot.integers(dot_sides[0].batches)[i],
                                             dot.integers(dot_sides[1].batches)[i]};
      if (is_in(found->repeated, pair[side])) {
        dropped.push_back(pair[side]);
        before.emplace_back(1 - side, pair[1 - side]);
        continue;
      }
      for (std::size_t each = 0; each < 2; ++each) kept[each].push_back(pair[each]);
      before.emplace_back(0, pair[0]);
      now.emplace_back(0, pair[0]);
    }
    if (dropped.empty()) return false;
    for (std::size_t each = 0; each < 2; ++each) {
      const auto depths = dot.integers(dot_sides[each].depths),
                 batches = dot.integers(dot_sides[each].batches);
      for (std::int64_t dim = 0; dim < function_.type(dot.operands[each]).rank(); ++dim) {
        if (is_in(depths, dim)) continue;
        if (!is_in(batches, dim)) before.emplace_back(each, dim);
        if (!is_in(kept[each], dim) && (each != side || !is_in(dropped, dim)))
          now.emplace_back(each, dim);
      }
    }
    graph::Builder write(function_, ops, dot.location);
    Type result = function_.type(dot.results[0]);
    for (std::size_t i = 0; i < now.size(); ++i)
      result.shape[i] = shape(dot.operands[now[i].first])[static_cast<std::size_t>(now[i].second)];
    std::vector<ValueId> operands = dot.operands;
    operands[side] = without(operand, *found, dropped, write);
    const ValueId value = write.emit(dot.kind, std::move(operands), std::move(result),
                                     attributes_of(dot, side, kept, dropped));
    Dims order;
    for (const Label& label : before) order.push_back(std::ranges::find(now, label) - now.begin());
    if (std::ranges::is_sorted(order)) {
      ops.back().results = dot.results;
    } else {
      ops.push_back({.kind = OpKind::transpose,
                     .operands = {value},
                     .results = dot.results,
                     .attributes = {{"permutation", {std::move(order)}}},
                     .location = dot.location});
    }
    return true;
  }

  // What an operand alone has and repeats, the result repeats.
  bool repeat_result(const Op& dot, std::size_t side, std::vector<Op>& ops) {
    const ValueId operand = dot.operands[side];
    const auto found = repeats(operand);
    if (!found) return false;
    std::array<Dims, 2> batches;
    Dims dropped, shape_left, places;
    for (std::size_t each = 0; each < 2; ++each) {
      const auto all = dot.integers(dot_sides[each].batches);
      batches[each].assign(all.begin(), all.end());
    }
    const Dims& whole = shape(dot.results[0]);
    std::int64_t at = 0;
    const auto keep = [&] {
      shape_left.push_back(whole[static_cast<std::size_t>(at)]);
      places.push_back(at);
    };
    for (; at < std::ssize(batches[0]); ++at) keep();
    for (std::size_t each = 0; each < 2; ++each) {
      for (std::int64_t dim = 0; dim < function_.type(dot.operands[each]).rank(); ++dim) {
        if (is_in(batches[each], dim) || is_in(dot.integers(dot_sides[each].depths), dim)) continue;
        if (each == side && is_in(found->repeated, dim)) {
          dropped.push_back(dim);
        } else {
          keep();
        }
        ++at;
      }
    }
    if (dropped.empty()) return false;
    graph::Builder write(function_, ops, dot.location);
    Type result = function_.type(dot.results[0]);
    result.shape = shape_left;
    std::vector<ValueId> operands = dot.operands;
    operands[side] = without(operand, *found, dropped, write);
    const ValueId value = write.emit(dot.kind, std::move(operands), std::move(result),
                                     attributes_of(dot, side, batches, dropped));
    static_cast<void>(write.spread(value, std::move(places), whole));
    ops.back().results = dot.results;
    moved_[dot.results[0]] = ops.back();
    return true;
  }

  // `kept`: batches of both. `dropped`: dimensions of one side that are gone.
  static graph::Dictionary attributes_of(const Op& dot, std::size_t side,
                                         const std::array<Dims, 2>& kept, const Dims& dropped) {
    graph::Dictionary all = dot.attributes;
    for (std::size_t each = 0; each < 2; ++each) {
      const auto closed = [&](std::span<const std::int64_t> dims) {
        Dims made(dims.begin(), dims.end());
        if (each != side) return made;
        for (std::int64_t& dim : made)
          dim -= std::ranges::count_if(dropped, [&](std::int64_t gone) { return gone < dim; });
        return made;
      };
      set_integers(all, dot_sides[each].batches, closed(kept[each]));
      set_integers(all, dot_sides[each].depths, closed(dot.integers(dot_sides[each].depths)));
    }
    return all;
  }

  Function& function_;
  std::map<ValueId, Op> moved_;
};

}  // namespace

void multiply_repeats_once(graph::Module& module) {
  // A batch that both repeat is one operand's first, then the result's.
  constexpr int times = 2;
  for (Function& function : module.functions)
    for (int i = 0; i < times; ++i) RepeatedOperands{function};
}

}  // namespace trainyard::compiler
