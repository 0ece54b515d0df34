#include "compiler/lowering/walk/layout_regions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/clusters/elementwise_clusters.h"
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

// What one instruction of the array multiplies.
constexpr std::int64_t stationary = 128, moving = 512;

bool is_product(const Op& op) { return op.kind == OpKind::dot_general && op.operands.size() == 2; }

// How many of the last dimensions of its value are columns.
std::size_t columns_of(const Function& function, const Op& product) {
  return static_cast<std::size_t>(function.type(product.operands[1]).rank()) -
         product.integers("rhs_batching_dimensions").size() -
         product.integers("rhs_contracting_dimensions").size();
}

// Whether a product sums over the last `columns` dimensions of the value, and over no others of it.
bool sums_over_columns(const Function& function, const Op& product, ValueId value,
                       std::size_t columns) {
  const auto rank = static_cast<std::size_t>(function.type(value).rank());
  const auto agrees = [&](std::size_t side, const char* name) {
    if (product.operands[side] != value) return true;
    const auto dims = product.integers(name);
    return dims.size() == columns && std::ranges::all_of(dims, [&](std::int64_t dim) {
             return static_cast<std::size_t>(dim) >= rank - columns;
           });
  };
  return agrees(0, "lhs_contracting_dimensions") && agrees(1, "rhs_contracting_dimensions");
}

std::int64_t instructions_of(const Function& function, const Op& product) {
  const Type& left = function.type(product.operands[0]);
  std::int64_t depth = 1;
  for (const std::int64_t dim : product.integers("lhs_contracting_dimensions"))
    depth *= left.shape[static_cast<std::size_t>(dim)];
  const std::int64_t rows = left.elements() / std::max<std::int64_t>(1, depth);
  const std::int64_t columns =
      function.type(product.results[0]).elements() / std::max<std::int64_t>(1, rows);
  return base::ceil_div(rows, stationary) * base::ceil_div(depth, stationary) *
         base::ceil_div(columns, moving);
}

class Finder {
 public:
  Finder(const Function& function, const Region& region) : function_(function), region_(region) {
    for (const Op& op : region.ops) {
      for (const ValueId value : values_read(op)) readers_[value].push_back(&op);
      for (const ValueId value : op.results) makers_[value] = &op;
    }
  }

  std::vector<LayoutRegion> find() {
    for (const Op& op : region_.ops) {
      if (!is_product(op)) continue;
      std::set<const Op*> ops{&op};
      if (reaches_only_products(op.results[0], columns_of(function_, op), ops)) join(&op, ops);
    }
    std::vector<LayoutRegion> regions;
    for (const Joined& each : joined_)
      if (!each.products.empty()) regions.push_back(region_of(each));
    return regions;
  }

 private:
  struct Joined {
    std::set<const Op*> ops;
    std::vector<const Op*> products;
  };

  [[nodiscard]] bool passes_on(const Op& op, ValueId value) const {
    const std::vector<std::int64_t>& shape = function_.type(value).shape;
    const bool is_known =
        is_elementwise_cluster(op) || (op.regions.empty() && lowers_elementwise(op, function_));
    return is_known && std::ranges::all_of(op.results, [&](ValueId result) {
             return function_.type(result).shape == shape;
           });
  }

  // Whether only products read the value, or what is computed of it element by element.
  bool reaches_only_products(ValueId value, std::size_t columns, std::set<const Op*>& ops) const {
    const auto readers = readers_.find(value);
    if (readers == readers_.end()) return false;
    for (const Op* const op : readers->second) {
      if (is_product(*op)) {
        if (!sums_over_columns(function_, *op, value, columns)) return false;
        ops.insert(op);
        continue;
      }
      if (!passes_on(*op, value)) return false;
      if (!ops.insert(op).second) continue;
      for (const ValueId result : op->results)
        if (!reaches_only_products(result, columns, ops)) return false;
    }
    return true;
  }

  // Into the region that has one of these operations; several become one.
  void join(const Op* product, const std::set<const Op*>& ops) {
    Joined all{ops, {product}};
    std::erase_if(joined_, [&](Joined& each) {
      const bool meets = std::ranges::any_of(ops, [&](auto* op) { return each.ops.contains(op); });
      if (!meets) return false;
      all.ops.merge(each.ops);
      all.products.insert(all.products.end(), each.products.begin(), each.products.end());
      return true;
    });
    joined_.push_back(std::move(all));
  }

  // What moves elements on their way to an operation of the region belongs to it.
  void add_moves(ValueId value, std::set<const Op*>& ops) const {
    const auto found = makers_.find(value);
    if (found == makers_.end() || ops.contains(found->second)) return;
    const Op& op = *found->second;
    if (op.kind != OpKind::constant && op.kind != OpKind::convert &&
        !graph::is(op.kind, graph::Trait::arrange))
      return;
    ops.insert(&op);
    for (const ValueId operand : op.operands) add_moves(operand, ops);
  }

  [[nodiscard]] LayoutRegion region_of(const Joined& joined) const {
    std::set<const Op*> ops = joined.ops;
    for (const Op* const op : joined.ops)
      for (const ValueId value : values_read(*op)) add_moves(value, ops);
    LayoutRegion region;
    for (const Op& op : region_.ops) {
      if (!ops.contains(&op)) continue;
      region.ops.push_back(&op);
      if (std::ranges::find(joined.products, &op) != joined.products.end())
        region.products.push_back(&op);
      if (is_product(op)) region.instructions_min += instructions_of(function_, op);
      if (!joined.ops.contains(&op)) continue;
      for (const ValueId value : op.results) {
        const auto readers = readers_.find(value);
        if (readers != readers_.end() && std::ranges::any_of(readers->second, [&](auto* reader) {
              return !ops.contains(reader);
            }))
          region.results.push_back(value);
      }
    }
    return region;
  }

  const Function& function_;
  const Region& region_;
  std::map<ValueId, std::vector<const Op*>> readers_{};
  std::map<ValueId, const Op*> makers_{};
  std::vector<Joined> joined_{};
};

}  // namespace

std::vector<LayoutRegion> layout_regions(const Function& function, const Region& region) {
  if (std::ranges::count_if(region.ops, is_product) < 2) return {};
  return Finder(function, region).find();
}

}  // namespace trainyard::compiler
