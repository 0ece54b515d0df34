// How operations are divided: which dimensions of their results follow from which of their
// operands. What is not here is computed whole.
#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/stable_sort.h"
#include "graph/elementwise.h"
#include "graph/partition/partitioner.h"

namespace trainyard::graph {

namespace {

using Dims = std::vector<std::int64_t>;

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

bool holds(std::span<const std::int64_t> dims, std::size_t dim) {
  return std::ranges::find(dims, static_cast<std::int64_t>(dim)) != dims.end();
}

// A sharding of so many dimensions, filled dimension by dimension: no axis twice, one mesh.
class Choice {
 public:
  explicit Choice(std::size_t rank) { sharding_.dims.resize(rank); }

  // Whether the dimension is divided along exactly those axes of the mesh, now or already.
  bool take(std::size_t dim, const Sharding& from, const Axes& axes) {
    if (axes.empty() || from.mesh == nullptr) return false;
    if (sharding_.dims[dim] == axes && *sharding_.mesh == *from.mesh) return true;
    if (!sharding_.dims[dim].empty() || !may_use(from, axes)) return false;
    sharding_.mesh = from.mesh;
    sharding_.dims[dim] = axes;
    used_.insert(axes.begin(), axes.end());
    return true;
  }
  // Axes that divide something else of the operation.
  bool reserve(const Sharding& from, const Axes& axes) {
    if (axes.empty() || !may_use(from, axes)) return false;
    sharding_.mesh = from.mesh;
    used_.insert(axes.begin(), axes.end());
    return true;
  }
  [[nodiscard]] const Sharding& sharding() const { return sharding_; }

