#include "compiler/lowering/clusters/elementwise_clusters.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/tiles/elementwise.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr std::string_view cluster_name = "trainyard.elementwise";

// Values of fewer elements take as long in several passes.
constexpr std::int64_t elements_min = 4096;
// Of the operations between two that may be joined, at most so many are looked at.
constexpr std::size_t looked_at_max = 2000;
// Operations that read the same value stand together if no more than so many are between them.
constexpr std::size_t siblings_apart_max = 200;

using OpIndex = std::size_t;  // of an operation in its region

bool is_elementwise(const Function& function, const Op& op) {
  if (op.results.size() != 1) return false;
  const Type& result = function.type(op.results[0]);
  if (result.kind != Type::Kind::tensor || !result.is_static() || result.elements() < elements_min)
    return false;
  std::vector<Type> types;
  for (const ValueId value : op.operands) {
    types.push_back(function.type(value));
    if (types.back().shape != result.shape) return false;
  }
  types.push_back(result);
  const bool is_stored = std::ranges::all_of(types, [](const Type& type) {
    return storage_of(type.element) && graph::bits(type.element) <= 32;
  });
  return is_stored && lowers_elementwise(op, types);
}

bool widens(const Function& function, const Op& op) {
  if (op.kind != OpKind::convert) return false;
  const std::vector<Type> types{function.type(op.operands[0]), function.type(op.results[0])};
  return only_widens(op, types);
}

bool is_product(const Op& op) {
  return op.kind == OpKind::dot_general || op.kind == OpKind::convolution;
}

// What computes its operands on the way, where nothing else reads them.
bool computes_operands(const Op& op) {
  return op.kind == OpKind::reduce || op.kind == OpKind::concatenate || op.kind == OpKind::pad ||
         op.kind == OpKind::dynamic_update_slice;
}

class Clusters {
 public:
  Clusters(const Function& function, const Region& region)
      : function_(function), ops_(region.ops), unit_(ops_.size(), none) {
    for (OpIndex i = 0; i < ops_.size(); ++i) {
      std::vector<OpIndex>& producers = producers_.emplace_back();
      for (const ValueId value : values_read(ops_[i])) {
        readers_[value].push_back(i);
        if (const auto found = definition_.find(value); found != definition_.end())
          producers.push_back(found->second);
      }
      for (const ValueId value : ops_[i].results) definition_[value] = i;
    }
  }

  void form() {
    for (OpIndex i = 0; i < ops_.size(); ++i) {
      if (is_elementwise(function_, ops_[i])) join(i);
    }
    for (std::vector<OpIndex>& members : clusters_) {
      if (members.empty()) continue;
      leave_epilogues(members);
      leave_operands(members);
      if (!pays(members)) dissolve(members);
    }
  }

  [[nodiscard]] bool any() const {
    return std::ranges::any_of(clusters_, [](const auto& members) { return !members.empty(); });
  }

