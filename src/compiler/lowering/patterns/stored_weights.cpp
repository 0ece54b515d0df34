#include "compiler/lowering/patterns/stored_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/precision.h"
#include "graph/replace_each.h"
#include "isa/semantics/sparse.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OperandFormat;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr std::int64_t mx_block = 32, pack = 4;  // of MX

// How weights follow from an argument or a constant of main.
struct Origin {
  ValueId root = 0;
  std::vector<const Op*> before{}, behind{};  // the slice, in the order of their computation
  const Op* slice = nullptr;                  // of a loop's turn, one of the first dimension
};

class Preparer {
 public:
  Preparer(graph::Module& module, Function& main, const machine::Core& core)
      : module_(module), main_(main), core_(core) {
    collect(main.body);
  }

  void run() {
    rewrite(main_.body);
    std::vector<Op> ops;
    for (const ValueId constant : constants_) ops.push_back(copies_.at(constant));
    std::ranges::move(prepared_, std::back_inserter(ops));
    std::ranges::move(main_.body.ops, std::back_inserter(ops));
    main_.body.ops = std::move(ops);
    std::ranges::move(made_, std::back_inserter(module_.functions));
  }

 private:
  // Definitions, and for what a loop never changes the value that it begins with.
  void collect(const Region& region) {
    for (const Op& op : region.ops) {
      for (const ValueId result : op.results) {
        if (op.results.size() == 1) copies_.emplace(result, op);
      }
      if (op.kind == OpKind::while_) {
        const Region& body = op.regions.at(1);
        for (std::size_t i = 0; i < op.operands.size(); ++i) {
          if (body.ops.back().operands[i] == body.arguments[i])
            unchanged_[body.arguments[i]] = op.operands[i];
        }
      }
      for (const Region& inner : op.regions) collect(inner);
    }
  }

  [[nodiscard]] std::optional<Origin> origin_of(ValueId value) const {
    Origin origin;
    while (true) {
      if (std::ranges::find(main_.body.arguments, value) != main_.body.arguments.end()) break;
      if (const auto outer = unchanged_.find(value); outer != unchanged_.end()) {
        value = outer->second;
        continue;
      }
      const auto found = copies_.find(value);
      if (found == copies_.end()) return std::nullopt;
      const Op& op = found->second;
      if (op.kind == OpKind::constant) break;
      if (op.kind == OpKind::dynamic_slice && origin.slice == nullptr && takes_one_row(op)) {
        origin.slice = &op;
        origin.behind = std::exchange(origin.before, {});
      } else if (op.kind == OpKind::convert || graph::is(op.kind, graph::Trait::arrange)) {
        origin.before.push_back(&op);
      } else {
        return std::nullopt;
      }
      value = op.operands[0];
    }
    origin.root = value;
    std::ranges::reverse(origin.before);
    std::ranges::reverse(origin.behind);
    return origin;
  }

  [[nodiscard]] bool takes_one_row(const Op& op) const {
    const std::vector<std::int64_t>&whole = main_.type(op.operands[0]).shape,
          &part = main_.type(op.results[0]).shape;
    return part.size() > 1 && part[0] == 1 &&
           std::equal(part.begin() + 1, part.end(), whole.begin() + 1);
  }

  void rewrite(Region& region) {
    graph::replace_each(region, [&](Op& op, std::vector<Op>& ops) {
      const bool is_stored =
          op.kind == OpKind::composite && op.text("name") == graph::stored_product_name;
      const auto side = is_stored ? static_cast<std::size_t>(op.integer("side")) : 0;
      const auto origin =
          is_stored && is_multiplied(op) ? origin_of(op.operands.at(side)) : std::nullopt;
      if (origin) multiply(std::move(op), side, *origin, ops);
      return origin.has_value();
    });
  }

  [[nodiscard]] bool is_multiplied(const Op& op) const {
    return graph::operand_format(op.text("format")).is_sparse() ? core_.features.structured_sparsity
                                                                : core_.features.mx;
  }

  // --- Before the first run ---

