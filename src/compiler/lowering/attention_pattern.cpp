#include "compiler/lowering/attention_pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "compiler/lowering/attention.h"
#include "compiler/lowering/elementwise.h"
#include "compiler/lowering/product.h"
#include "compiler/lowering/reduction.h"
#include "compiler/lowering/values.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr std::int64_t repeats = AttentionShape::repeats;
// A score that is replaced by such a number counts for nothing beside any other.
constexpr double masked_max = -1e9;
// Fewer rows leave partitions idle.
constexpr std::int64_t queries_min = 64;

// Which dimensions of the operands a dot_general's result has, in order: batches as pairs, then the
// free ones of the left, then of the right operand.
struct DotDims {
  struct Dim {
    std::int64_t left = repeats, right = repeats;
  };
  std::vector<Dim> dims;
  std::int64_t left_depth = repeats, right_depth = repeats;
};
std::optional<DotDims> dims_of(const Function& function, const Op& dot) {
  const auto left_batches = dot.integers("lhs_batching_dimensions"),
             right_batches = dot.integers("rhs_batching_dimensions"),
             left_depth = dot.integers("lhs_contracting_dimensions"),
             right_depth = dot.integers("rhs_contracting_dimensions");
  if (left_depth.size() != 1) return std::nullopt;
  DotDims result{.dims = {}, .left_depth = left_depth[0], .right_depth = right_depth[0]};
  for (std::size_t i = 0; i < left_batches.size(); ++i)
    result.dims.push_back({left_batches[i], right_batches[i]});
  const auto add_free = [&](ValueId operand, auto batches, std::int64_t depth, bool is_left) {
    for (std::int64_t dim = 0; dim < function.type(operand).rank(); ++dim) {
      if (dim == depth || std::ranges::find(batches, dim) != batches.end()) continue;
      result.dims.push_back(is_left ? DotDims::Dim{.left = dim} : DotDims::Dim{.right = dim});
    }
  };
  add_free(dot.operands[0], left_batches, left_depth[0], true);
  add_free(dot.operands[1], right_batches, right_depth[0], false);
  return result;
}

// Walks from the product with the values up to the one that makes the scores.
class Matcher {
 public:
  Matcher(const Function& function, const Definitions& definitions, const std::vector<int>& readers,
          const machine::Core& core)
      : function_(function), definitions_(definitions), readers_(readers), core_(core) {}

  struct Found {
    AttentionShape shape;
    ValueId queries = 0, keys = 0, values = 0, result = 0;
    std::set<const Op*> members{};
  };