 private:
  [[nodiscard]] bool may_use(const Sharding& from, const Axes& axes) const {
    return from.mesh != nullptr && (sharding_.mesh == nullptr || *sharding_.mesh == *from.mesh) &&
           std::ranges::none_of(axes, [&](std::size_t axis) { return used_.contains(axis); });
  }
  Sharding sharding_;
  std::set<std::size_t> used_;
};

// The operands, those in most parts first.
std::vector<ValueId> by_parts(const Partitioner& p, std::span<const ValueId> operands) {
  std::vector<ValueId> sorted(operands.begin(), operands.end());
  base::stable_sort(sorted, std::ranges::greater(),
                    [&](ValueId value) { return p.sharding(value).parts(); });
  return sorted;
}

bool elementwise(Partitioner& p, const Op& op) {
  const Dims& shape = p.type(op.results.at(0)).shape;
  if (op.kind == OpKind::composite && !op.text("name").starts_with("chlo.")) return false;
  const auto is_same = [&](ValueId value) { return p.type(value).shape == shape; };
  for (const ValueId value : op.operands) {
    if (!is_same(value) && !p.type(value).shape.empty()) return false;
  }
  if (!std::ranges::all_of(op.results, is_same)) return false;
  if (op.kind == OpKind::composite && op.find("decomposition") != nullptr) return false;
  Choice choice(shape.size());
  for (const ValueId value : by_parts(p, op.operands)) {
    if (!is_same(value)) continue;
    const Sharding& from = p.sharding(value);
    for (std::size_t d = 0; d < shape.size(); ++d) choice.take(d, from, from.axes(d));
  }
  std::vector<ValueId> parts;
  for (const ValueId value : op.operands)
    parts.push_back(is_same(value) ? p.get(value, choice.sharding()) : p.whole(value));
  p.emit(op, std::move(parts), std::vector(op.results.size(), choice.sharding()));
  return true;
}

// Each operand is a result.
bool barrier(Partitioner& p, const Op& op) {
  std::vector<ValueId> parts;
  std::vector<Sharding> lie;
  for (const ValueId value : op.operands) {
    lie.push_back(p.sharding(value));
    parts.push_back(p.get(value, lie.back()));
  }
  p.emit(op, std::move(parts), lie);
  return true;
}

bool transpose(Partitioner& p, const Op& op) {
  const Sharding& from = p.sharding(op.operands[0]);
  Sharding to{.mesh = from.mesh};
  for (const std::int64_t dim : op.integers("permutation")) to.dims.push_back(from.axes(at(dim)));
  // Moved with the operation that makes it, before all devices' parts are added up.
  const Placed& placed = p.placed(op.operands[0]);
  if (!placed.partial.empty() && p.is_read_once(op.operands[0]))
    p.emit(op, {placed.part}, {to}, placed.partial);
  else
    p.emit(op, {p.get(op.operands[0], from)}, {to});
  return true;
}

bool broadcast(Partitioner& p, const Op& op) {
  const Dims &small = p.type(op.operands[0]).shape, &large = p.type(op.results[0]).shape;
  const std::span<const std::int64_t> dims = op.integers("broadcast_dimensions");
  const Sharding& from = p.sharding(op.operands[0]);
  Sharding given{.mesh = from.mesh, .dims = std::vector<Axes>(small.size())};
  Sharding to{.mesh = from.mesh, .dims = std::vector<Axes>(large.size())};
  for (std::size_t k = 0; k < small.size(); ++k) {
    if (small[k] == large[at(dims[k])]) given.dims[k] = to.dims[at(dims[k])] = from.axes(k);
  }
  p.emit(op, {p.get(op.operands[0], given)}, {to});
  return true;
}

// How the axes of dimensions [i0, i) divide dimensions [j0, j), which hold the same elements: from
// the slowest dimension on, as long as each is used up before the next one begins.
void divide_alike(const Sharding& from, const Dims& in, std::size_t i0, std::size_t i,
                  const Dims& out, std::size_t j0, std::size_t j, Sharding& given, Sharding& to) {
  std::size_t at = j0;
  std::int64_t left = j0 < j ? out[j0] : 1;  // of the dimension at hand
  for (std::size_t dim = i0; dim < i; ++dim) {
    for (const std::size_t axis : from.axes(dim)) {
      while (left == 1 && at + 1 < j) left = out[++at];
      const std::int64_t size = from.mesh->axes[axis].size;
      if (left % size != 0) return;
      left /= size;
      given.dims[dim].push_back(axis);
      to.dims[at].push_back(axis);
    }
    if (from.ways(dim) != in[dim]) return;
  }
}

// Dimensions that are joined or split stay divided where the slowest of them are.
bool reshape(Partitioner& p, const Op& op) {
  const Dims &in = p.type(op.operands[0]).shape, &out = p.type(op.results[0]).shape;
  if (p.type(op.operands[0]).elements() == 0) return false;
  const Sharding from = p.sharding(op.operands[0]);
  Sharding given{.mesh = from.mesh, .dims = std::vector<Axes>(in.size())};
  Sharding to{.mesh = from.mesh, .dims = std::vector<Axes>(out.size())};
  std::size_t i = 0, j = 0;
  while (i < in.size() && j < out.size()) {
    const std::size_t i0 = i, j0 = j;
    std::int64_t a = in[i++], b = out[j++];
    while (a != b) {
      if (a < b) {
        a *= in[i++];
      } else {
        b *= out[j++];
      }
    }
    divide_alike(from, in, i0, i, out, j0, j, given, to);
  }
  p.emit(op, {p.get(op.operands[0], given)}, {to});
  return true;
}

// The operands and results have the same rank; dimensions that `stays` says are divided alike, if
// they are as long in all of them.
template <typename Stays>
Sharding along(const Partitioner& p, const Op& op, std::span<const ValueId> values, Stays stays) {
  const Dims& shape = p.type(op.results[0]).shape;
  Choice choice(shape.size());
  for (const ValueId value : by_parts(p, values)) {
    const Sharding& from = p.sharding(value);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool is_same = std::ranges::all_of(
          values, [&](ValueId other) { return p.type(other).shape[d] == shape[d]; });
      if (is_same && stays(d)) choice.take(d, from, from.axes(d));
    }
  }
  return choice.sharding();
}

void set(Op& op, std::string_view name, decltype(Attribute::value) value) {
  std::ranges::find(op.attributes, name, &NamedAttribute::name)->value.value = std::move(value);
}

Dims part_sizes(std::span<const std::int64_t> sizes, const Sharding& sharding) {
  Dims parts(sizes.begin(), sizes.end());
  for (std::size_t d = 0; d < parts.size(); ++d) parts[d] /= sharding.ways(d);
  return parts;
}

bool slice(Partitioner& p, const Op& op) {
  const Sharding to =
      along(p, op, op.operands, [&](std::size_t d) { return op.integers("strides")[d] == 1; });
  Op mine = op;
  set(mine, "limit_indices", part_sizes(op.integers("limit_indices"), to));
  p.emit(mine, {p.get(op.operands[0], to)}, {to});
  return true;
}

bool pad(Partitioner& p, const Op& op) {
  const Sharding to = along(p, op, std::span(op.operands).first(1), [&](std::size_t d) {
    return op.integers("edge_padding_low")[d] == 0 && op.integers("edge_padding_high")[d] == 0 &&
           op.integers("interior_padding")[d] == 0;
  });
  p.emit(op, {p.get(op.operands[0], to), p.whole(op.operands[1])}, {to});
  return true;
}

bool reverse(Partitioner& p, const Op& op) {
  const auto dims = op.integers("dimensions");
  const Sharding to = along(p, op, op.operands, [&](std::size_t d) { return !holds(dims, d); });
  p.emit(op, {p.get(op.operands[0], to)}, {to});
  return true;
}

bool concatenate(Partitioner& p, const Op& op) {
  const std::size_t dim = at(op.integer("dimension"));
  const Sharding to = along(p, op, op.operands, [&](std::size_t d) { return d != dim; });
  std::vector<ValueId> parts;
  for (const ValueId value : op.operands) parts.push_back(p.get(value, to));
  p.emit(op, std::move(parts), {to});
  return true;
}

bool sort(Partitioner& p, const Op& op) {
  const std::int64_t rank = p.type(op.results[0]).rank(), given = op.integer("dimension");
  const std::size_t dim = at(given < 0 ? given + rank : given);
  const Sharding to = along(p, op, op.operands, [&](std::size_t d) { return d != dim; });
  std::vector<ValueId> parts;
  for (const ValueId value : op.operands) parts.push_back(p.get(value, to));
  p.emit(op, std::move(parts), std::vector(op.results.size(), to));
  return true;
}

bool dynamic_slice(Partitioner& p, const Op& op) {
  const Sharding to =
      along(p, op, std::span(op.operands).first(1), [](std::size_t) { return true; });
  Op mine = op;
  set(mine, "slice_sizes", part_sizes(op.integers("slice_sizes"), to));
  std::vector<ValueId> parts{p.get(op.operands[0], to)};
  for (std::size_t i = 1; i < op.operands.size(); ++i) parts.push_back(p.whole(op.operands[i]));
  p.emit(mine, std::move(parts), {to});
  return true;
}

bool dynamic_update(Partitioner& p, const Op& op) {
  const Sharding to =
      along(p, op, std::span(op.operands).first(2), [](std::size_t) { return true; });
  std::vector<ValueId> parts{p.get(op.operands[0], to), p.get(op.operands[1], to)};
  for (std::size_t i = 2; i < op.operands.size(); ++i) parts.push_back(p.whole(op.operands[i]));
  p.emit(op, std::move(parts), {to});
  return true;
}

// Whole where it lies on another mesh.
Sharding on_mesh_of(const Sharding& first, Sharding second) {
  const bool differs = !first.is_whole() && !second.is_whole() && *first.mesh != *second.mesh;
  return differs ? Sharding() : second;
}

bool dot(Partitioner& p, const Op& op) {
  const ValueId left = op.operands[0], right = op.operands[1];
  const Sharding l = p.sharding(left), r = on_mesh_of(l, p.sharding(right));
  const auto lb = op.integers("lhs_batching_dimensions"),
             rb = op.integers("rhs_batching_dimensions"),
             lc = op.integers("lhs_contracting_dimensions"),
             rc = op.integers("rhs_contracting_dimensions");
  const std::size_t l_rank = p.type(left).shape.size(), r_rank = p.type(right).shape.size();
  Choice result(p.type(op.results[0]).shape.size());
  Sharding want_l{.dims = std::vector<Axes>(l_rank)}, want_r{.dims = std::vector<Axes>(r_rank)};
  for (std::size_t k = 0; k < lb.size(); ++k) {
    if (!result.take(k, l, l.axes(at(lb[k])))) result.take(k, r, r.axes(at(rb[k])));
    want_l.dims[at(lb[k])] = want_r.dims[at(rb[k])] = result.sharding().axes(k);
  }
  // A contracted dimension is divided where both are, or where the other one need only be cut.
  Axes partial;
  for (std::size_t k = 0; k < lc.size(); ++k) {
    const Axes &a = l.axes(at(lc[k])), &b = r.axes(at(rc[k]));
    const auto may_cut = [](const Sharding& other, const Axes& axes) {
      return std::ranges::none_of(axes, [&](std::size_t axis) { return other.uses(axis); });
    };
    const bool by_left = !a.empty() && (a == b || (b.empty() && may_cut(r, a)));
    const bool by_right = !by_left && a.empty() && !b.empty() && may_cut(l, b);
    if (!by_left && !by_right) continue;
    const Axes& axes = by_left ? a : b;
    if (!result.reserve(by_left ? l : r, axes)) continue;
    want_l.dims[at(lc[k])] = want_r.dims[at(rc[k])] = axes;
    partial.insert(partial.end(), axes.begin(), axes.end());
  }
  std::size_t next = lb.size();
  const auto take_free = [&](std::size_t rank, const Sharding& from, Sharding& want, auto batch,
                             auto contract) {
    for (std::size_t d = 0; d < rank; ++d) {
      if (holds(batch, d) || holds(contract, d)) continue;
      if (result.take(next, from, from.axes(d))) want.dims[d] = from.axes(d);
      ++next;
    }
  };
  take_free(l_rank, l, want_l, lb, lc);
  take_free(r_rank, r, want_r, rb, rc);
  const Sharding to = result.sharding();
  want_l.mesh = want_r.mesh = to.mesh;
  std::vector<ValueId> parts{p.get(left, want_l), p.get(right, want_r)};
  p.emit(op, std::move(parts), {to}, partial);
  return true;
}

bool convolution(Partitioner& p, const Op& op) {
  if (op.integer("batch_group_count") != 1) return false;
  const Sharding l = p.sharding(op.operands[0]), r = on_mesh_of(l, p.sharding(op.operands[1]));
  const bool is_grouped = op.integer("feature_group_count") != 1;
  const std::size_t batch = at(op.integer("input_batch_dimension")),
                    in = at(op.integer("input_feature_dimension")),
                    kernel_in = at(op.integer("kernel_input_feature_dimension")),
                    kernel_out = at(op.integer("kernel_output_feature_dimension"));
  Choice result(p.type(op.results[0]).shape.size());
  Sharding want_l{.dims = std::vector<Axes>(p.type(op.operands[0]).shape.size())};
  Sharding want_r{.dims = std::vector<Axes>(p.type(op.operands[1]).shape.size())};
  if (result.take(at(op.integer("output_batch_dimension")), l, l.axes(batch)))
    want_l.dims[batch] = l.axes(batch);
  Axes partial;
  if (!is_grouped && l.axes(in) == r.axes(kernel_in) && result.reserve(l, l.axes(in)))
    partial = want_l.dims[in] = want_r.dims[kernel_in] = l.axes(in);
  if (!is_grouped && result.take(at(op.integer("output_feature_dimension")), r, r.axes(kernel_out)))
    want_r.dims[kernel_out] = r.axes(kernel_out);
  const Sharding to = result.sharding();
  want_l.mesh = want_r.mesh = to.mesh;
  std::vector<ValueId> parts{p.get(op.operands[0], want_l), p.get(op.operands[1], want_r)};
  p.emit(op, std::move(parts), {to}, partial);
  return true;
}

// The one operation of a region of two scalars.
const Op* only_op(const Region& region) {
  if (region.ops.size() != 2 || region.arguments.size() != 2) return nullptr;
  const Op& op = region.ops.front();
  const bool is_plain = op.operands.size() == 2 && op.operands[0] != op.operands[1] &&
                        std::ranges::all_of(op.operands, [&](ValueId value) {
                          return value == region.arguments[0] || value == region.arguments[1];
                        });
  return is_plain && region.ops.back().operands == op.results ? &op : nullptr;
}

bool reduce(Partitioner& p, const Op& op) {
  const std::size_t count = op.operands.size() / 2;
  const auto dims = op.integers("dimensions");
  const std::size_t rank = p.type(op.operands[0]).shape.size();
  const Op* const only = count == 1 ? only_op(op.regions.at(0)) : nullptr;
  // Once in each part, the initial value does not change these.
  const bool is_idempotent =
      only != nullptr && (only->kind == OpKind::maximum || only->kind == OpKind::minimum ||
                          only->kind == OpKind::and_ || only->kind == OpKind::or_);
  const bool is_sum = only != nullptr && only->kind == OpKind::add &&
                      p.type(op.results[0]).element != ElementType::pred &&
                      p.is_zero(op.operands[1]);
  Choice result(p.type(op.results[0]).shape.size());
  Sharding given{.dims = std::vector<Axes>(rank)};
  Axes partial;
  for (std::size_t i = 0; i < count; ++i) {
    const Sharding& from = p.sharding(op.operands[i]);
    std::size_t next = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      if (!holds(dims, d)) {
        if (result.take(next++, from, from.axes(d))) given.dims[d] = from.axes(d);
      } else if ((is_idempotent || is_sum) && result.reserve(from, from.axes(d))) {
        given.dims[d] = from.axes(d);
        partial.insert(partial.end(), from.axes(d).begin(), from.axes(d).end());
      }
    }
  }
  const Sharding to = result.sharding();
  given.mesh = to.mesh;
  std::vector<ValueId> parts;
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    parts.push_back(i < count ? p.get(op.operands[i], given) : p.whole(op.operands[i]));
  p.emit(op, std::move(parts), std::vector(op.results.size(), to), is_sum ? partial : Axes());
  if (is_idempotent && !partial.empty()) p.combine(op.results[0], op.regions[0], partial);
  return true;
}

