#include "compiler/lowering/clusters/row_clusters.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <memory>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/clusters/result_order.h"
#include "compiler/lowering/clusters/row_membership.h"
#include "compiler/lowering/tiles/column_sums.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "graph/precision.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// --- One cluster, grown from a reduction ---

// How many operations read each value.
using Readers = std::vector<int>;

class Cluster {
 public:
  // `ops`: in order; those that may join. `readers`: of the whole region.
  Cluster(Function& function, std::span<const Op> ops, std::size_t seed, RowSpace space,
          const Readers& readers, const machine::Core& core)
      : function_(function),
        ops_(ops),
        all_readers_(readers),
        space_(std::move(space)),
        reduces_(ops[seed].kind == OpKind::reduce),
        membership_(function, space_, reduces_),
        bytes_max_(core.sbuf.usable().value * row_cluster_percent / 100),
        column_sums_max_(ColumnSums::most(space_.columns(), core)) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      std::vector<std::size_t>& producers = producers_.emplace_back();
      for (const ValueId value : values_read(ops[i])) {
        readers_[value].push_back(i);
        if (const auto found = definition_.find(value); found != definition_.end())
          producers.push_back(found->second);
      }
      for (const ValueId value : ops[i].results) definition_[value] = i;
    }
    members_.insert(seed);
  }

  void grow() {
    is_cut_short_ = !fits();
    if (is_cut_short_) return;
    for (bool grew = true; grew;) {
      grew = false;
      for (const std::size_t next : neighbours()) {
        members_.insert(next);
        const bool is_whole = is_convex();
        if (is_whole && fits()) {
          grew = true;
        } else {
          is_cut_short_ |= is_whole;
          members_.erase(next);
        }
      }
    }
  }

  // Whether SBUF is too small for more.
  [[nodiscard]] bool is_cut_short() const { return is_cut_short_; }
  [[nodiscard]] std::size_t size() const { return members_.size(); }
  // Whether shares of rows have numbers of their own.
  [[nodiscard]] bool has_shares() const {
    return std::ranges::any_of(members_,
                               [&](std::size_t i) { return membership_.has_shares(ops_[i]); });
  }

  [[nodiscard]] bool takes(std::size_t i) const {
    return membership_.may_join(ops_[i]) && !reads_column_sum(i) && !ends_product(i);
  }
  void add_results(std::set<ValueId>& values) const {
    for (const std::size_t i : members_) values.insert(ops_[i].results[0]);
  }

  // Whether fewer passes over memory come of it.
  [[nodiscard]] bool pays() const {
    if (!reduces_) {
      const std::vector<ValueId> stored = results();
      return fits() && stored.size() > 1 &&
             std::ranges::all_of(stored, [&](ValueId value) { return is_stored_anyway(value); });
    }
    std::size_t reductions = 0, others = 0;
    for (const std::size_t i : members_) {
      const Op& op = ops_[i];
      if (is_column_sum(op)) others = 1;  // the tensor engine has it, and nothing else does
      if (op.kind == OpKind::reduce) ++reductions;
      if (op.kind != OpKind::reduce && !is_view(op) && membership_.is_full(op.results[0])) ++others;
    }
    return fits() && reductions > 0 && (others > 0 || reductions > 1);
  }

  // The operations with the cluster as one of them, and the place of the first that has moved.
  [[nodiscard]] std::pair<std::vector<Op>, std::size_t> condensed() {
    const std::set<std::size_t> after = dependants();
    std::vector<Op> ops, behind;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (i == *members_.rbegin()) {
        ops.push_back(composite());
        std::ranges::move(views_, std::back_inserter(ops));
        std::ranges::move(behind, std::back_inserter(ops));
      }
      if (!members_.contains(i))
        (after.contains(i) && i < *members_.rbegin() ? behind : ops).push_back(ops_[i]);
    }
    return {std::move(ops), *members_.begin()};
  }

 private:
  [[nodiscard]] std::vector<std::size_t> neighbours() const {
    std::set<std::size_t> all;
    const auto consider = [&](std::size_t i) {
      if (!members_.contains(i) && takes(i)) all.insert(i);
    };
    for (const std::size_t i : members_) {
      for (const ValueId value : ops_[i].operands) {
        if (const auto found = definition_.find(value); found != definition_.end())
          consider(found->second);
        if (is_outside(value) && membership_.is_full(value)) consider_column_sums(value, consider);
      }
      for (const ValueId value : ops_[i].results) {
        if (const auto found = readers_.find(value); found != readers_.end())
          std::ranges::for_each(found->second, consider);
      }
    }
    return {all.begin(), all.end()};
  }

  // Sums down the rows of what the cluster loads anyway.
  template <typename F>
  void consider_column_sums(ValueId value, F&& consider) const {
    const auto found = readers_.find(value);
    if (found == readers_.end()) return;
    for (const std::size_t reader : found->second) {
      if (is_column_sum(ops_[reader]) || is_only_summed(reader)) consider(reader);
    }
  }

  // Down the rows, as squares are.
  [[nodiscard]] bool is_only_summed(std::size_t i) const {
    if (!reduces_ || !takes(i)) return false;
    const auto found = readers_.find(ops_[i].results[0]);
    return found != readers_.end() &&
           std::ssize(found->second) == all_readers_[ops_[i].results[0]] &&
           std::ranges::all_of(found->second, [&](std::size_t reader) {
             return is_column_sum(ops_[reader]) && takes(reader);
           });
  }

  // Not by the one that reads it on its way.
  [[nodiscard]] bool is_stored_anyway(ValueId value) const {
    const auto found = readers_.find(value);
    std::vector<std::size_t> outside;
    if (found != readers_.end())
      std::ranges::copy_if(found->second, std::back_inserter(outside),
                           [&](std::size_t reader) { return !members_.contains(reader); });
    if (outside.size() != 1) return true;
    const Op& reader = ops_[outside.front()];
    return reader.kind == OpKind::return_ || reader.kind == OpKind::dot_general ||
           reader.kind == OpKind::convolution || graph::is_held(reader);
  }

  // What alone reads a product is computed with it, where nothing is reduced.
  [[nodiscard]] bool ends_product(std::size_t i) const {
    return !reduces_ && std::ranges::any_of(ops_[i].operands, [&](ValueId value) {
      const auto found = definition_.find(value);
      if (found == definition_.end() || all_readers_[value] != 1) return false;
      const OpKind kind = ops_[found->second].kind;
      return kind == OpKind::dot_general || kind == OpKind::convolution;
    });
  }

  [[nodiscard]] bool is_column_sum(const Op& op) const {
    return op.kind == OpKind::reduce && goes_down(op, space_);
  }
  // Its value is known behind the last row.
  [[nodiscard]] bool reads_column_sum(std::size_t i) const {
    return reads(i, [&](std::size_t producer) {
      return members_.contains(producer) && is_column_sum(ops_[producer]);
    });
  }

  // The others that depend on a member.
  [[nodiscard]] std::set<std::size_t> dependants() const {
    std::set<std::size_t> found;
    std::vector<bool> depends(ops_.size(), false);
    for (const std::size_t i : members_) depends[i] = true;
    for (std::size_t i = *members_.begin(); i <= *members_.rbegin(); ++i) {
      if (depends[i] || !reads(i, [&](std::size_t producer) { return depends[producer]; }))
        continue;
      depends[i] = true;
      found.insert(i);
    }
    return found;
  }

  [[nodiscard]] bool is_convex() const {
    const std::set<std::size_t> others = dependants();
    return std::ranges::none_of(members_, [&](std::size_t i) {
      return reads(i, [&](std::size_t producer) { return others.contains(producer); });
    });
  }

  template <typename Is>
  [[nodiscard]] bool reads(std::size_t i, Is&& is) const {
    return std::ranges::any_of(producers_[i], is);
  }

  [[nodiscard]] bool is_outside(ValueId value) const {
    const auto found = definition_.find(value);
    return found == definition_.end() || !members_.contains(found->second);
  }

  // What a value takes of a partition; those of a row and those that repeat take little.
  [[nodiscard]] std::int64_t bytes_of(ValueId value) const {
    if (!membership_.is_full(value)) return 0;
    const auto found = definition_.find(value);
    if (found != definition_.end()) {
      const Op& op = ops_[found->second];
      if (op.kind == OpKind::broadcast_in_dim &&
          (members_.contains(found->second) || function_.type(op.operands[0]).shape.empty()))
        return 0;
    }
    return space_.width() * graph::size_in_bytes(function_.type(value).element);
  }

  // The values of one band of rows that are alive at once, in the order of the program.
  [[nodiscard]] bool fits() const {
    std::map<ValueId, std::size_t> last;
    for (const std::size_t i : members_) {
      for (const ValueId value : ops_[i].operands) last[value] = i;
    }
    const auto column_sums =
        std::ranges::count_if(members_, [&](std::size_t i) { return is_column_sum(ops_[i]); });
    if (column_sums > column_sums_max_) return false;
    std::int64_t bytes = 0, most = 0;
    std::set<ValueId> loaded;
    for (const std::size_t i : members_) {
      const Op& op = ops_[i];
      const auto begin = [&](ValueId value) { bytes += bytes_of(value); };
      for (const ValueId value : op.operands) {
        if (is_outside(value) && loaded.insert(value).second) begin(value);
      }
      begin(op.results[0]);
      most = std::max(most, bytes);
      std::set<ValueId> ended(op.operands.begin(), op.operands.end());
      if (!last.contains(op.results[0])) ended.insert(op.results[0]);
      for (const ValueId value : ended) {
        if (!last.contains(value) || last.at(value) == i) bytes -= bytes_of(value);
      }
    }
    return most <= bytes_max_;
  }

  // Whether what reads its result elsewhere can have it from its operand.
  [[nodiscard]] bool is_view(const Op& op) const {
    return op.kind == OpKind::broadcast_in_dim || widens(op) || is_rescaled(op);
  }
  [[nodiscard]] bool widens(const Op& op) const {
    if (op.kind != OpKind::convert) return false;
    const std::array types{function_.type(op.operands[0]), function_.type(op.results[0])};
    return only_widens(op, types);
  }

  // Whether it is a sum or a product with one number a row, or a cast, that others compute again as
  // they go through the rows (the gradient of a norm), from a value that is kept anyway or takes
  // fewer bytes.
  [[nodiscard]] bool is_rescaled(const Op& op) const {
    const ValueId result = op.results[0];
    if (!reduces_ || !membership_.is_full(result)) return false;
    const ValueId source = source_of(result);
    if (source == result || !goes_to_rows(result)) return false;
    const auto bytes = [&](ValueId value) {
      return graph::size_in_bytes(function_.type(value).element);
    };
    return is_outside(source) || bytes(source) < bytes(result) || is_read_outside(source);
  }
  // What it is computed from with one number a row, or one for all.
  [[nodiscard]] ValueId source_of(ValueId value) const {
    while (!is_outside(value)) {
      const Op& op = ops_[definition_.at(value)];
      const bool may_pass = op.kind == OpKind::convert || op.kind == OpKind::add ||
                            op.kind == OpKind::subtract || op.kind == OpKind::multiply;
      const auto spread = [&](ValueId operand) { return is_spread(operand); };
      const auto full = std::ranges::find_if_not(op.operands, spread);
      if (!may_pass || std::ranges::count_if(op.operands, spread) + 1 != std::ssize(op.operands))
        break;
      value = *full;
    }
    return value;
  }
  [[nodiscard]] bool is_read_outside(ValueId value) const {
    const auto found = readers_.find(value);
    return found != readers_.end() && std::ranges::any_of(found->second, [&](std::size_t reader) {
             return !members_.contains(reader);
           });
  }
  // One number, or one a row.
  [[nodiscard]] bool is_spread(ValueId value) const {
    const auto found = definition_.find(value);
    if (found == definition_.end()) return false;
    const Op& op = ops_[found->second];
    return op.kind == OpKind::broadcast_in_dim &&
           (function_.type(op.operands[0]).shape.empty() || membership_.may_join(op));
  }
  // Whether all that reads it elsewhere is computed row by row.
  [[nodiscard]] bool goes_to_rows(ValueId value) const {
    const auto found = readers_.find(value);
    if (found == readers_.end() || std::ssize(found->second) != all_readers_[value]) return false;
    return std::ranges::all_of(
        found->second, [&](std::size_t reader) { return membership_.may_join(ops_[reader]); });
  }

  // The values that are read elsewhere.
  [[nodiscard]] std::set<ValueId> read_elsewhere() const {
    std::set<ValueId> all;
    for (const std::size_t i : members_ | std::views::reverse) {
      const ValueId value = ops_[i].results[0];
      const auto found = readers_.find(value);
      const auto inside = found == readers_.end()
                              ? 0
                              : std::ranges::count_if(found->second, [&](std::size_t reader) {
                                  return members_.contains(reader);
                                });
      if (all_readers_[value] > inside) all.insert(value);
      if (!all.contains(value) || !is_view(ops_[i])) continue;
      for (const ValueId operand : ops_[i].operands) {
        if (!is_outside(operand)) all.insert(operand);
      }
    }
    return all;
  }

  // Of these the ones that the cluster has to give.
  [[nodiscard]] std::vector<ValueId> results() const {
    const std::set<ValueId> elsewhere = read_elsewhere();
    std::vector<ValueId> all;
    for (const std::size_t i : members_) {
      if (elsewhere.contains(ops_[i].results[0]) && !is_view(ops_[i]))
        all.push_back(ops_[i].results[0]);
    }
    return all;
  }

  [[nodiscard]] Op composite() {
    const std::set<ValueId> elsewhere = read_elsewhere();
    const std::vector<ValueId> results = this->results();
    std::vector<Op> ops;
    std::map<ValueId, ValueId> inside;  // of views that stand behind the cluster, too
    for (const std::size_t i : members_) {
      Op op = ops_[i];
      for (ValueId& value : op.operands) {
        if (const auto found = inside.find(value); found != inside.end()) value = found->second;
      }
      const ValueId value = op.results[0];
      if (elsewhere.contains(value) && is_view(ops_[i])) {
        views_.push_back(ops_[i]);
        op.results[0] = inside[value] = static_cast<ValueId>(function_.types.size());
        function_.types.push_back(graph::Type(function_.type(value)));
      }
      ops.push_back(std::move(op));
    }
    const graph::LocationId location = ops.back().location;
    ops.push_back({.kind = OpKind::return_, .operands = results});
    Op op{.kind = OpKind::composite, .results = results, .location = location};
    op.attributes = {{"name", {std::string(row_cluster_name)}},
                     {"row_dims", {static_cast<std::int64_t>(space_.row_dims)}},
                     {"shape", {space_.shape}},
                     {"parts", {space_.parts}},
                     {"piece", {space_.piece}}};
    if (space_.share_dims > 0)
      op.attributes.push_back({"share_dims", {static_cast<std::int64_t>(space_.share_dims)}});
    if (space_.kept_dims > 0)
      op.attributes.push_back({"kept_dims", {static_cast<std::int64_t>(space_.kept_dims)}});
    op.regions.push_back({.arguments = {}, .ops = std::move(ops)});
    return op;
  }

  Function& function_;
  std::span<const Op> ops_;
  const Readers& all_readers_;
  RowSpace space_;
  bool reduces_;
  Membership membership_;
  std::int64_t bytes_max_;
  int column_sums_max_;
  std::map<ValueId, std::size_t> definition_;
  std::map<ValueId, std::vector<std::size_t>> readers_;
  std::vector<std::vector<std::size_t>> producers_;  // of what each operation reads
  std::set<std::size_t> members_;
  bool is_cut_short_ = false;
  std::vector<Op> views_;  // that stand behind it
};

