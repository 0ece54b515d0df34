// The factors of operations, one function for each kind.
#include <algorithm>
#include <numeric>
#include <span>

#include "graph/elementwise.h"
#include "graph/partition/factors.h"

namespace trainyard::graph {

namespace {

using Dims = std::vector<std::int64_t>;
using Kind = Factor::Kind;
using Numbers = std::span<const std::int64_t>;

std::size_t at(std::int64_t dim) { return static_cast<std::size_t>(dim); }

bool holds(Numbers dims, std::size_t dim) {
  return std::ranges::find(dims, static_cast<std::int64_t>(dim)) != dims.end();
}

// The factors of one operation, as they are found.
class Making {
 public:
  Making(const Op& op, const Facts& facts) : op_(op), facts_(facts) {
    for (const ValueId value : op.operands) made_.operands.emplace_back(shape(value).size());
    for (const ValueId value : op.results) made_.results.emplace_back(shape(value).size());
  }

  [[nodiscard]] const Op& op() const { return op_; }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] const Dims& shape(ValueId value) const { return facts_.type(value).shape; }
  [[nodiscard]] const Dims& operand(std::size_t i) const { return shape(op_.operands.at(i)); }
  [[nodiscard]] const Dims& result(std::size_t i = 0) const { return shape(op_.results.at(i)); }

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
  Factors take() { return std::move(made_); }

 private:
  const Op& op_;
  const Facts& facts_;
  Factors made_;
};

using Made = bool;  // whether the operation can be divided

// As CHLO's functions are; others may be anything.
bool is_known_function(const Op& op) {
  return op.kind != OpKind::composite ||
         (op.text("name").starts_with("chlo.") && op.find("decomposition") == nullptr);
}

Made elementwise(Making& make) {
  const Op& op = make.op();
  const Dims& shape = make.result();
  const auto is_same = [&](ValueId value) { return make.shape(value) == shape; };
  for (const ValueId value : op.operands) {
    if (!is_same(value) && !make.shape(value).empty()) return false;
  }
  if (!std::ranges::all_of(op.results, is_same)) return false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const std::size_t factor = make.add(shape[d]);
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (is_same(op.operands[i])) make.of_operand(i, d, factor);
    }
    for (std::size_t i = 0; i < op.results.size(); ++i) make.of_result(i, d, factor);
  }
  return true;
}

// Every part can be made by itself.
Made made_alone(Making& make) {
  const Op& op = make.op();
  if (op.kind == OpKind::constant && !op.literal("value").splat) return false;
  for (std::size_t d = 0; d < make.result().size(); ++d)
    make.of_result(0, d, make.add(make.result()[d]));
  return true;
}

Made transpose(Making& make) {
  const Numbers permutation = make.op().integers("permutation");
  for (std::size_t d = 0; d < permutation.size(); ++d) make.keep(at(permutation[d]), d);
  return true;
}

Made broadcast(Making& make) {
  const Numbers dims = make.op().integers("broadcast_dimensions");
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    const std::size_t factor = make.add(make.result()[d]);
    make.of_result(0, d, factor);
    const auto from = std::ranges::find(dims, static_cast<std::int64_t>(d));
    const auto k = static_cast<std::size_t>(from - dims.begin());
    if (from != dims.end() && make.operand(0)[k] == make.result()[d]) make.of_operand(0, k, factor);
  }
  return true;
}

// Dimensions [i0, i) that hold the elements of [j0, j): their common divisors, the slowest first,
// as long as one divides the other.
void split(Making& make, std::size_t i0, std::size_t i, std::size_t j0, std::size_t j) {
  std::int64_t a = 1, b = 1;
  while (true) {
    while (a == 1 && i0 < i) a = make.operand(0)[i0++];
    while (b == 1 && j0 < j) b = make.result()[j0++];
    const std::int64_t size = std::gcd(a, b);
    if (size == 1) return;
    const std::size_t factor = make.add(size);
    make.of_operand(0, i0 - 1, factor);
    make.of_result(0, j0 - 1, factor);
    a /= size;
    b /= size;
  }
}

Made reshape(Making& make) {
  const Dims &in = make.operand(0), &out = make.result();
  if (make.facts().type(make.op().operands[0]).elements() == 0) return false;
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
    split(make, i0, i, j0, j);
  }
  return true;
}