  [[nodiscard]] std::optional<Found> at(const Op& dot) {
    for (const bool weights_are_left : {true, false}) {
      found_ = {};
      if (matches(dot, weights_are_left) && is_closed(dot) &&
          attention_fits(found_.shape, function_.type(found_.queries).element,
                         function_.type(found_.values).element, core_))
        return found_;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] const Op* definition(ValueId value) const {
    const auto found = definitions_.find(value);
    return found == definitions_.end() ? nullptr : found->second;
  }
  // The operation that defines a value, as part of what is found.
  const Op* member(ValueId value, OpKind kind) {
    const Op* const op = definition(value);
    if (op == nullptr || op->kind != kind) return nullptr;
    found_.members.insert(op);
    return op;
  }
  ValueId without_casts(ValueId value) {
    while (const Op* const op = definition(value)) {
      if (op->kind != OpKind::convert || !graph::is_float(type(op->operands[0]).element)) break;
      found_.members.insert(op);
      value = op->operands[0];
    }
    return value;
  }

  // Nobody but its own operations reads what lies between.
  [[nodiscard]] bool is_closed(const Op& dot) const {
    std::map<ValueId, int> inside;
    for (const Op* const op : found_.members)
      for (const ValueId value : values_read(*op)) ++inside[value];
    return std::ranges::all_of(found_.members, [&](const Op* op) {
      return op == &dot || readers_[op->results[0]] == inside[op->results[0]];
    });
  }

  bool matches(const Op& dot, bool weights_are_left) {
    found_.members.insert(&dot);
    const ValueId given = dot.operands[weights_are_left ? 0 : 1];
    found_.values = dot.operands[weights_are_left ? 1 : 0];
    found_.result = dot.results[0];
    found_.shape.weights = type(given).element;
    const auto scores = softmax(given);
    if (!scores || type(*scores).rank() < 2) return false;
    shape_ = type(*scores).shape;
    return reads_values(dot, weights_are_left) && reads_scores(*scores);
  }

  // What a softmax along the last dimension is of.
  std::optional<ValueId> softmax(ValueId value) {
    const Op* const quotient = member(without_casts(value), OpKind::divide);
    if (quotient == nullptr) return std::nullopt;
    const ValueId numerator = without_casts(quotient->operands[0]);
    const Op* const power = member(numerator, OpKind::exponential);
    if (power == nullptr || reduced(quotient->operands[1], numerics::AluOp::add) != numerator)
      return std::nullopt;
    const Op* const shifted = member(without_casts(power->operands[0]), OpKind::subtract);
    if (shifted == nullptr) return std::nullopt;
    const ValueId scores = without_casts(shifted->operands[0]);
    if (reduced(shifted->operands[1], numerics::AluOp::maximum) != scores) return std::nullopt;
    return scores;
  }

  // The value whose rows' reductions along the last dimension the given one repeats.
  std::optional<ValueId> reduced(ValueId value, numerics::AluOp how) {
    const std::size_t rank = type(value).shape.size();
    std::vector<std::size_t> places;  // of the value at hand's dimensions in the one that began
    for (std::size_t i = 0; i < rank; ++i) places.push_back(i);
    while (const Op* const op = definition(value)) {
      const std::vector<std::int64_t>& shape = type(op->results[0]).shape;
      if (op->kind == OpKind::reduce) return reduction(*op, places, rank, how);
      found_.members.insert(op);
      switch (op->kind) {
        case OpKind::convert: break;
        case OpKind::maximum: {  // with minus infinity, as a maximum's initial value
          const auto low = splat_number(definitions_, op->operands[0]);
          if (!low || !std::isinf(*low) || *low > 0) return std::nullopt;
          value = op->operands[1];
          continue;
        }
        case OpKind::broadcast_in_dim: {
          std::vector<std::size_t> inner;
          for (const std::int64_t dim : op->integers("broadcast_dimensions"))
            inner.push_back(places[static_cast<std::size_t>(dim)]);
          places = std::move(inner);
          break;
        }
        case OpKind::reshape: {  // that adds or leaves out single-element dimensions
          const std::vector<std::int64_t>& from = type(op->operands[0]).shape;
          std::vector<std::size_t> inner;
          std::size_t k = 0;
          for (const std::int64_t size : from) {
            while (k < shape.size() && shape[k] == 1 && size != 1) ++k;
            if (k == shape.size() || (shape[k] != size)) return std::nullopt;
            inner.push_back(places[k++]);
          }
          places = std::move(inner);
          break;
        }
        default: return std::nullopt;
      }
      value = op->operands[0];
    }
    return std::nullopt;
  }
  std::optional<ValueId> reduction(const Op& op, const std::vector<std::size_t>& places,
                                   std::size_t rank, numerics::AluOp how) {
    if (op.results.size() != 1) return std::nullopt;
    const Type& from = type(op.operands[0]);
    const auto dims = op.integers("dimensions");
    const auto own = reduction_of(op.regions.at(0), type(op.results[0]).element);
    const auto initial = splat_number(definitions_, op.operands[1]);
    if (from.shape.size() != rank || dims.size() != 1 || own != how ||
        dims[0] + 1 != static_cast<std::int64_t>(rank) || !initial)
      return std::nullopt;
    const bool begins =
        how == numerics::AluOp::add ? *initial == 0 : std::isinf(*initial) && *initial < 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] != i && from.shape[i] != 1) return std::nullopt;
    if (!begins) return std::nullopt;
    found_.members.insert(&op);
    return without_casts(op.operands[0]);
  }

  bool reads_values(const Op& dot, bool weights_are_left) {
    const auto dims = dims_of(function_, dot);
    if (!dims) return false;
    const auto rank = static_cast<std::int64_t>(shape_.size());
    AttentionShape& shape = found_.shape;
    shape.value_dims.assign(shape_.size(), repeats);
    shape.result_dims.assign(shape_.size(), repeats);
    if ((weights_are_left ? dims->left_depth : dims->right_depth) != rank - 1) return false;
    int columns = 0;
    for (std::size_t i = 0; i < dims->dims.size(); ++i) {
      const auto weight = weights_are_left ? dims->dims[i].left : dims->dims[i].right;
      const auto value = weights_are_left ? dims->dims[i].right : dims->dims[i].left;
      const auto place = static_cast<std::int64_t>(i);
      if (weight == repeats) {
        if (++columns > 1) return false;
        shape.value_dims.push_back(value);
        shape.result_dims.push_back(place);
        shape.columns = type(dot.results[0]).shape[i];
      } else {
        shape.result_dims[static_cast<std::size_t>(weight)] = place;
        if (value != repeats) shape.value_dims[static_cast<std::size_t>(weight)] = value;
      }
    }
    const std::size_t query = shape_.size() - 2;
    if (columns != 1 || shape.value_dims[query] != repeats) return false;
    // outer..., query, key, column: without the key, and without the query
    shape.result_dims.erase(shape.result_dims.begin() + static_cast<std::ptrdiff_t>(query) + 1);
    shape.value_dims.erase(shape.value_dims.begin() + static_cast<std::ptrdiff_t>(query));
    shape.value_dims[query] = weights_are_left ? dims->right_depth : dims->left_depth;
    return true;
  }

  // From what the softmax is of to the product.
  bool reads_scores(ValueId value) {
    AttentionShape& shape = found_.shape;
    std::vector<std::int64_t> places;  // of the dimensions in the value at hand
    for (std::size_t i = 0; i < shape_.size(); ++i) places.push_back(static_cast<std::int64_t>(i));
    while (const Op* const op = definition(value)) {
      found_.members.insert(op);
      const auto numbered = [&](std::size_t side) {
        return splat_number(definitions_, op->operands[side]);
      };
      switch (op->kind) {
        case OpKind::convert:
          if (!graph::is_float(type(op->operands[0]).element)) return false;
          value = op->operands[0];
          break;
        case OpKind::multiply: {
          const std::size_t side = numbered(1) ? 1 : 0;
          const auto number = numbered(side);
          if (!number || *number <= 0) return false;
          shape.scale *= *number;
          value = op->operands[1 - side];
          break;
        }
        case OpKind::divide: {
          const auto number = numbered(1);
          if (!number || *number <= 0) return false;
          shape.scale /= *number;
          value = op->operands[0];
          break;
        }
        case OpKind::select: {
          const auto number = numbered(2);
          const bool is_whole = std::ranges::is_sorted(places);
          if (shape.mask || !number || !is_whole || *number * shape.scale > masked_max)
            return false;
          shape.mask = diagonal_mask(function_, definitions_, op->operands[0]);
          if (!shape.mask || type(op->operands[0]).shape.size() != shape_.size()) return false;
          value = op->operands[1];
          break;
        }
        case OpKind::transpose: {
          const auto order = op->integers("permutation");
          for (std::int64_t& place : places) place = order[static_cast<std::size_t>(place)];
          value = op->operands[0];
          break;
        }
        case OpKind::dot_general: return reads_product(*op, places);
        default: return false;
      }
    }
    return false;
  }

  bool reads_product(const Op& dot, const std::vector<std::int64_t>& places) {
    const auto dims = dims_of(function_, dot);
    if (!dims) return false;
    AttentionShape& shape = found_.shape;
    const DotDims::Dim key = dims->dims[static_cast<std::size_t>(places.back())];
    const bool keys_are_right = key.left == repeats;
    if (!keys_are_right && key.right != repeats) return false;  // a batch
    const auto query_of = [&](const DotDims::Dim& dim) {
      return keys_are_right ? dim.left : dim.right;
    };
    const auto key_of = [&](const DotDims::Dim& dim) {
      return keys_are_right ? dim.right : dim.left;
    };
    const std::size_t last = places.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
      const DotDims::Dim& dim = dims->dims[static_cast<std::size_t>(places[i])];
      if (query_of(dim) == repeats) return false;
      shape.query_dims.push_back(query_of(dim));
      if (i + 1 < last) {
        shape.key_dims.push_back(key_of(dim));
        shape.outer.push_back(shape_[i]);
      } else if (key_of(dim) != repeats) {
        return false;
      }
    }
    shape.query_dims.push_back(keys_are_right ? dims->left_depth : dims->right_depth);
    shape.key_dims.push_back(key_of(key));
    shape.key_dims.push_back(keys_are_right ? dims->right_depth : dims->left_depth);
    found_.queries = dot.operands[keys_are_right ? 0 : 1];
    found_.keys = dot.operands[keys_are_right ? 1 : 0];
    shape.queries = shape_[last - 1];
    shape.keys = shape_[last];
    shape.depth = type(found_.queries).shape[static_cast<std::size_t>(shape.query_dims.back())];
    if (shape.mask && !shape.mask->keeps_in_all(shape.queries, shape.keys)) return false;
    return shape.queries >= queries_min && shape.keys >= queries_min &&
           can_multiply(type(found_.queries).element, type(found_.keys).element) &&
           can_multiply(shape.weights, type(found_.values).element);
  }
  [[nodiscard]] bool can_multiply(graph::ElementType a, graph::ElementType b) const {
    const auto left = storage_of(a), right = storage_of(b);
    return left && right && multiplies(*left, *right, core_);
  }

  const Function& function_;
  const Definitions& definitions_;
  const std::vector<int>& readers_;
  const machine::Core& core_;
  std::vector<std::int64_t> shape_;  // of the scores
  Found found_;
};