  // The matrix [K, columns] of what the product reads, from the operations that move it there.
  struct Matrix {
    std::vector<std::int64_t> order;  // of the operand's dimensions: the one summed over, others
    std::int64_t depth = 0, columns = 0;
  };
  [[nodiscard]] static Matrix matrix_of(const Type& type, std::int64_t contracted) {
    Matrix matrix{.order = {contracted},
                  .depth = type.shape.at(static_cast<std::size_t>(contracted))};
    for (std::int64_t dim = 0; dim < type.rank(); ++dim) {
      if (dim != contracted) matrix.order.push_back(dim);
    }
    matrix.columns = type.elements() / matrix.depth;
    return matrix;
  }

  // Copies movements into a function, from `value` on.
  ValueId moved(std::span<const Op* const> all, ValueId value, Function& into) const {
    for (const Op* const op : all) {
      Op copy = *op;
      copy.operands[0] = value;
      copy.results = {into.add_value(main_.type(op->results[0]))};
      value = copy.results[0];
      into.body.ops.push_back(std::move(copy));
    }
    return value;
  }

  static ValueId add(Function& into, OpKind kind, ValueId operand, Type type,
                     graph::Dictionary attributes = {}) {
    const ValueId result = into.add_value(std::move(type));
    into.body.ops.push_back({.kind = kind,
                             .operands = {operand},
                             .results = {result},
                             .attributes = std::move(attributes)});
    return result;
  }

  // What memory holds of a matrix: words and scales, or elements and tags.
  static std::array<Type, 2> stored_types(const Matrix& matrix, const OperandFormat& format) {
    if (!format.is_sparse()) {
      const bool is_fp4 = format.element == ElementType::f4e2m1fn;
      return {Type{.element = is_fp4 ? ElementType::u16 : ElementType::u32,
                   .shape = {matrix.depth / pack, matrix.columns}},
              Type{.element = ElementType::u8, .shape = {matrix.depth / mx_block, matrix.columns}}};
    }
    const std::int64_t rows = matrix.depth / format.sparsity.of * format.sparsity.kept;
    return {Type{.element = format.element, .shape = {rows, matrix.columns}},
            Type{.element = ElementType::u16,
                 .shape = {rows, matrix.columns / isa::sparse::tags_per_word}}};
  }
  std::array<ValueId, 2> stored(ValueId value, const Matrix& matrix, const OperandFormat& format,
                                Function& into) const {
    Type type = into.type(value);
    if (format.is_sparse()) {
      type.element = format.element;
      value = add(into, OpKind::convert, value, type);
    }
    std::vector<std::int64_t> shape;
    for (const std::int64_t dim : matrix.order)
      shape.push_back(type.shape[static_cast<std::size_t>(dim)]);
    type.shape = std::move(shape);
    value = add(into, OpKind::transpose, value, type, {{"permutation", {matrix.order}}});
    type.shape = {matrix.depth, matrix.columns};
    value = add(into, OpKind::reshape, value, type);
    std::array<ValueId, 2> made{};
    std::ranges::transform(stored_types(matrix, format), made.begin(),
                           [&](const Type& each) { return into.add_value(each); });
    into.body.ops.push_back({.kind = OpKind::composite,
                             .operands = {value},
                             .results = {made[0], made[1]},
                             .attributes = {{"format", {std::string(graph::name(format))}},
                                            {"name", {std::string(graph::stored_name)}}}});
    return made;
  }

  // The same of what main has, of all rows that the turns of a loop slice.
  std::array<ValueId, 2> prepared(const Op& product, const Matrix& matrix, const Origin& origin) {
    const OperandFormat& format = graph::operand_format(product.text("format"));
    Function made{.name = fmt::format("{}.{}", prepared_name, made_.size()), .is_public = false};
    const ValueId given = made.add_value(main_.type(origin.root));
    made.body.arguments = {given};
    const ValueId whole = moved(origin.before, given, made);
    std::array<ValueId, 2> results{};
    if (origin.slice == nullptr) {
      results = stored(whole, matrix, format, made);
    } else {
      results = stacked(whole, matrix, format, origin, made);
    }
    made.body.ops.push_back({.kind = OpKind::return_, .operands = {results[0], results[1]}});
    const std::array<ValueId, 2> here{main_.add_value(made.type(results[0])),
                                      main_.add_value(made.type(results[1]))};
    prepared_.push_back({.kind = OpKind::composite,
                         .operands = {origin.root},
                         .results = {here[0], here[1]},
                         .attributes = {{"decomposition", {graph::Symbol{made.name}}},
                                        {"name", {std::string(prepared_name)}}},
                         .location = product.location});
    if (copies_.contains(origin.root)) prepare_constant(origin.root);
    made_.push_back(std::move(made));
    return here;
  }