// `count` operands and the results have one rank; dimensions that `stays` says, and that are as
// long in all of them, are divided alike.
Made along(Making& make, std::size_t count, auto stays) {
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    bool is_same = stays(d);
    for (std::size_t i = 0; i < count; ++i) is_same &= make.operand(i)[d] == make.result()[d];
    if (is_same) make.stay(d, count);
  }
  return true;
}

Made slice(Making& make) {
  return along(make, 1, [&](std::size_t d) { return make.op().integers("strides")[d] == 1; });
}

Made pad(Making& make) {
  const Op& op = make.op();
  return along(make, 1, [&](std::size_t d) {
    return op.integers("edge_padding_low")[d] == 0 && op.integers("edge_padding_high")[d] == 0 &&
           op.integers("interior_padding")[d] == 0;
  });
}

Made reverse(Making& make) {
  return along(make, 1, [&](std::size_t d) { return !holds(make.op().integers("dimensions"), d); });
}

Made concatenate(Making& make) {
  const std::size_t dim = at(make.op().integer("dimension"));
  return along(make, make.op().operands.size(), [&](std::size_t d) { return d != dim; });
}

Made sort(Making& make) {
  const std::int64_t rank = std::ssize(make.result()), given = make.op().integer("dimension");
  const std::size_t dim = at(given < 0 ? given + rank : given);
  return along(make, make.op().operands.size(), [&](std::size_t d) { return d != dim; });
}

Made top_k(Making& make) {
  const std::size_t rows = make.result().size() - 1;
  return along(make, 1, [&](std::size_t d) { return d < rows; });
}

Made dynamic_slice(Making& make) {
  return along(make, 1, [](std::size_t) { return true; });
}

Made dynamic_update(Making& make) {
  return along(make, 2, [](std::size_t) { return true; });
}

// All but the last `count` dimensions, of so many operands.
Made leading(Making& make, std::size_t count, std::size_t operands) {
  const std::size_t rank = make.result().size();
  return along(make, operands, [&](std::size_t d) { return d + count < rank; });
}

Made triangular_solve(Making& make) {
  const std::size_t rank = make.result().size();
  leading(make, 2, 2);
  const std::size_t column = make.op().flag("left_side", true) ? rank - 1 : rank - 2;
  const std::size_t factor = make.add(make.result()[column]);
  make.of_operand(1, column, factor);
  make.of_result(0, column, factor);
  return true;
}

Made dot(Making& make) {
  const Numbers lb = make.op().integers("lhs_batching_dimensions"),
                rb = make.op().integers("rhs_batching_dimensions"),
                lc = make.op().integers("lhs_contracting_dimensions"),
                rc = make.op().integers("rhs_contracting_dimensions");
  for (std::size_t k = 0; k < lb.size(); ++k) {
    const std::size_t factor = make.add(make.result()[k]);
    make.of_operand(0, at(lb[k]), factor);
    make.of_operand(1, at(rb[k]), factor);
    make.of_result(0, k, factor);
  }
  for (std::size_t k = 0; k < lc.size(); ++k) {
    const std::size_t factor = make.add(make.operand(0)[at(lc[k])], Kind::summed);
    make.of_operand(0, at(lc[k]), factor);
    make.of_operand(1, at(rc[k]), factor);
  }
  std::size_t next = lb.size();
  const auto add_free = [&](std::size_t side, Numbers batch, Numbers contract) {
    for (std::size_t d = 0; d < make.operand(side).size(); ++d) {
      if (holds(batch, d) || holds(contract, d)) continue;
      const std::size_t factor = make.add(make.operand(side)[d]);
      make.of_operand(side, d, factor);
      make.of_result(0, next++, factor);
    }
  };
  add_free(0, lb, lc);
  add_free(1, rb, rc);
  return true;
}

