#include "compiler/lowering/loops/sliced_turns.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "graph/builder.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// A part of a value: where it begins and how long it is, by dimension. Where it is as long as the
// value it begins at its begin, whatever is said.
struct Part {
  std::vector<ValueId> starts;
  Dims sizes;
};

// By dimension of a reshape's result, the dimension of its operand of the same elements; nothing
// where several become one, or one several. Those of one element belong to none.
std::vector<std::optional<std::size_t>> same_dims(const Dims& from, const Dims& to) {
  std::vector<std::optional<std::size_t>> same(to.size());
  std::size_t i = 0;
  std::int64_t before = 1, behind = 1;  // elements, of the dimensions passed
  for (std::size_t j = 0; j < to.size(); ++j) {
    if (to[j] == 1) continue;
    while (i < from.size() && (before < behind || from[i] == 1)) before *= from[i++];
    if (i < from.size() && before == behind && from[i] == to[j]) {
      same[j] = i;
      before *= from[i++];
    }
    behind *= to[j];
  }
  return same;
}

class SlicedTurns {
 public:
  SlicedTurns(Function& function, Region& region) : function_(function), region_(region) {
    for (const Op& op : region.ops) {
      for (const ValueId value : op.results) makers_[value] = &op;
      read(op);
    }
    find();
    if (!sliced_.empty()) rewrite();
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Dims& shape(ValueId value) const { return type(value).shape; }

  // What is read inside of an operation's regions is read whole.
  void read(const Op& op) {
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      readers_[op.operands[i]].push_back(i == 0 || op.kind != OpKind::dynamic_slice ? &op
                                                                                    : nullptr);
    for (const Region& inner : op.regions) {
      for (const Op& each : inner.ops) read_inside(each);
    }
  }
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
  void read_inside(const Op& op) {
    for (const ValueId value : op.operands) readers_[value].push_back(nullptr);
    for (const Region& inner : op.regions) {
      for (const Op& each : inner.ops) read_inside(each);
    }
  }

  // Whether a part of it follows from parts of its operands.
  [[nodiscard]] bool has_parts(const Op& op) const {
    if (op.results.size() != 1 || !op.regions.empty() || op.operands.empty()) return false;
    const Type& made = type(op.results[0]);
    if (made.kind != Type::Kind::tensor || !made.is_static()) return false;
    return graph::is(op.kind, graph::Trait::elementwise) || op.kind == OpKind::broadcast_in_dim ||
           op.kind == OpKind::transpose || op.kind == OpKind::reshape;
  }

  // A reshape keeps the dimensions that parts are shorter in.
  [[nodiscard]] bool keeps(const Op& op, const std::set<std::size_t>& cut) const {
    if (op.kind != OpKind::reshape) return true;
    const auto same = same_dims(shape(op.operands[0]), shape(op.results[0]));
    return std::ranges::all_of(cut, [&](std::size_t d) { return same[d].has_value(); });
  }

  // The dimensions of an operand in which its part is shorter.
  [[nodiscard]] std::set<std::size_t> cut_before(const Op& op, std::size_t side,
                                                 const std::set<std::size_t>& cut) const {
    std::set<std::size_t> before;
    const Dims& whole = shape(op.operands[side]);
    if (op.kind == OpKind::broadcast_in_dim) {
      const auto places = op.integers("broadcast_dimensions");
      for (std::size_t i = 0; i < places.size(); ++i) {
        if (whole[i] != 1 && cut.contains(static_cast<std::size_t>(places[i]))) before.insert(i);
      }
    } else if (op.kind == OpKind::transpose) {
      const auto order = op.integers("permutation");
      for (const std::size_t d : cut) before.insert(static_cast<std::size_t>(order[d]));
    } else if (op.kind == OpKind::reshape) {
      const auto same = same_dims(whole, shape(op.results[0]));
      for (const std::size_t d : cut) before.insert(*same[d]);
    } else if (!whole.empty()) {
      return cut;
    }
    return before;
  }

  // Finds the values of which only parts are read, from their readers on.
  void find() {
    for (const Op& op : std::views::reverse(region_.ops)) {
      if (!has_parts(op)) continue;
      const ValueId value = op.results[0];
      const auto readers = readers_.find(value);
      if (readers == readers_.end()) continue;
      std::set<std::size_t> cut;
      std::int64_t elements = 0;
      const bool is_cut = std::ranges::all_of(readers->second, [&](const Op* reader) {
        if (reader == nullptr) return false;
        if (reader->kind == OpKind::dynamic_slice) {
          elements += type(reader->results[0]).elements();
          const auto sizes = reader->integers("slice_sizes");
          for (std::size_t d = 0; d < sizes.size(); ++d)
            if (sizes[d] != shape(value)[d]) cut.insert(d);
          return true;
        }
        const auto found =
            reader->results.size() == 1 ? sliced_.find(reader->results[0]) : sliced_.end();
        if (found == sliced_.end()) return false;
        for (std::size_t side = 0; side < reader->operands.size(); ++side)
          if (reader->operands[side] == value) cut.merge(cut_before(*reader, side, found->second));
        return true;
      });
      // Where all is read after all, or as much of it again, it is computed once.
      if (is_cut && !cut.empty() && 2 * elements <= type(value).elements() && keeps(op, cut))
        sliced_.emplace(value, std::move(cut));
    }
  }

  [[nodiscard]] bool is_whole(ValueId value, const Part& part) const {
    return part.sizes == shape(value);
  }

  // The part of an operand that a part of the result follows from.
  Part before(const Op& op, std::size_t side, const Part& part) const {
    const Dims& whole = shape(op.operands[side]);
    Part found{.starts = std::vector<ValueId>(whole.size(), zero_), .sizes = whole};
    const auto take = [&](std::size_t i, std::size_t d) {
      found.starts[i] = part.starts[d];
      found.sizes[i] = part.sizes[d];
    };
    if (op.kind == OpKind::broadcast_in_dim) {
      const auto places = op.integers("broadcast_dimensions");
      for (std::size_t i = 0; i < places.size(); ++i)
        if (whole[i] != 1) take(i, static_cast<std::size_t>(places[i]));
    } else if (op.kind == OpKind::transpose) {
      const auto order = op.integers("permutation");
      for (std::size_t d = 0; d < order.size(); ++d) take(static_cast<std::size_t>(order[d]), d);
    } else if (op.kind == OpKind::reshape) {
      const auto same = same_dims(whole, shape(op.results[0]));
      for (std::size_t d = 0; d < same.size(); ++d)
        if (same[d]) take(*same[d], d);
    } else if (!whole.empty()) {
      return part;
    }
    return found;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the chain of operations
  ValueId part_of(ValueId value, const Part& part, graph::Builder& write) {
    if (is_whole(value, part) && !sliced_.contains(value)) return value;
    Type some = type(value);
    some.shape = part.sizes;
    if (!sliced_.contains(value)) {
      std::vector<ValueId> operands{value};
      std::ranges::copy(part.starts, std::back_inserter(operands));
      return write.emit(OpKind::dynamic_slice, std::move(operands), std::move(some),
                        {{"slice_sizes", {part.sizes}}});
    }
    const Op& op = *makers_.at(value);
    std::vector<ValueId> operands;
    for (std::size_t side = 0; side < op.operands.size(); ++side)
      operands.push_back(part_of(op.operands[side], before(op, side, part), write));
    return write.emit(op.kind, std::move(operands), std::move(some), op.attributes);
  }

  void rewrite() {
    std::vector<Op> ops;
    for (const Op& op : region_.ops) {
      if (op.results.size() == 1 && sliced_.contains(op.results[0])) continue;
      if (op.kind != OpKind::dynamic_slice || !sliced_.contains(op.operands[0])) {
        ops.push_back(op);
        continue;
      }
      graph::Builder write(function_, ops, op.location);
      const Part part{
          .starts = {op.operands.begin() + 1, op.operands.end()},
          .sizes = {op.integers("slice_sizes").begin(), op.integers("slice_sizes").end()}};
      zero_ = write.number(Type(type(op.operands[1])), 0);
      part_of(op.operands[0], part, write);
      ops.back().results = op.results;
    }
    region_.ops = std::move(ops);
  }

  Function& function_;
  Region& region_;
  std::map<ValueId, const Op*> makers_;
  std::map<ValueId, std::vector<const Op*>> readers_;  // none: it reads the whole
  std::map<ValueId, std::set<std::size_t>> sliced_;    // and the dimensions that are cut
  ValueId zero_ = 0;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the program's regions
void run(Function& function, Region& region) {
  for (Op& op : region.ops) {
    for (Region& inner : op.regions) {
      run(function, inner);
      if (op.kind == OpKind::while_) SlicedTurns(function, inner);
    }
  }
}

}  // namespace

void slice_in_turns(graph::Module& module) {
  for (Function& function : module.functions) run(function, function.body);
}

}  // namespace trainyard::compiler
