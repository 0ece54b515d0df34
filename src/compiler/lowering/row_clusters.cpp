#include "compiler/lowering/row_clusters.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/column_sums.h"
#include "compiler/lowering/elementwise.h"
#include "compiler/lowering/reduction.h"
#include "compiler/lowering/result_order.h"
#include "compiler/lowering/values.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// Fewer rows leave partitions idle, shorter ones engines: other layouts are better then.
constexpr std::int64_t rows_min = 64, columns_min = 32;
// Of SBUF, what the values of one band of rows may take at once: several bands are under way.
constexpr std::int64_t band_percent = 35;

std::int64_t product_of(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>{});
}

bool is_real(const Type& type) {
  return graph::is_float(type.element) && storage_of(type.element) &&
         graph::bits(type.element) <= 32;
}

// Whether an operation reduces so many dimensions from `first` on, and these alone.
bool reduces(const Op& op, std::size_t first) {
  const auto dims = op.integers("dimensions");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (std::ranges::find(dims, static_cast<std::int64_t>(first + i)) == dims.end()) return false;
  }
  return true;
}

// The space that a reduction along rows, or a sum down the rows, is of.
std::optional<RowSpace> space_of(const Function& function, const Op& op) {
  if (op.kind != OpKind::reduce || op.results.size() != 1) return std::nullopt;
  const Type& from = function.type(op.operands[0]);
  if (from.kind != Type::Kind::tensor || !is_real(from) || !is_real(function.type(op.results[0])))
    return std::nullopt;
  const auto how = reduction_of(op.regions.at(0), function.type(op.results[0]).element);
  if (!how) return std::nullopt;
  const std::size_t count = op.integers("dimensions").size();
  RowSpace space{from.shape, from.shape.size() - count};
  if (!reduces(op, space.row_dims)) {
    if (*how != numerics::AluOp::add || !reduces(op, 0)) return std::nullopt;
    space.row_dims = count;
  }
  if (space.rows() < rows_min || space.columns() < columns_min) return std::nullopt;
  return space;
}

// The space of an elementwise operation on so many elements that its bands fill the machine: rows
// in parts of a width that few fixed costs and little memory go with.
std::optional<RowSpace> elementwise_space_of(const Function& function, const Op& op,
                                             const machine::Core& core) {
  constexpr std::int64_t width_min = 512, width_max = 1024, bands_min = 4;
  if (op.results.size() != 1) return std::nullopt;
  const Type& type = function.type(op.results[0]);
  if (type.kind != Type::Kind::tensor || !type.is_static() || !is_real(type) || type.shape.empty())
    return std::nullopt;
  RowSpace space{type.shape, type.shape.size() - 1};
  while (space.row_dims > 0 && space.columns() < width_min) --space.row_dims;
  if (space.columns() == 0) return std::nullopt;
  space.parts = base::ceil_div(space.columns(), width_max);
  while (space.columns() % space.parts != 0) ++space.parts;
  const bool fills = space.rows() * space.parts >= bands_min * core.sbuf.partitions &&
                     space.rows() >= core.sbuf.partitions;
  return fills && space.width() >= width_min ? std::optional(space) : std::nullopt;
}

// --- Which operations compute on rows ---

class Membership {
 public:
  Membership(const Function& function, const RowSpace& space, bool reduces)
      : function_(function), space_(space), rows_(space.rows()), reduces_(reduces) {}

  [[nodiscard]] bool is_full(ValueId value) const {
    return function_.type(value).shape == space_.shape;
  }
  [[nodiscard]] bool may_join(const Op& op) const {
    if (op.results.size() != 1 || function_.type(op.results[0]).kind != Type::Kind::tensor)
      return false;
    switch (op.kind) {
      case OpKind::reduce: {
        const auto space = space_of(function_, op);
        return reduces_ && space && space->shape == space_.shape &&
               space->row_dims == space_.row_dims;
      }
      case OpKind::broadcast_in_dim: return spreads_rows(op);
      case OpKind::reshape: return is_row(op.operands[0]) && is_row(op.results[0]);
      default: return is_elementwise(op);
    }
  }