Made convolution(Making& make) {
  const Op& op = make.op();
  if (op.integer("batch_group_count") != 1) return false;
  const std::int64_t groups = op.integer("feature_group_count");
  const std::size_t batch = at(op.integer("input_batch_dimension")),
                    in = at(op.integer("input_feature_dimension")),
                    kernel_in = at(op.integer("kernel_input_feature_dimension")),
                    kernel_out = at(op.integer("kernel_output_feature_dimension")),
                    out = at(op.integer("output_feature_dimension"));
  make.keep(batch, at(op.integer("output_batch_dimension")));
  if (groups > 1) {
    const std::size_t group = make.add(groups);
    make.of_operand(0, in, group);
    make.of_operand(1, kernel_out, group);
    make.of_result(0, out, group);
    return true;
  }
  const std::size_t depth = make.add(make.operand(0)[in], Kind::summed);
  make.of_operand(0, in, depth);
  make.of_operand(1, kernel_in, depth);
  const std::size_t channel = make.add(make.result()[out]);
  make.of_operand(1, kernel_out, channel);
  make.of_result(0, out, channel);
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

bool is_sum(const Region& region, ElementType element) {
  const Op* const only = only_op(region);
  return only != nullptr && only->kind == OpKind::add && element != ElementType::pred;
}

// Values that are combined twice do not change the result of these.
bool is_idempotent(const Region& region) {
  const Op* const only = only_op(region);
  return only != nullptr && (only->kind == OpKind::maximum || only->kind == OpKind::minimum ||
                             only->kind == OpKind::and_ || only->kind == OpKind::or_);
}

Made reduce(Making& make) {
  const Op& op = make.op();
  const std::size_t count = op.operands.size() / 2;
  const Numbers dims = op.integers("dimensions");
  const ElementType element = make.facts().type(op.results[0]).element;
  const bool sums =
      count == 1 && is_sum(op.regions.at(0), element) && make.facts().is_zero(op.operands[1]);
  const bool combines = count == 1 && is_idempotent(op.regions.at(0));
  std::size_t next = 0;
  for (std::size_t d = 0; d < make.operand(0).size(); ++d) {
    const bool is_kept = !holds(dims, d);
    if (!is_kept && !sums && !combines) continue;
    const std::size_t factor = make.add(make.operand(0)[d], is_kept ? Kind::kept
                                                            : sums  ? Kind::summed
                                                                    : Kind::combined);
    for (std::size_t i = 0; i < count; ++i) {
      make.of_operand(i, d, factor);
      if (is_kept) make.of_result(i, next, factor);
    }
    if (is_kept) ++next;
  }
  return true;
}

// Whether windows are single elements along the dimension.
bool is_pointwise(const Op& op, std::size_t d) {
  const auto is_one = [&](std::string_view name) {
    return op.find(name) == nullptr || op.integers(name)[d] == 1;
  };
  const bool has_no_edge =
      op.find("padding") == nullptr ||
      (op.integers("padding")[2 * d] == 0 && op.integers("padding")[2 * d + 1] == 0);
  return has_no_edge && is_one("window_dimensions") && is_one("window_strides") &&
         is_one("window_dilations") && is_one("base_dilations");
}

Made windows(Making& make, std::size_t count) {
  return along(make, count, [&](std::size_t d) { return is_pointwise(make.op(), d); });
}

// Lists of places: parts of the list, of what is taken whole at a place, and of a table that is
// indexed along one dimension the rows that a device has.
Made gather(Making& make) {
  const Op& op = make.op();
  const Numbers offsets = op.integers("offset_dims"), sizes = op.integers("slice_sizes"),
                collapsed = op.integers("collapsed_slice_dims"),
                batch = op.integers("operand_batching_dims"),
                list_batch = op.integers("start_indices_batching_dims"),
                mapped = op.integers("start_index_map");
  const std::size_t vector_dim = at(op.integer("index_vector_dim"));
  std::size_t from = 0;
  for (std::size_t d = 0; d < make.result().size(); ++d) {
    if (holds(offsets, d)) continue;
    if (from == vector_dim) ++from;
    const std::size_t factor = make.add(make.operand(1)[from]);
    make.of_operand(1, from, factor);
    make.of_result(0, d, factor);
    const auto k = std::ranges::find(list_batch, static_cast<std::int64_t>(from));
    if (k != list_batch.end())
      make.of_operand(0, at(batch[static_cast<std::size_t>(k - list_batch.begin())]), factor);
    ++from;
  }
  from = 0;
  for (const std::int64_t offset : offsets) {
    while (holds(collapsed, from) || holds(batch, from)) ++from;
    if (sizes[from] == make.operand(0)[from]) make.keep(from, at(offset));
    ++from;
  }
  const bool has_zero = make.facts().type(op.results[0]).element != ElementType::pred;
  if (mapped.size() == 1 && holds(collapsed, at(mapped[0])) && has_zero)
    make.of_operand(0, at(mapped[0]), make.add(make.operand(0)[at(mapped[0])], Kind::picked));
  return true;
}

// The same places, written.
Made scatter(Making& make) {
  const Op& op = make.op();
  if (op.operands.size() != 3) return false;
  const Numbers windows = op.integers("update_window_dims"),
                inserted = op.integers("inserted_window_dims"),
                batch = op.integers("input_batching_dims"),
                list_batch = op.integers("scatter_indices_batching_dims"),
                mapped = op.integers("scatter_dims_to_operand_dims");
  const std::size_t vector_dim = at(op.integer("index_vector_dim"));
  std::size_t from = 0;
  for (const std::int64_t window : windows) {
    while (holds(inserted, from) || holds(batch, from)) ++from;
    if (make.operand(2)[at(window)] == make.operand(0)[from] && !holds(mapped, from)) {
      const std::size_t factor = make.add(make.operand(0)[from]);
      make.of_operand(0, from, factor);
      make.of_operand(2, at(window), factor);
      make.of_result(0, from, factor);
    }
    ++from;
  }
  if (mapped.size() == 1 && holds(inserted, at(mapped[0]))) make.keep(at(mapped[0]), at(mapped[0]));
  const bool sums = is_sum(op.regions.at(0), make.facts().type(op.results[0]).element);
  from = 0;
  for (std::size_t d = 0; d < make.operand(2).size(); ++d) {
    if (holds(windows, d)) continue;
    if (from == vector_dim) ++from;
    const auto k = std::ranges::find(list_batch, static_cast<std::int64_t>(from));
    if (sums || k != list_batch.end()) {
      const std::size_t factor =
          make.add(make.operand(2)[d], k != list_batch.end() ? Kind::kept : Kind::summed);
      make.of_operand(1, from, factor);
      make.of_operand(2, d, factor);
      if (k != list_batch.end()) {
        const std::size_t dim = at(batch[static_cast<std::size_t>(k - list_batch.begin())]);
        make.of_operand(0, dim, factor);
        make.of_result(0, dim, factor);
      }
    }
    ++from;
  }
  return true;
}

Made find(Making& make) {
  const Op& op = make.op();
  if (op.kind == OpKind::composite && op.text("name") == "chlo.top_k") return top_k(make);
  if (is_elementwise(op.kind) || op.kind == OpKind::composite)
    return is_known_function(op) && elementwise(make);
  switch (op.kind) {
    case OpKind::broadcast_in_dim: return broadcast(make);
    case OpKind::cholesky: return leading(make, 2, 1);
    case OpKind::concatenate: return concatenate(make);
    case OpKind::constant:
    case OpKind::iota: return made_alone(make);
    case OpKind::convolution: return convolution(make);
    case OpKind::dot_general: return dot(make);
    case OpKind::dynamic_slice: return dynamic_slice(make);
    case OpKind::dynamic_update_slice: return dynamic_update(make);
    case OpKind::fft: return leading(make, op.integers("fft_length").size(), 1);
    case OpKind::gather: return gather(make);
    case OpKind::pad: return pad(make);
    case OpKind::reduce: return reduce(make);
    case OpKind::reduce_window: return windows(make, op.operands.size() / 2);
    case OpKind::reshape: return reshape(make);
    case OpKind::reverse: return reverse(make);
    case OpKind::scatter: return scatter(make);
    case OpKind::select_and_scatter: return windows(make, 2);
    case OpKind::slice: return slice(make);
    case OpKind::sort: return sort(make);
    case OpKind::transpose: return transpose(make);
    case OpKind::triangular_solve: return triangular_solve(make);
    default: return false;
  }
}

std::optional<Factors> made_by(Made (*how)(Making& make), const Op& op, const Facts& facts) {
  for (const auto& values : {op.operands, op.results}) {
    for (const ValueId value : values) {
      if (facts.type(value).kind != Type::Kind::tensor) return std::nullopt;
    }
  }
  Making make(op, facts);
  if (!how(make)) return std::nullopt;
  return make.take();
}

}  // namespace

std::optional<Factors> factors_of(const Op& op, const Facts& facts) {
  return made_by(find, op, facts);
}

std::optional<Factors> factors_of_elementwise(const Op& op, const Facts& facts) {
  return made_by(elementwise, op, facts);
}

}  // namespace trainyard::graph