Op composite(const Op& dot, Matcher::Found found) {
  AttentionShape& shape = found.shape;
  for (const Op* const op : found.members) shape.locations.push_back(op->location);
  std::ranges::sort(shape.locations);
  shape.locations.erase(std::ranges::unique(shape.locations).begin(), shape.locations.end());
  Op op{.kind = OpKind::composite,
        .operands = {found.queries, found.keys, found.values},
        .results = {found.result},
        .location = dot.location};
  op.attributes = {{"column_count", {shape.columns}},
                   {"depth", {shape.depth}},
                   {"key_dims", {shape.key_dims}},
                   {"keys", {shape.keys}},
                   {"locations", {shape.locations}},
                   {"name", {std::string(attention_name)}},
                   {"outer", {shape.outer}},
                   {"queries", {shape.queries}},
                   {"query_dims", {shape.query_dims}},
                   {"result_dims", {shape.result_dims}},
                   {"scale", {shape.scale}},
                   {"value_dims", {shape.value_dims}},
                   {"weights", {Type{.element = shape.weights}}}};
  if (shape.mask) {
    op.attributes.insert(op.attributes.begin() + 5,
                         {{"mask_high", {shape.mask->high}}, {"mask_low", {shape.mask->low}}});
  }
  return op;
}

void define(const Region& region, Definitions& definitions) {
  for (const Op& op : region.ops) {
    if (op.results.size() == 1) definitions[op.results[0]] = &op;
    for (const Region& nested : op.regions) define(nested, definitions);
  }
}
void count(const Region& region, std::vector<int>& readers) {
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) ++readers[value];
    for (const Region& nested : op.regions) count(nested, readers);
  }
}