 private:
  // One element for each row, in order, as far as its shape can tell.
  [[nodiscard]] bool is_row(ValueId value) const {
    return !is_full(value) && function_.type(value).elements() == rows_;
  }

  [[nodiscard]] bool spreads_rows(const Op& op) const {
    if (!is_row(op.operands[0])) return false;
    const auto places = op.integers("broadcast_dimensions");
    if (!std::ranges::is_sorted(places)) return false;
    if (is_row(op.results[0])) return true;
    if (!is_full(op.results[0])) return false;
    const std::vector<std::int64_t>& shape = function_.type(op.operands[0]).shape;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      if (shape[i] != 1 && (place >= space_.row_dims || shape[i] != space_.shape[place]))
        return false;
    }
    return true;
  }

  [[nodiscard]] bool is_elementwise(const Op& op) const {
    std::vector<Type> types;
    const std::vector<std::int64_t>& shape = function_.type(op.results[0]).shape;
    for (const ValueId value : op.operands) {
      types.push_back(function_.type(value));
      if (types.back().shape != shape) return false;
    }
    types.push_back(function_.type(op.results[0]));
    const bool is_stored = std::ranges::all_of(types, [](const Type& type) {
      return storage_of(type.element) && graph::bits(type.element) <= 32;
    });
    return is_stored && (is_full(op.results[0]) || is_row(op.results[0])) &&
           lowers_elementwise(op, types);
  }

  const Function& function_;
  const RowSpace& space_;
  std::int64_t rows_;
  bool reduces_;
};

// --- One cluster, grown from a reduction ---

// How many operations read each value.
using Readers = std::vector<int>;

class Cluster {
 public:
  // `ops`: in order; those that may join. `readers`: of the whole region.
  Cluster(const Function& function, std::span<const Op> ops, std::size_t seed, RowSpace space,
          const Readers& readers, const machine::Core& core)
      : function_(function),
        ops_(ops),
        all_readers_(readers),
        space_(std::move(space)),
        reduces_(ops[seed].kind == OpKind::reduce),
        membership_(function, space_, reduces_),
        bytes_max_(core.sbuf.usable().value * band_percent / 100),
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
    if (!fits()) return;
    for (bool grew = true; grew;) {
      grew = false;
      for (const std::size_t next : neighbours()) {
        members_.insert(next);
        if (is_convex() && fits()) {
          grew = true;
        } else {
          members_.erase(next);
        }
      }
    }
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
      if (op.kind != OpKind::reduce && op.kind != OpKind::broadcast_in_dim &&
          membership_.is_full(op.results[0]))
        ++others;
    }
    return fits() && reductions > 0 && (others > 0 || reductions > 1);
  }

  // The operations with the cluster as one of them, and the place of the first that has moved.
  [[nodiscard]] std::pair<std::vector<Op>, std::size_t> condensed() const {
    const std::set<std::size_t> after = dependants();
    std::vector<Op> ops, behind;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (i == *members_.rbegin()) ops.push_back(composite());
      if (i == *members_.rbegin()) std::ranges::move(behind, std::back_inserter(ops));
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
      }
      for (const ValueId value : ops_[i].results) {
        if (const auto found = readers_.find(value); found != readers_.end())
          std::ranges::for_each(found->second, consider);
      }
    }
    return {all.begin(), all.end()};
  }

  // Not by the one that reads it on its way.
  [[nodiscard]] bool is_stored_anyway(ValueId value) const {
    const auto found = readers_.find(value);
    std::vector<std::size_t> outside;
    if (found != readers_.end())
      std::ranges::copy_if(found->second, std::back_inserter(outside),
                           [&](std::size_t reader) { return !members_.contains(reader); });
    if (outside.size() != 1) return true;
    const OpKind kind = ops_[outside.front()].kind;
    return kind == OpKind::return_ || kind == OpKind::dot_general || kind == OpKind::convolution;
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
    return op.kind == OpKind::reduce && !reduces(op, space_.row_dims);
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

  // What others read of the members' values.
  [[nodiscard]] std::vector<ValueId> results() const {
    std::vector<ValueId> results;
    for (const std::size_t i : members_) {
      const ValueId value = ops_[i].results[0];
      const auto found = readers_.find(value);
      const auto inside = found == readers_.end()
                              ? 0
                              : std::ranges::count_if(found->second, [&](std::size_t reader) {
                                  return members_.contains(reader);
                                });
      if (all_readers_[value] > inside) results.push_back(value);
    }
    return results;
  }

  [[nodiscard]] Op composite() const {
    std::vector<Op> ops;
    for (const std::size_t i : members_) ops.push_back(ops_[i]);
    const std::vector<ValueId> results = this->results();
    const graph::LocationId location = ops.back().location;
    ops.push_back({.kind = OpKind::return_, .operands = results});
    Op op{.kind = OpKind::composite, .results = results, .location = location};
    op.attributes = {{"name", {std::string(row_cluster_name)}},
                     {"row_dims", {static_cast<std::int64_t>(space_.row_dims)}},
                     {"shape", {space_.shape}},
                     {"parts", {space_.parts}}};
    op.regions.push_back({.arguments = {}, .ops = std::move(ops)});
    return op;
  }

  const Function& function_;
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
};

