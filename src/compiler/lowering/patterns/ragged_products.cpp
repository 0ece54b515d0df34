#include "compiler/lowering/patterns/ragged_products.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/patterns/row_blocks.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

bool are_dims(std::span<const std::int64_t> dims, const Dims& wanted) {
  return std::ranges::equal(dims, wanted);
}

// Rows [rows, columns] in groups of `sizes`, as JAX repeats and masks them: [groups, rows,
// columns].
struct MaskedRows {
  ValueId rows = 0, sizes = 0;
};

class RaggedMatcher {
 public:
  explicit RaggedMatcher(const Function& function) : function_(function), definitions_(function) {}

  [[nodiscard]] std::optional<MaskedRows> masked(ValueId value) const {
    const Op* const kept = definitions_.of(value, OpKind::select);
    if (kept == nullptr || !definitions_.is_number(kept->operands[2], 0)) return std::nullopt;
    const Op* const repeated = definitions_.of(kept->operands[1], OpKind::broadcast_in_dim);
    const Op* const inside = definitions_.of(kept->operands[0], OpKind::and_);
    if (repeated == nullptr || inside == nullptr ||
        !are_dims(repeated->integers("broadcast_dimensions"), {1, 2}))
      return std::nullopt;
    const auto starts = bound(inside->operands[0], "LE", 0),
               ends = bound(inside->operands[1], "LT", 1);
    if (!starts || !ends) return std::nullopt;
    const std::optional<ValueId> sizes = summed(*ends);
    if (!sizes || !precede(*starts, *ends)) return std::nullopt;
    return MaskedRows{.rows = repeated->operands[0], .sizes = *sizes};
  }

 private:
  // The bounds of groups with which the number of each row is compared.
  [[nodiscard]] std::optional<ValueId> bound(ValueId value, std::string_view direction,
                                             std::size_t operand) const {
    const Op* const compared = definitions_.of(value, OpKind::compare);
    if (compared == nullptr || compared->text("comparison_direction") != direction)
      return std::nullopt;
    const Op* const count = definitions_.of(compared->operands[1 - operand], OpKind::iota);
    const Op* const each = definitions_.of(compared->operands[operand], OpKind::broadcast_in_dim);
    if (count == nullptr || count->integer("iota_dimension") != 1 || each == nullptr ||
        !are_dims(each->integers("broadcast_dimensions"), {0}))
      return std::nullopt;
    return each->operands[0];
  }
  // The values of which these are the sums up to each.
  [[nodiscard]] std::optional<ValueId> summed(ValueId ends) const {
    const Op* const sums = definitions_.of(ends, OpKind::reduce_window);
    const Type& type = function_.type(ends);
    if (sums == nullptr || sums->operands.size() != 2 || type.rank() != 1 ||
        type.element != ElementType::s32 || !definitions_.is_number(sums->operands[1], 0) ||
        !are_dims(sums->integers("window_dimensions"), {type.shape[0]}) ||
        reduction_of(sums->regions.at(0), type.element) != numerics::AluOp::add)
      return std::nullopt;
    return sums->operands[0];
  }
  [[nodiscard]] bool precede(ValueId starts, ValueId ends) const {
    const Op* const joined = definitions_.of(starts, OpKind::concatenate);
    if (joined == nullptr || joined->operands.size() != 2) return false;
    const Op* const rest = definitions_.of(joined->operands[1], OpKind::slice);
    return rest != nullptr && rest->operands[0] == ends &&
           are_dims(rest->integers("start_indices"), {0}) &&
           are_dims(rest->integers("limit_indices"), {function_.type(ends).shape[0] - 1}) &&
           function_.type(joined->operands[0]).shape == Dims{1};
  }

  const Function& function_;
  Definitions definitions_;
};