  // A constant is defined before what is prepared of it.
  void prepare_constant(ValueId value) {
    const auto copy = renamed_.find(value);
    if (copy == renamed_.end()) {
      Op constant = copies_.at(value);
      constant.results = {main_.add_value(Type(main_.type(value)))};
      renamed_[value] = constant.results[0];
      copies_.emplace(constant.results[0], constant);
      constants_.push_back(constant.results[0]);
    }
    prepared_.back().operands = {renamed_.at(value)};
  }

  // A loop's weights: row by row, one behind the other.
  std::array<ValueId, 2> stacked(ValueId whole, const Matrix& matrix, const OperandFormat& format,
                                 const Origin& origin, Function& into) const {
    const Type all = into.type(whole);
    std::array<std::vector<ValueId>, 2> parts;
    for (std::int64_t row = 0; row < all.shape[0]; ++row) {
      std::vector<std::int64_t> starts(all.shape.size()), limits = all.shape,
                                                          strides(all.shape.size(), 1);
      starts[0] = row;
      limits[0] = row + 1;
      Type type = all;
      type.shape[0] = 1;
      const ValueId one =
          add(into, OpKind::slice, whole, type,
              {{"limit_indices", {limits}}, {"start_indices", {starts}}, {"strides", {strides}}});
      const auto made = stored(moved(origin.behind, one, into), matrix, format, into);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        Type layer = into.type(made.at(i));
        layer.shape.insert(layer.shape.begin(), 1);
        parts.at(i).push_back(add(into, OpKind::reshape, made.at(i), layer));
      }
    }
    std::array<ValueId, 2> results{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      Type type = into.type(parts.at(i).front());
      type.shape[0] = all.shape[0];
      results.at(i) = into.add_value(type);
      into.body.ops.push_back({.kind = OpKind::concatenate,
                               .operands = parts.at(i),
                               .results = {results.at(i)},
                               .attributes = {{"dimension", {std::int64_t{0}}}}});
    }
    return results;
  }

  // --- At each run ---

  ValueId add_here(std::vector<Op>& ops, Op op, Type type) {
    op.results = {main_.add_value(std::move(type))};
    const ValueId result = op.results[0];
    ops.push_back(std::move(op));
    return result;
  }

  // The rows of a loop's turn.
  ValueId row_of(ValueId whole, const Op& slice, graph::LocationId location, std::vector<Op>& ops) {
    Type type = main_.type(whole);
    std::vector<ValueId> operands{whole, slice.operands.at(1)};
    const Type& index = main_.type(slice.operands.at(1));
    graph::Literal zero{.type = index, .splat = true};
    zero.content.resize(static_cast<std::size_t>(graph::size_in_bytes(index.element)));
    while (operands.size() < type.shape.size() + 1)
      operands.push_back(add_here(
          ops, {.kind = OpKind::constant, .attributes = {{"value", {zero}}}, .location = location},
          index));
    type.shape[0] = 1;
    const ValueId row = add_here(ops,
                                 {.kind = OpKind::dynamic_slice,
                                  .operands = std::move(operands),
                                  .attributes = {{"slice_sizes", {type.shape}}},
                                  .location = location},
                                 type);
    type.shape.erase(type.shape.begin());
    return add_here(ops, {.kind = OpKind::reshape, .operands = {row}, .location = location}, type);
  }

  // As trainyard.mx and trainyard.sparse write it.
  static std::string product_name(const OperandFormat& format) {
    if (format.is_sparse())
      return fmt::format("trainyard.sparse_product_{}_{}", format.sparsity.kept,
                         format.sparsity.of);
    return format.element == ElementType::f4e2m1fn ? "trainyard.mxfp4_weights"
                                                   : "trainyard.mxfp8_weights";
  }

  // A value with one of its dimensions as the last; its type is changed with it.
  ValueId with_last(ValueId x, Type& type, std::int64_t last, graph::LocationId location,
                    std::vector<Op>& ops) {
    std::vector<std::int64_t> order;
    for (std::int64_t dim = 0; dim < type.rank(); ++dim) {
      if (dim != last) order.push_back(dim);
    }
    order.push_back(last);
    if (std::ranges::is_sorted(order)) return x;
    std::vector<std::int64_t> shape;
    for (const std::int64_t dim : order) shape.push_back(type.shape[static_cast<std::size_t>(dim)]);
    type.shape = std::move(shape);
    return add_here(ops,
                    {.kind = OpKind::transpose,
                     .operands = {x},
                     .attributes = {{"permutation", {order}}},
                     .location = location},
                    type);
  }

  void multiply(Op op, std::size_t side, const Origin& origin, std::vector<Op>& ops) {
    const Function* const body = module_.find(op.symbol("decomposition"));
    const auto dot = std::ranges::find(body->body.ops, OpKind::dot_general, &Op::kind);
    const auto contracted = [&](std::size_t which) {
      return dot->integers(which == 0 ? "lhs_contracting_dimensions"
                                      : "rhs_contracting_dimensions")[0];
    };
    const OperandFormat& format = graph::operand_format(op.text("format"));
    const Type weights = main_.type(op.operands[side]);
    const Matrix matrix = matrix_of(weights, contracted(side));
    std::array<ValueId, 2> both = prepared(op, matrix, origin);
    if (origin.slice != nullptr) {
      for (ValueId& one : both) one = row_of(one, *origin.slice, op.location, ops);
    }
    ValueId x = op.operands[1 - side];
    Type type = main_.type(x);
    if (format.is_sparse() && type.element != format.element) {
      type.element = format.element;
      x = add_here(ops, {.kind = OpKind::convert, .operands = {x}, .location = op.location}, type);
    }
    x = with_last(x, type, contracted(1 - side), op.location, ops);
    // Rows of x by columns of the weights, as the product has its dimensions.
    const Type result = main_.type(op.results[0]);
    const auto rows = static_cast<std::int64_t>(type.shape.size()) - 1;
    const std::int64_t columns = weights.rank() - 1;
    Type made{.element = result.element, .shape{type.shape.begin(), type.shape.end() - 1}};
    made.shape.push_back(matrix.columns);
    Op product{.kind = OpKind::composite,
               .operands = {x, both[0], both[1]},
               .attributes = {{"name", {product_name(format)}}},
               .location = op.location};
    if (side == 1 && columns == 1) {
      product.results = op.results;
      ops.push_back(std::move(product));
      return;
    }
    ValueId value = add_here(ops, std::move(product), made);
    made.shape.pop_back();
    for (std::size_t i = 1; i < matrix.order.size(); ++i)
      made.shape.push_back(weights.shape[static_cast<std::size_t>(matrix.order[i])]);
    Op reshape{.kind = OpKind::reshape, .operands = {value}, .location = op.location};
    if (side == 1) {
      reshape.results = op.results;
      ops.push_back(std::move(reshape));
      return;
    }
    value = add_here(ops, std::move(reshape), made);
    std::vector<std::int64_t> turned(static_cast<std::size_t>(rows + columns));
    std::iota(turned.begin(), turned.end(), rows);
    std::iota(turned.begin() + columns, turned.end(), 0);
    ops.push_back({.kind = OpKind::transpose,
                   .operands = {value},
                   .results = op.results,
                   .attributes = {{"permutation", {turned}}},
                   .location = op.location});
  }

  graph::Module& module_;
  Function& main_;
  const machine::Core& core_;
  std::map<ValueId, Op> copies_;          // the operation of each single result
  std::map<ValueId, ValueId> unchanged_;  // arguments of loops' bodies
  std::map<ValueId, ValueId> renamed_;    // constants that are defined before
  std::vector<ValueId> constants_;        // their copies
  std::vector<Op> prepared_;              // of main, before all others
  std::vector<Function> made_;
};

}  // namespace

bool is_prepared(const Op& op) {
  return op.kind == OpKind::composite && op.text("name") == prepared_name;
}

void prepare_stored_weights(graph::Module& module, const machine::Core& core) {
  const auto main = std::ranges::find(module.functions, "main", &Function::name);
  if (main != module.functions.end()) Preparer(module, *main, core).run();
}

}  // namespace trainyard::compiler