bool is_block(OpKind kind) { return graph::is(kind, graph::Trait::control); }

void count(std::span<const Op> ops, int by, Readers& readers) {
  for (const Op& op : ops) {
    for (const ValueId value : values_read(op)) readers[value] += by;
  }
}

// Operations of one cluster stand at most so far from the reduction that it grows from: bounds the
// search in a program of many layers.
constexpr std::size_t reach = 200;

// `reduces`: clusters grow from reductions, else from elementwise operations.
bool cluster_in(Function& function, Region& region, const machine::Core& core, bool reduces) {
  bool changed = false;
  std::set<ValueId> tried;  // results of the operations to grow from
  Readers readers(function.types.size(), 0);
  count(region.ops, 1, readers);
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    Op& op = region.ops[i];
    if (is_block(op.kind)) {
      for (Region& nested : op.regions) changed |= cluster_in(function, nested, core, reduces);
    }
    const std::size_t begin = i - std::min(i, reach);
    const std::size_t end = std::min(region.ops.size(), i + reach);
    const std::span<const Op> near(region.ops.data() + begin, end - begin);
    const std::vector<RowSpace> spaces = spaces_of(function, near, op, core, reduces);
    if (spaces.empty() || !tried.insert(op.results[0]).second) continue;
    std::unique_ptr<Cluster> cluster;
    for (const RowSpace& space : spaces) {
      const auto cluster_of = [&](const RowSpace& rows) {
        return std::make_unique<Cluster>(function, near, i - begin, rows, readers, core);
      };
      std::unique_ptr<Cluster> grown = cluster_of(space);
      if (!reduces && (op.kind == OpKind::broadcast_in_dim || !grown->takes(i - begin))) continue;
      grown->grow();
      if (reduces && grown->is_cut_short()) {
        std::unique_ptr<Cluster> swept = cluster_of(in_pieces(space));
        swept->grow();
        if (swept->size() > grown->size() && swept->pays()) grown = std::move(swept);
      }
      const bool is_better = cluster && grown->size() > cluster->size() && grown->pays() &&
                             (space.share_dims == 0 || grown->has_shares());
      if (!cluster || is_better) cluster = std::move(grown);
    }
    if (!cluster) continue;
    if (!reduces) cluster->add_results(tried);
    if (!cluster->pays()) continue;
    auto [ops, first] = cluster->condensed();
    count(near, -1, readers);
    readers.resize(function.types.size(), 0);
    count(ops, 1, readers);
    const auto at = region.ops.begin() + static_cast<std::ptrdiff_t>(begin);
    region.ops.insert(region.ops.erase(at, region.ops.begin() + static_cast<std::ptrdiff_t>(end)),
                      std::make_move_iterator(ops.begin()), std::make_move_iterator(ops.end()));
    changed = true;
    i = begin + first - 1;  // other operations stand there now
  }
  return changed;
}

}  // namespace

bool is_row_cluster(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == row_cluster_name;
}

std::optional<graph::Module> with_row_clusters(const graph::Module& module,
                                               const machine::Core& core) {
  graph::Module changed = module;
  bool any = false;
  for (Function& function : changed.functions) {
    any |= cluster_in(function, function.body, core, true);
    gather_by_result(function, function.body, reach);
    any |= cluster_in(function, function.body, core, false);
  }
  return any ? std::optional(std::move(changed)) : std::nullopt;
}

}  // namespace trainyard::compiler