// Transposes that alone read the result say in which order it is stored.
void take_transposes(const Region& region, const std::vector<int>& readers, Matcher::Found& found) {
  while (readers[found.result] == 1) {
    const auto reader = std::ranges::find_if(region.ops, [&](const Op& op) {
      return op.kind == OpKind::transpose && op.operands[0] == found.result;
    });
    if (reader == region.ops.end()) return;
    const auto order = reader->integers("permutation");
    for (std::int64_t& dim : found.shape.result_dims)
      dim = std::ranges::find(order, dim) - order.begin();
    found.result = reader->results[0];
    found.members.insert(&*reader);
  }
}

void recognize_in(Region& region, const std::vector<int>& readers, const auto& match) {
  std::map<const Op*, Matcher::Found> all;
  std::set<const Op*> gone;
  for (Op& op : region.ops) {
    for (Region& nested : op.regions) recognize_in(nested, readers, match);
    if (op.kind != OpKind::dot_general) continue;
    auto found = match(op);
    if (!found) continue;
    take_transposes(region, readers, *found);
    gone.insert(found->members.begin(), found->members.end());
    all.emplace(&op, *std::move(found));
  }
  std::vector<Op> kept;
  for (Op& op : region.ops) {
    if (const auto found = all.find(&op); found != all.end()) {
      kept.push_back(composite(op, found->second));
    } else if (!gone.contains(&op)) {
      kept.push_back(std::move(op));
    }
  }
  region.ops = std::move(kept);
}

}  // namespace

std::int64_t AttentionShape::batches() const {
  return std::accumulate(outer.begin(), outer.end(), std::int64_t{1}, std::multiplies<>{});
}

bool is_attention(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == attention_name;
}

AttentionShape attention_shape(const Op& op) {
  const auto list = [&](std::string_view name) {
    const auto all = op.integers(name);
    return std::vector<std::int64_t>(all.begin(), all.end());
  };
  AttentionShape shape{.outer = list("outer"),
                       .query_dims = list("query_dims"),
                       .key_dims = list("key_dims"),
                       .value_dims = list("value_dims"),
                       .result_dims = list("result_dims"),
                       .queries = op.integer("queries"),
                       .keys = op.integer("keys"),
                       .depth = op.integer("depth"),
                       .columns = op.integer("column_count"),
                       .scale = std::get<double>(op.find("scale")->value),
                       .weights = std::get<Type>(op.find("weights")->value).element,
                       .locations = list("locations")};
  if (op.find("mask_low") != nullptr)
    shape.mask = DiagonalMask{op.integer("mask_low"), op.integer("mask_high")};
  return shape;
}

void recognize_attention(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions) {
    Definitions definitions;
    define(function.body, definitions);
    std::vector<int> readers(function.types.size(), 0);
    count(function.body, readers);
    recognize_in(function.body, readers, [&](const Op& dot) {
      return Matcher(function, definitions, readers, core).at(dot);
    });
  }
}

}  // namespace trainyard::compiler