// How many rows the blocks have in which rows are set apart for sums over each group; 0 where JAX's
// form, in which the array multiplies every row once for each group, takes no longer.
std::int64_t rows_of_sums(std::int64_t groups, std::int64_t rows, const machine::Core& core) {
  // What it takes to read sums out of PSUM, and to add those of a block behind to its group's in
  // HBM, in rows that the array multiplies meanwhile: of one core of Trainium3, 4 bytes an element
  // at 0.96 GHz and three times 4 at a core's share of HBM.
  constexpr std::int64_t read_out = 320, add = 400;
  constexpr std::int64_t behind_max = 64;  // each is written out
  std::int64_t best = 0, least = groups * rows;
  for (std::int64_t block = core.array.columns; block <= rows; block *= 2) {
    const std::int64_t behind = blocks_behind(rows, block);
    const std::int64_t time = (groups + behind) * std::max(block, read_out) + behind * add;
    if (behind > behind_max || time >= least) continue;
    least = time;
    best = block;
  }
  return best;
}

// A product's rows as they lie in blocks, one below the other.
struct RowsInBlocks {
  ValueId rows = 0;
  const RowBlocks* blocks = nullptr;
};

// One function's products, with rows in blocks as long as only elementwise operations stand between
// one product and the next.
class RaggedProducts {
 public:
  RaggedProducts(Function& function, const machine::Core& core)
      : function_(function), core_(core), matcher_(function), definitions_(function) {}

  void run() {
    bool changed = false;
    std::vector<Op> before = function_.body.ops;
    for (const Op& op : before) {
      const bool is_written =
          (op.kind == OpKind::dot_general && (multiplied_apart(op) || summed_apart(op))) ||
          (op.kind == OpKind::gather && picked_apart(op));
      if (!is_written) ops_.push_back(op);
      changed |= is_written;
    }
    if (changed) function_.body.ops = std::move(ops_);
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }

  bool multiplied_apart(const Op& op) {
    const Type& left = type(op.operands[0]);
    const Type& right = type(op.operands[1]);
    if (left.rank() != 3 || right.rank() != 3 || !op.integers("lhs_batching_dimensions").empty() ||
        !are_dims(op.integers("lhs_contracting_dimensions"), {2, 0}))
      return false;
    const auto contracted = op.integers("rhs_contracting_dimensions");
    const std::optional<MaskedRows> masked = matcher_.masked(op.operands[0]);
    if (contracted.size() != 2 || contracted[1] != 0 || !masked || left.shape[1] >= rows_max)
      return false;
    const RowBlocks& blocks = blocks_of(*masked, left.shape[1], op.location);
    const ValueId rows = in_blocks(masked->rows, blocks);
    multiply(op, rows, contracted[0], blocks);
    return true;
  }

  // The sums over the rows of each group, as gradients of the matrices are.
  bool summed_apart(const Op& op) {
    const Type left = type(op.operands[0]), right = type(op.operands[1]);
    if (left.rank() != 3 || right.rank() != 3 || left.shape[1] >= rows_max ||
        !are_dims(op.integers("lhs_batching_dimensions"), {0}) ||
        !are_dims(op.integers("rhs_batching_dimensions"), {0}) ||
        !are_dims(op.integers("lhs_contracting_dimensions"), {1}) ||
        !are_dims(op.integers("rhs_contracting_dimensions"), {1}))
      return false;
    const std::optional<MaskedRows> a = matcher_.masked(op.operands[0]),
                                    b = matcher_.masked(op.operands[1]);
    if (!a || !b || a->sizes != b->sizes) return false;
    const std::int64_t block = rows_of_sums(left.shape[0], left.shape[1], core_);
    if (block == 0) return false;
    const RowBlocks& blocks = blocks_of(*a, left.shape[1], op.location);
    const GroupBlocks& groups = groups_of(*a, blocks, left.shape[1], block, op.location);
    graph::Builder write(function_, ops_, op.location);
    const ValueId rows_a = filled_rows(a->rows, blocks, groups, write),
                  rows_b = filled_rows(b->rows, blocks, groups, write);
    const auto product_of = [&](std::int64_t first, std::int64_t end) {
      Op dot = op;
      dot.operands = {write.sliced(rows_a, 0, first, end), write.sliced(rows_b, 0, first, end)};
      dot.results = {function_.add_value(
          {.element = ElementType::f32, .shape = {end - first, left.shape[2], right.shape[2]}})};
      ops_.push_back(dot);
      return dot.results[0];
    };
    const ValueId first = product_of(0, groups.groups),
                  more = product_of(groups.groups, groups.groups + groups.more);
    ops_.push_back({.kind = OpKind::convert,
                    .operands = {added_by_group(first, more, groups, write)},
                    .results = op.results,
                    .location = op.location});
    return true;
  }

