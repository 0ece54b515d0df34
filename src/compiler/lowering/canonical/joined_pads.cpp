#include "compiler/lowering/canonical/joined_pads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// A value between zeros along one dimension.
struct Part {
  ValueId value, padded;
  std::int64_t dim, begin, end;
};

class JoinedPads {
 public:
  explicit JoinedPads(Function& function)
      : function_(function),
        before_(function),
        definitions_(before_),
        readers_(graph::count_operands(function.body)) {
    rewrite(function.body);
  }

 private:
  [[nodiscard]] std::optional<Part> part(ValueId value) const {
    const Op* const pad = definitions_.of(value, OpKind::pad);
    if (pad == nullptr || readers_.at(value) != 1 || definitions_.number(pad->operands[1]) != 0.0)
      return std::nullopt;
    const auto low = pad->integers("edge_padding_low"), high = pad->integers("edge_padding_high"),
               inner = pad->integers("interior_padding");
    std::optional<Part> found;
    for (std::size_t dim = 0; dim < low.size(); ++dim) {
      if (low[dim] < 0 || high[dim] < 0 || inner[dim] != 0) return std::nullopt;
      if (low[dim] == 0 && high[dim] == 0) continue;
      if (found) return std::nullopt;
      const std::int64_t size = function_.type(pad->operands[0]).shape[dim];
      found =
          Part{pad->operands[0], value, static_cast<std::int64_t>(dim), low[dim], low[dim] + size};
    }
    return found;
  }

  // What a tree of additions, each read by the next one alone, adds up.
  void collect(ValueId value, bool is_root, std::vector<ValueId>& terms,
               std::vector<ValueId>& sums) const {
    const Op* const sum = definitions_.of(value, OpKind::add);
    if (sum == nullptr || (!is_root && readers_.at(value) != 1)) {
      terms.push_back(value);
      return;
    }
    if (!is_root) sums.push_back(value);
    for (const ValueId operand : sum->operands) collect(operand, false, terms, sums);
  }

  // Parts along one dimension that do not meet, two or more of them.
  static std::vector<Part> beside_each_other(std::vector<Part> parts) {
    std::ranges::stable_sort(parts, {},
                             [](const Part& each) { return std::pair(each.dim, each.begin); });
    std::vector<Part> chosen;
    for (const Part& each : parts) {
      if (!chosen.empty() && chosen.back().dim != each.dim) {
        if (chosen.size() > 1) break;
        chosen.clear();
      }
      if (chosen.empty() || chosen.back().end <= each.begin) chosen.push_back(each);
    }
    return chosen.size() > 1 ? chosen : std::vector<Part>{};
  }

  ValueId joined(const std::vector<Part>& parts, const Type& type, graph::Builder& write) const {
    const std::int64_t dim = parts.front().dim, size = type.shape[static_cast<std::size_t>(dim)];
    std::vector<ValueId> values;
    std::int64_t at = 0;
    const auto fill = [&](std::int64_t to) {
      if (to == at) return;
      Type zeros = type;
      zeros.shape[static_cast<std::size_t>(dim)] = to - at;
      values.push_back(write.number(std::move(zeros), 0));
    };
    for (const Part& each : parts) {
      fill(each.begin);
      values.push_back(each.value);
      at = each.end;
    }
    fill(size);
    return write.emit(OpKind::concatenate, std::move(values), Type(type), {{"dimension", {dim}}});
  }

  bool join(const Op& op, std::vector<Op>& ops, std::set<ValueId>& gone) {
    if (op.kind != OpKind::add || !function_.type(op.results[0]).is_static()) return false;
    std::vector<ValueId> terms, sums;
    collect(op.results[0], true, terms, sums);
    std::vector<Part> parts;
    for (const ValueId term : terms) {
      if (const auto found = part(term)) parts.push_back(*found);
    }
    parts = beside_each_other(std::move(parts));
    if (parts.empty()) return false;
    graph::Builder write(function_, ops, op.location);
    const Type type = function_.type(op.results[0]);
    ValueId sum = joined(parts, type, write);
    gone.insert(sums.begin(), sums.end());
    for (const Part& each : parts) {
      gone.insert(each.padded);
      std::erase(terms, each.padded);
    }
    for (const ValueId term : terms) sum = write.emit(OpKind::add, {term, sum}, Type(type));
    ops.back().results = op.results;
    return true;
  }

  void rewrite(Region& region) {
    std::vector<Op> ops;
    std::set<ValueId> gone;
    // From the last sum on, so that a tree is joined as a whole.
    std::vector<std::vector<Op>> made(region.ops.size());
    for (std::size_t i = region.ops.size(); i-- > 0;) {
      Op& op = region.ops[i];
      for (Region& nested : op.regions) rewrite(nested);
      if (op.results.size() == 1 && gone.contains(op.results[0])) continue;
      if (!join(op, made[i], gone)) made[i].push_back(std::move(op));
    }
    for (std::vector<Op>& some : made)
      for (Op& op : some) ops.push_back(std::move(op));
    region.ops = std::move(ops);
  }

  Function& function_;
  const Function before_;  // as it was: what the definitions point into
  Definitions definitions_;
  std::map<ValueId, int> readers_;
};

}  // namespace

void join_pads(graph::Module& module) {
  for (Function& function : module.functions)
    if (graph::has_op(function.body, [](const Op& op) { return op.kind == OpKind::pad; }))
      JoinedPads{function};
}

}  // namespace trainyard::compiler