// Rows of a table: parts of the list, and of rows that are taken whole.
bool gather(Partitioner& p, const Op& op) {
  if (!op.integers("operand_batching_dims").empty()) return false;
  const Sharding table = p.sharding(op.operands[0]), list = p.sharding(op.operands[1]);
  const auto offsets = op.integers("offset_dims"), sizes = op.integers("slice_sizes"),
             collapsed = op.integers("collapsed_slice_dims");
  const Dims &rows = p.type(op.operands[0]).shape, &indices = p.type(op.operands[1]).shape;
  const std::size_t vector_dim = at(op.integer("index_vector_dim"));
  Choice result(p.type(op.results[0]).shape.size());
  Sharding want_table{.dims = std::vector<Axes>(rows.size())};
  Sharding want_list{.dims = std::vector<Axes>(indices.size())};
  std::size_t from = 0;
  for (std::size_t d = 0; d < result.sharding().dims.size(); ++d) {
    if (holds(offsets, d)) continue;
    if (from == vector_dim) ++from;
    if (result.take(d, list, list.axes(from))) want_list.dims[from] = list.axes(from);
    ++from;
  }
  from = 0;
  for (const std::int64_t offset : offsets) {
    while (holds(collapsed, from)) ++from;
    if (sizes[from] == rows[from] && result.take(at(offset), table, table.axes(from)))
      want_table.dims[from] = table.axes(from);
    ++from;
  }
  const Sharding to = result.sharding();
  want_table.mesh = want_list.mesh = to.mesh;
  Op mine = op;
  set(mine, "slice_sizes", part_sizes(sizes, want_table));
  std::vector<ValueId> parts{p.get(op.operands[0], want_table), p.get(op.operands[1], want_list)};
  p.emit(mine, std::move(parts), {to});
  return true;
}

}  // namespace

bool divide(Partitioner& p, const Op& op) {
  for (const ValueId value : op.operands) {
    if (p.type(value).kind != Type::Kind::tensor) return false;
  }
  if (is_elementwise(op.kind) || op.kind == OpKind::composite) return elementwise(p, op);
  switch (op.kind) {
    case OpKind::broadcast_in_dim: return broadcast(p, op);
    case OpKind::concatenate: return concatenate(p, op);
    case OpKind::convolution: return convolution(p, op);
    case OpKind::dot_general: return dot(p, op);
    case OpKind::dynamic_slice: return dynamic_slice(p, op);
    case OpKind::dynamic_update_slice: return dynamic_update(p, op);
    case OpKind::gather: return gather(p, op);
    case OpKind::optimization_barrier: return barrier(p, op);
    case OpKind::pad: return pad(p, op);
    case OpKind::reduce: return reduce(p, op);
    case OpKind::reshape: return reshape(p, op);
    case OpKind::reverse: return reverse(p, op);
    case OpKind::slice: return slice(p, op);
    case OpKind::sort: return sort(p, op);
    case OpKind::transpose: return transpose(p, op);
    default: return false;
  }
}

}  // namespace trainyard::graph