  // The sums, with those of the blocks behind added to the ones of their groups.
  ValueId added_by_group(ValueId sums, ValueId more, const GroupBlocks& groups,
                         graph::Builder& write) const {
    const Type type = write.type(sums);
    Type one = type;
    one.shape[0] = 1;
    const Type index{.element = ElementType::s32, .shape = {}};
    const ValueId zero = write.constant(graph::filled(index, 0));
    for (std::int64_t i = 0; i < groups.more; ++i) {
      const ValueId group = write.reshape(write.sliced(groups.more_group, 0, i, i + 1), {});
      const ValueId before = write.emit(OpKind::dynamic_slice, {sums, group, zero, zero}, one,
                                        {{"slice_sizes", {Dims(one.shape)}}});
      const ValueId sum = write.emit(OpKind::add, {before, write.sliced(more, 0, i, i + 1)}, one);
      sums = write.emit(OpKind::dynamic_update_slice, {sums, sum, group, zero, zero}, type);
    }
    return sums;
  }

  // Rows for sums over each group; zeros where none of its group lies.
  ValueId filled_rows(ValueId value, const RowBlocks& blocks, const GroupBlocks& groups,
                      graph::Builder& write) {
    const ValueId rows =
        comes_from_product(value, blocks)
            ? write.picked(write.reshape(in_blocks(value, blocks),
                                         {blocks.count * blocks.rows, type(value).shape[1]}),
                           groups.place)
            : write.picked(value, groups.row);
    const Type apart{.element = type(value).element,
                     .shape = {groups.groups + groups.more, groups.rows, type(value).shape[1]}};
    const ValueId filled = write.spread(groups.is_filled, {0, 1}, apart.shape);
    return write.emit(OpKind::select,
                      {filled, write.reshape(rows, apart.shape), write.number(apart, 0)}, apart);
  }

  const GroupBlocks& groups_of(const MaskedRows& masked, const RowBlocks& blocks, std::int64_t rows,
                               std::int64_t block, graph::LocationId location) {
    const auto key = std::pair(masked.sizes, rows);
    if (const auto found = groups_.find(key); found != groups_.end()) return found->second;
    graph::Builder write(function_, ops_, location);
    return groups_.emplace(key, group_blocks(write, blocks, rows, block)).first->second;
  }

  const RowBlocks& blocks_of(const MaskedRows& masked, std::int64_t rows,
                             graph::LocationId location) {
    const auto key = std::pair(masked.sizes, rows);
    if (const auto found = blocks_.find(key); found != blocks_.end()) return found->second;
    RowBlocks made = row_blocks(function_, ops_, masked.sizes, rows, location, core_);
    return blocks_.emplace(key, std::move(made)).first->second;
  }

  // The product of each block, and of it the rows in the order that they had.
  void multiply(const Op& op, ValueId left, std::int64_t contracted, const RowBlocks& blocks) {
    graph::Builder write(function_, ops_, op.location);
    const Type table = type(op.operands[1]);
    const ValueId right = write.picked(op.operands[1], blocks.group);
    Type made = type(op.results[0]);
    const std::int64_t columns = table.shape[static_cast<std::size_t>(3 - contracted)];
    made.shape = {blocks.count, blocks.rows, columns};
    Op dot = op;
    for (graph::NamedAttribute& each : dot.attributes) {
      if (each.name == "lhs_batching_dimensions" || each.name == "rhs_batching_dimensions")
        each.value = {Dims{0}};
      if (each.name == "lhs_contracting_dimensions") each.value = {Dims{2}};
      if (each.name == "rhs_contracting_dimensions") each.value = {Dims{contracted}};
    }
    dot.operands = {left, right};
    dot.results = {function_.add_value(made)};
    ops_.push_back(dot);
    known_[{op.results[0], blocks.sizes}] = dot.results[0];
    const RowsInBlocks product{
        .rows = write.reshape(dot.results[0], {blocks.count * blocks.rows, columns}),
        .blocks = &blocks};
    const std::int64_t rows = type(op.results[0]).shape[0];
    put_rows(product, write.counting({rows}, 0), write, op);
    products_.emplace(op.results[0], product);
  }