  // The operations, a cluster where its last one stood and what reads it behind it.
  [[nodiscard]] std::vector<Op> condensed() {
    emitted_.assign(ops_.size(), false);
    std::vector<OpIndex> waiting;
    for (OpIndex i = 0; i < ops_.size(); ++i) {
      if (unit_[i] == none) {
        is_ready(i) ? emit(i) : waiting.push_back(i);
      } else if (clusters_[unit_[i]].back() == i) {
        emit(i);
        std::erase_if(waiting, [&](OpIndex each) {
          if (!emitted_[each] && is_ready(each)) emit(each);
          return emitted_[each];
        });
      }
    }
    for (const OpIndex each : waiting) emit(each);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  // --- Which operations stand together ---

  void join(OpIndex i) {
    std::set<std::size_t> near;
    for (const OpIndex producer : producers_[i]) {
      if (unit_[producer] != none && shape(producer) == shape(i)) near.insert(unit_[producer]);
    }
    if (near.empty() && widens(function_, ops_[i])) return;  // engines widen what they read
    for (const ValueId value : ops_[i].operands) add_readers(i, value, near);
    const std::size_t own = clusters_.size();
    clusters_.push_back({i});
    unit_[i] = own;
    for (const std::size_t other : near) {
      if (!depends(own, other) && !depends(other, own)) merge(own, other);
    }
  }

  // The clusters that read a value that lies in memory, too.
  void add_readers(OpIndex i, ValueId value, std::set<std::size_t>& near) const {
    const auto found = definition_.find(value);
    if (found != definition_.end() && (unit_[found->second] != none || repeats(found->second)))
      return;
    for (const OpIndex reader : readers_.at(value)) {
      if (reader < i && i - reader <= siblings_apart_max && unit_[reader] != none &&
          shape(reader) == shape(i))
        near.insert(unit_[reader]);
    }
  }
  [[nodiscard]] bool repeats(OpIndex i) const {
    return ops_[i].kind == OpKind::broadcast_in_dim || ops_[i].kind == OpKind::constant;
  }

  void merge(std::size_t into, std::size_t from) {
    std::vector<OpIndex> all;
    std::ranges::merge(clusters_[into], clusters_[from], std::back_inserter(all));
    for (const OpIndex i : clusters_[from]) unit_[i] = into;
    clusters_[into] = std::move(all);
    clusters_[from].clear();
  }

  // Whether one cluster needs another's values through operations outside both; true where the
  // way is too long to tell.
  [[nodiscard]] bool depends(std::size_t one, std::size_t other) const {
    const OpIndex first = clusters_[other].front();
    std::set<OpIndex> seen;  // of a cluster its first operation
    std::vector<OpIndex> left;
    const auto look = [&](std::size_t unit, OpIndex i) {
      for (const OpIndex producer : producers_[i]) {
        if (unit_[producer] == unit && unit != none) continue;
        if (unit == one && unit_[producer] == other) continue;
        const bool alone = unit_[producer] == none;
        const OpIndex last = alone ? producer : clusters_[unit_[producer]].back();
        if (last >= first &&
            seen.insert(alone ? producer : clusters_[unit_[producer]].front()).second)
          left.push_back(producer);
      }
    };
    for (const OpIndex i : clusters_[one]) look(one, i);
    while (!left.empty()) {
      if (seen.size() > looked_at_max) return true;
      const OpIndex i = left.back();
      left.pop_back();
      if (unit_[i] == other) return true;
      if (unit_[i] == none) {
        look(none, i);
      } else {
        for (const OpIndex member : clusters_[unit_[i]]) look(unit_[i], member);
      }
    }
    return false;
  }

  // --- Which are better left to others ---

  // What alone reads a product stays with it, if the cluster has several results.
  void leave_epilogues(std::vector<OpIndex>& members) {
    if (results(members).size() < 2) return;
    std::set<ValueId> ready;  // products and what has left
    std::erase_if(members, [&](OpIndex i) {
      const bool follows = std::ranges::any_of(ops_[i].operands, [&](ValueId value) {
        const auto found = definition_.find(value);
        if (found == definition_.end() || readers_.at(value).size() != 1) return false;
        return ready.contains(value) || is_product(ops_[found->second]);
      });
      const bool is_first = std::ranges::none_of(
          producers_[i], [&](OpIndex each) { return unit_[each] == unit_[i]; });
      if (!follows || !is_first) return false;
      ready.insert(ops_[i].results[0]);
      unit_[i] = none;
      return true;
    });
  }

  // A result that an operation would compute on its way is left to it, with all that is computed
  // for it alone, if no more values are stored for that.
  void leave_operands(std::vector<OpIndex>& members) {
    for (const ValueId value : results(members)) {
      if (results(members).size() < 2) return;
      const std::vector<OpIndex>& readers = readers_.at(value);
      if (readers.size() != 1 || !computes_operands(ops_[readers[0]])) continue;
      const std::size_t before = results(members).size(), unit = unit_[members.front()];
      const std::vector<OpIndex> all = members;
      std::set<OpIndex> gone{definition_.at(value)};
      for (const OpIndex i : all | std::views::reverse) {
        const auto found = readers_.find(ops_[i].results[0]);
        if (found != readers_.end() && std::ranges::all_of(found->second, [&](OpIndex reader) {
              return gone.contains(reader);
            }))
          gone.insert(i);
      }
      for (const OpIndex i : gone) unit_[i] = none;
      std::erase_if(members, [&](OpIndex i) { return gone.contains(i); });
      if (results(members).size() <= before) continue;
      for (const OpIndex i : gone) unit_[i] = unit;
      members = all;
    }
  }

  // Whether it has several results, or one of its operations reads a value of it that others read.
  [[nodiscard]] bool pays(const std::vector<OpIndex>& members) const {
    return members.size() > 1 &&
           (results(members).size() > 1 || std::ranges::any_of(members, [&](OpIndex i) {
              const auto found = readers_.find(ops_[i].results[0]);
              return found != readers_.end() && found->second.size() > 1;
            }));
  }

  void dissolve(std::vector<OpIndex>& members) {
    for (const OpIndex i : members) unit_[i] = none;
    members.clear();
  }

  // The values of a cluster that something else reads.
  [[nodiscard]] std::vector<ValueId> results(const std::vector<OpIndex>& members) const {
    std::vector<ValueId> all;
    for (const OpIndex i : members) {
      const auto found = readers_.find(ops_[i].results[0]);
      const bool is_read =
          found != readers_.end() && std::ranges::any_of(found->second, [&](OpIndex reader) {
            return unit_[reader] != unit_[i];
          });
      if (is_read) all.push_back(ops_[i].results[0]);
    }
    return all;
  }

  [[nodiscard]] const std::vector<std::int64_t>& shape(OpIndex i) const {
    return function_.type(ops_[i].results[0]).shape;
  }

  // --- In a new order ---

  [[nodiscard]] bool is_ready(OpIndex i) const {
    return std::ranges::all_of(producers_[i], [&](OpIndex each) { return emitted_[each]; });
  }

  void emit(OpIndex i) {
    if (emitted_[i]) return;
    const std::vector<OpIndex> alone{i};
    const std::vector<OpIndex>& members = unit_[i] == none ? alone : clusters_[unit_[i]];
    for (const OpIndex member : members) {
      for (const OpIndex producer : producers_[member]) {
        if (unit_[i] == none || unit_[producer] != unit_[i]) emit(producer);
      }
    }
    for (const OpIndex member : members) emitted_[member] = true;
    out_.push_back(unit_[i] == none ? ops_[i] : composite(members));
  }

  [[nodiscard]] Op composite(const std::vector<OpIndex>& members) const {
    Op op{.kind = OpKind::composite,
          .results = results(members),
          .attributes = {{"name", {std::string(cluster_name)}}},
          .location = ops_[members.back()].location};
    std::vector<Op> ops;
    std::map<ValueId, ValueId> same;
    for (const OpIndex i : members) {
      Op one = ops_[i];
      for (ValueId& value : one.operands) {
        if (const auto found = same.find(value); found != same.end()) value = found->second;
      }
      const auto earlier = std::ranges::find_if(ops, [&](const Op& each) {
        return each.kind == one.kind && each.operands == one.operands &&
               each.attributes == one.attributes &&
               function_.type(each.results[0]) == function_.type(one.results[0]);
      });
      const bool is_result = std::ranges::find(op.results, one.results[0]) != op.results.end();
      if (earlier != ops.end() && !is_result) {
        same[one.results[0]] = earlier->results[0];
      } else {
        ops.push_back(std::move(one));
      }
    }
    ops.push_back({.kind = OpKind::return_, .operands = op.results});
    op.regions.push_back({.arguments = {}, .ops = std::move(ops)});
    return op;
  }

  const Function& function_;
  const std::vector<Op>& ops_;
  std::vector<std::vector<OpIndex>> producers_;  // of what each operation reads
  std::map<ValueId, OpIndex> definition_;
  std::map<ValueId, std::vector<OpIndex>> readers_;
  std::vector<std::size_t> unit_;  // the cluster of each operation
  std::vector<std::vector<OpIndex>>
      clusters_;  // their operations in order; none where they have gone
  std::vector<bool> emitted_;
  std::vector<Op> out_;
};

bool cluster_in(const Function& function, Region& region) {
  bool changed = false;
  for (Op& op : region.ops) {
    if (!graph::is(op.kind, graph::Trait::control)) continue;
    for (Region& nested : op.regions) changed |= cluster_in(function, nested);
  }
  Clusters clusters(function, region);
  clusters.form();
  if (!clusters.any()) return changed;
  region.ops = clusters.condensed();
  return true;
}

}  // namespace

bool is_elementwise_cluster(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == cluster_name;
}

std::optional<graph::Module> with_elementwise_clusters(const graph::Module& module) {
  graph::Module changed = module;
  bool any = false;
  for (Function& function : changed.functions) any |= cluster_in(function, function.body);
  return any ? std::optional(std::move(changed)) : std::nullopt;
}

}  // namespace trainyard::compiler