bool is_block(OpKind kind) {
  return kind == OpKind::while_ || kind == OpKind::case_ || kind == OpKind::if_;
}

void count(std::span<const Op> ops, int by, Readers& readers) {
  for (const Op& op : ops) {
    for (const ValueId value : values_read(op)) readers[value] += by;
  }
}

// Operations of one cluster stand at most so far from the reduction that it grows from: bounds the
// search in a program of many layers.
constexpr std::size_t reach = 200;

// `reduces`: clusters grow from reductions, else from elementwise operations.
bool cluster_in(const Function& function, Region& region, const machine::Core& core, bool reduces) {
  bool changed = false;
  std::set<ValueId> tried;  // results of the operations to grow from
  Readers readers(function.types.size(), 0);
  count(region.ops, 1, readers);
  for (std::size_t i = 0; i < region.ops.size(); ++i) {
    Op& op = region.ops[i];
    if (is_block(op.kind)) {
      for (Region& nested : op.regions) changed |= cluster_in(function, nested, core, reduces);
    }
    std::optional<RowSpace> space =
        reduces ? space_of(function, op) : elementwise_space_of(function, op, core);
    if (!space || !tried.insert(op.results[0]).second) continue;
    const std::size_t begin = i - std::min(i, reach);
    const std::size_t end = std::min(region.ops.size(), i + reach);
    const std::span<const Op> near(region.ops.data() + begin, end - begin);
    Cluster cluster(function, near, i - begin, std::move(*space), readers, core);
    if (!reduces && (op.kind == OpKind::broadcast_in_dim || !cluster.takes(i - begin))) continue;
    cluster.grow();
    if (!reduces) cluster.add_results(tried);
    if (!cluster.pays()) continue;
    auto [ops, first] = cluster.condensed();
    count(near, -1, readers);
    count(ops, 1, readers);
    const auto rest =
        std::ranges::move(ops, region.ops.begin() + static_cast<std::ptrdiff_t>(begin)).out;
    region.ops.erase(rest, region.ops.begin() + static_cast<std::ptrdiff_t>(end));
    changed = true;
    i = begin + first - 1;  // other operations stand there now
  }
  return changed;
}

}  // namespace

std::int64_t RowSpace::rows() const { return product_of(std::span(shape).first(row_dims)); }
std::int64_t RowSpace::columns() const { return product_of(std::span(shape).subspan(row_dims)); }

bool is_row_cluster(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == row_cluster_name;
}

RowSpace row_space_of(const Op& cluster) {
  const auto shape = cluster.integers("shape");
  return {{shape.begin(), shape.end()},
          static_cast<std::size_t>(cluster.integer("row_dims")),
          cluster.integer("parts")};
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