  // What an operation gives: a product's rows of those numbers.
  void put_rows(const RowsInBlocks& product, ValueId numbers, graph::Builder& write, const Op& op) {
    const RowPlaces at = row_places(write, *product.blocks, numbers);
    const ValueId rows = write.picked(product.rows, at.place);
    const ValueId inside = write.spread(at.is_inside, {0}, type(rows).shape);
    ops_.push_back({.kind = OpKind::select,
                    .operands = {inside, rows, write.number(type(rows), 0)},
                    .results = op.results,
                    .location = op.location});
  }

  // Rows of a product that indices name are read where they were computed.
  bool picked_apart(const Op& op) {
    const auto found = products_.find(op.operands[0]);
    if (found == products_.end()) return false;
    const Indexing how = indexing_of_gather(op);
    const Type &table = type(op.operands[0]), &indices = type(op.operands[1]);
    if (how.collapsed != Dims{0} || how.indexed != Dims{0} || how.windowed != Dims{1} ||
        type(op.results[0]).shape != Dims{indices.elements(), table.shape[1]})
      return false;
    graph::Builder write(function_, ops_, op.location);
    const ValueId given =
        write.convert(write.reshape(op.operands[1], {indices.elements()}), ElementType::f32);
    const Type numbers = type(given);
    const auto limited = [&](OpKind kind, ValueId value, double number) {
      return write.emit(kind, {value, write.number(numbers, number)}, numbers);
    };
    const auto last = static_cast<double>(table.shape[0] - 1);
    put_rows(found->second, limited(OpKind::minimum, limited(OpKind::maximum, given, 0), last),
             write, op);
    return true;
  }

  // Rows as they lie in blocks: a product of theirs as it was computed, or what elementwise
  // operations make of such; else a copy. Rows beside the group's are any.
  ValueId in_blocks(ValueId value, const RowBlocks& blocks) {
    const auto key = std::pair(value, blocks.sizes);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    graph::Builder write(function_, ops_, location_of(value));
    const ValueId made =
        comes_from_product(value, blocks)
            ? computed_in_blocks(*definitions_.of(value), blocks)
            : write.reshape(write.picked(value, blocks.row), blocks.shaped(type(value)).shape);
    return known_[key] = made;
  }

  [[nodiscard]] graph::LocationId location_of(ValueId value) const {
    const Op* const op = definitions_.of(value);
    return op == nullptr ? graph::LocationId{0} : op->location;
  }

  [[nodiscard]] bool comes_from_product(ValueId value, const RowBlocks& blocks) const {
    if (known_.contains({value, blocks.sizes})) return true;
    const Op* const op = definitions_.of(value);
    return op != nullptr && lowers_elementwise(*op, function_) &&
           std::ranges::any_of(op->operands,
                               [&](ValueId v) { return comes_from_product(v, blocks); });
  }

  ValueId computed_in_blocks(const Op& op, const RowBlocks& blocks) {
    Op made = op;
    for (ValueId& operand : made.operands) {
      const Type from = type(operand);
      if (const auto number = definitions_.number(operand)) {
        graph::Builder write(function_, ops_, op.location);
        operand = write.number(blocks.shaped(from), *number);
      } else {
        operand = in_blocks(operand, blocks);
      }
    }
    made.results = {function_.add_value(blocks.shaped(type(op.results[0])))};
    ops_.push_back(made);
    return made.results[0];
  }

  static constexpr std::int64_t rows_max = 1 << 24;  // counted in float32
  Function& function_;
  const machine::Core& core_;
  RaggedMatcher matcher_;
  Definitions definitions_;
  std::map<std::pair<ValueId, std::int64_t>, RowBlocks> blocks_;    // by sizes and rows
  std::map<std::pair<ValueId, std::int64_t>, GroupBlocks> groups_;  // likewise
  std::map<std::pair<ValueId, ValueId>, ValueId> known_;            // by value and sizes
  std::map<ValueId, RowsInBlocks> products_;                        // by what they give
  std::vector<Op> ops_;
};

}  // namespace

void multiply_groups_apart(graph::Module& module, const machine::Core& core) {
  for (Function& function : module.functions)
    graph::each_body(function, [&](Function& each) { RaggedProducts(each, core).run(); });
}

}  // namespace trainyard::compiler
