#include "compiler/lowering/patterns/row_picks.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "compiler/lowering/canonical/indexing.h"
#include "compiler/lowering/patterns/one_hots.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/tiles/reductions.h"
#include "graph/builder.h"
#include "graph/each_body.h"
#include "graph/reads.h"
#include "graph/values.h"

namespace trainyard::compiler {

namespace {

using graph::Dictionary;
using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Whether each row of [rows..., columns] has one index, [rows..., 1, 1], and one element.
bool is_pick(const Indexing& how, const Type& table, const Type& indices) {
  const std::int64_t rows = table.rank() - 1;
  return rows > 0 && table.is_static() && indices.element == ElementType::s32 &&
         indices.rank() == rows + 2 &&
         indices.elements() * table.shape.back() == table.elements() && how.windowed.empty() &&
         how.collapsed == Dims{rows} && how.indexed == Dims{rows} &&
         how.table_batches == others(rows, {}) && how.index_batches == others(rows, {}) &&
         how.vector_dim == rows + 1;
}

// A value that has its own element in one place of each row, and is `base` elsewhere: nothing
// where that is zero.
struct Marked {
  std::optional<ValueId> base{};
  ValueId element = 0;  // [rows..., 1]
  const Op* scatter = nullptr;
};

class Picks {
 public:
  explicit Picks(Function& function) : function_(function), definitions_(function) {
    for (const Op& op : function.body.ops) count(op, true);
  }

  [[nodiscard]] bool run() {
    for (const Op& op : function_.body.ops) {
      if (!gathers(op) && !marks(op) && !moves_mark(op)) put(op);
    }
    if (changed_) function_.body.ops = std::move(ops_);
    return changed_;
  }

 private:
  void count(const Op& op, bool is_outer) {
    for (const ValueId value : op.operands) readers_[value].push_back(is_outer ? &op : nullptr);
    for (const graph::Region& region : op.regions) {
      for (const Op& nested : region.ops) count(nested, false);
    }
  }

  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] ValueId now(ValueId value) const {
    const auto found = replaced_.find(value);
    return found == replaced_.end() ? value : found->second;
  }

  // Writes what stands for the operation at hand.
  [[nodiscard]] graph::Builder write() { return {function_, ops_, location_}; }

  void rename(graph::Region& region) const {
    for (Op& op : region.ops) {
      for (ValueId& value : op.operands) value = now(value);
      for (graph::Region& nested : op.regions) rename(nested);
    }
  }
  void put(Op op) {
    for (ValueId& value : op.operands) value = now(value);
    for (graph::Region& region : op.regions) rename(region);
    ops_.push_back(std::move(op));
  }

  // --- Picking ---

  // The elements of a value that the indices name: [rows..., 1].
  ValueId pick(ValueId value, ValueId indices) {
    const auto [known, is_new] = picked_.try_emplace({value, indices}, 0);
    if (is_new) {
      const ValueId made = picked_anew(value, indices);
      picked_[{value, indices}] = made;
      return made;
    }
    return known->second;
  }

  ValueId picked_anew(ValueId value, ValueId indices) {
    const Op* const op = definitions_.of(value);
    if (op != nullptr && !marked_.contains(value)) {
      if (op->kind == OpKind::broadcast_in_dim) {
        if (const auto row = picked_from_rows(*op)) return *row;
      } else if (lowers_elementwise(*op, function_)) {
        Op made = *op;
        for (ValueId& operand : made.operands) operand = pick(operand, indices);
        made.results = {function_.add_value(picked_type(value))};
        ops_.push_back(made);
        return made.results[0];
      }
    }
    return write().row_picked(now(value), now(indices));
  }

  [[nodiscard]] Type picked_type(ValueId value) const {
    Type picked = type(value);
    picked.shape.back() = 1;
    return picked;
  }

  // Of what is the same along each row.
  std::optional<ValueId> picked_from_rows(const Op& op) {
    const Type& from = type(op.operands[0]);
    const std::int64_t last = type(op.results[0]).rank() - 1;
    Dims places, sizes;
    for (std::size_t i = 0; i < from.shape.size(); ++i) {
      const std::int64_t place = op.integers("broadcast_dimensions")[i];
      if (from.shape[i] == 1) continue;
      if (place == last) return std::nullopt;
      places.push_back(place);
      sizes.push_back(from.shape[i]);
    }
    ValueId row = now(op.operands[0]);
    if (sizes != from.shape) {
      Type dense = from;
      dense.shape = sizes;
      row = write().emit(OpKind::reshape, {row}, std::move(dense));
    }
    return write().emit(OpKind::broadcast_in_dim, {row}, picked_type(op.results[0]),
                        {{"broadcast_dimensions", {places}}});
  }

  // Reads elements of a value that nothing else reads, or of a cast, which others may compute as
  // they read: computes these alone.
  [[nodiscard]] bool gathers(const Op& op) {
    if (op.kind != OpKind::gather) return false;
    const ValueId table = op.operands[0], indices = op.operands[1];
    const Op* const maker = definitions_.of(table);
    const bool is_worth_it = maker != nullptr && lowers_elementwise(*maker, function_) &&
                             (readers_.at(table).size() == 1 || maker->kind == OpKind::convert);
    if (!is_worth_it || marked_.contains(table) ||
        !is_pick(indexing_of_gather(op), type(table), type(indices)))
      return false;
    location_ = op.location;
    const ValueId picked = pick(table, indices);
    replaced_[op.results[0]] =
        type(picked).shape == type(op.results[0]).shape
            ? picked
            : write().emit(OpKind::reshape, {picked}, Type(type(op.results[0])));
    return changed_ = true;
  }

  // --- Marking ---

  [[nodiscard]] const std::vector<const Op*>& readers(ValueId value) const {
    static const std::vector<const Op*> none;
    const auto found = readers_.find(value);
    return found == readers_.end() ? none : found->second;
  }

  [[nodiscard]] bool sums_rows(const Op& op) const {
    return reduces_rows(definitions_, op, numerics::AluOp::add);
  }
  [[nodiscard]] bool keeps_zero(const Op& op) const {
    return (op.kind == OpKind::negate || op.kind == OpKind::convert) &&
           lowers_elementwise(op, function_) && graph::is_float(type(op.results[0]).element);
  }
  [[nodiscard]] bool adds(const Op& op) const {
    return (op.kind == OpKind::add || op.kind == OpKind::subtract) &&
           lowers_elementwise(op, function_) && op.operands[0] != op.operands[1];
  }

  // Whether a value that is zero but for one element a row never has to be there as a whole.
  [[nodiscard]] bool is_needed_nowhere(ValueId value) const {
    return !readers(value).empty() && std::ranges::all_of(readers(value), [&](const Op* op) {
      if (op == nullptr) return false;
      if (keeps_zero(*op)) return is_needed_nowhere(op->results[0]);
      return sums_rows(*op) || adds(*op);
    });
  }

  [[nodiscard]] bool marks(const Op& op) {
    return op.kind == OpKind::multiply ? marks_one_hot(op) : marks_scatter(op);
  }

  [[nodiscard]] bool marks_scatter(const Op& op) {
    if (op.kind != OpKind::scatter || op.results.size() != 1) return false;
    const Type& table = type(op.results[0]);
    const bool is_mark = definitions_.number(op.operands[0]) == 0 &&
                         graph::is_float(table.element) &&
                         is_pick(indexing_of_scatter(op), table, type(op.operands[1])) &&
                         reduction_of(op.regions.at(0), table.element) == numerics::AluOp::add &&
                         is_needed_nowhere(op.results[0]);
    if (!is_mark) return false;
    marked_[op.results[0]] = {.element = now(op.operands[2]), .scatter = &op};
    return changed_ = true;
  }

  // One-hot rows times one number a row.
  [[nodiscard]] bool marks_one_hot(const Op& op) {
    if (!graph::is_float(type(op.results[0]).element) || !is_needed_nowhere(op.results[0]))
      return false;
    location_ = op.location;
    for (const std::size_t side : {0U, 1U}) {
      const auto hot = one_hot(definitions_, op.operands[side]);
      const auto labels = hot ? column_of(definitions_, hot->labels, write()) : std::nullopt;
      const auto element =
          labels ? column_of(definitions_, op.operands[1 - side], write()) : std::nullopt;
      if (!element) continue;
      std::vector<std::int64_t> places = type(*labels).shape;
      places.push_back(1);
      const ValueId indices = write().reshape(*labels, places);
      const ValueId signed_ = hot->is_negated
                                  ? write().emit(OpKind::negate, {*element}, Type(type(*element)))
                                  : *element;
      const ValueId zeros = write().number(type(op.results[0]), 0);
      (void)write().summed_into_rows(zeros, indices, signed_);
      scatters_.push_back(std::move(ops_.back()));
      ops_.pop_back();
      scatters_.back().results = op.results;
      marked_[op.results[0]] = {.element = signed_, .scatter = &scatters_.back()};
      return changed_ = true;
    }
    return false;
  }

  // What reads a value with marks: on what it is elsewhere, and on the marks.
  [[nodiscard]] bool moves_mark(const Op& op) {
    const std::set<ValueId> read = values_read(op);
    const auto at = std::ranges::find_if(read, [&](ValueId v) { return marked_.contains(v); });
    if (at == read.end()) return false;
    location_ = op.location;
    const Marked mark = marked_.at(*at);
    if (!mark.base && sums_rows(op)) {
      replaced_[op.results[0]] = sum(op, mark);
      return true;
    }
    const bool is_alone =
        std::ranges::count_if(op.operands, [&](ValueId v) { return marked_.contains(v); }) == 1;
    const bool moves =
        is_alone && lowers_elementwise(op, function_) && (!mark.base || readers(*at).size() == 1);
    if (!moves) {
      for (const ValueId value : read) {
        if (const auto found = marked_.find(value); found != marked_.end()) {
          replaced_[value] = made_whole(value, found->second);
          marked_.erase(found);
        }
      }
      return false;
    }
    Marked moved{.base = base_of(op, *at, mark), .scatter = mark.scatter};
    const ValueId indices = mark.scatter->operands[1];
    Op element = op;
    for (ValueId& value : element.operands)
      value = value == *at ? mark.element : pick(value, indices);
    moved.element = function_.add_value(picked_type(op.results[0]));
    element.results = {moved.element};
    ops_.push_back(std::move(element));
    marked_[op.results[0]] = moved;
    return true;
  }

  // What the operation gives where there is no mark.
  std::optional<ValueId> base_of(const Op& op, ValueId marked, const Marked& mark) {
    if (mark.base) {
      Op made = op;
      for (ValueId& value : made.operands) value = value == marked ? *mark.base : now(value);
      made.results = {function_.add_value(Type(type(op.results[0])))};
      ops_.push_back(made);
      return made.results[0];
    }
    if (keeps_zero(op)) return std::nullopt;
    const bool is_first = op.operands[0] == marked;
    const ValueId other = now(op.operands[is_first ? 1 : 0]);
    if (op.kind == OpKind::subtract && is_first)
      return write().emit(OpKind::negate, {other}, Type(type(other)));
    return other;
  }

  // The element, or 0 where the index is outside.
  ValueId sum(const Op& op, const Marked& mark) {
    const Type& at = type(mark.element);
    const ValueId place = write().reshape(now(mark.scatter->operands[1]), at.shape);
    const std::int64_t columns = type(mark.scatter->results[0]).shape.back();
    return write().reshape(write().within(mark.element, place, columns), type(op.results[0]).shape);
  }

  ValueId constant(const Type& like, std::int64_t number) {
    return write().emit(OpKind::constant, {}, like,
                        {{"value", {graph::filled(like, static_cast<double>(number))}}});
  }

  // The base with the elements put into it.
  ValueId made_whole(ValueId value, const Marked& mark) {
    Op made = *mark.scatter;
    made.location = location_;
    const ValueId base = mark.base ? *mark.base : constant(type(value), 0);
    made.operands = {base, now(made.operands[1]), mark.element};
    const Type one{.element = type(value).element, .shape = {}};
    const ValueId before = function_.add_value(Type(one)), after = function_.add_value(Type(one));
    made.regions = {{.arguments = {before, after}, .ops = {}}};
    made.regions[0].ops.push_back({.kind = OpKind::return_, .operands = {after}});
    made.results = {function_.add_value(Type(type(value)))};
    ops_.push_back(made);
    return made.results[0];
  }

  Function& function_;
  Definitions definitions_;
  std::map<ValueId, std::vector<const Op*>> readers_;
  std::map<ValueId, ValueId> replaced_;
  std::map<std::pair<ValueId, ValueId>, ValueId> picked_;  // by value and indices
  std::map<ValueId, Marked> marked_;
  std::deque<Op> scatters_;  // that stand for one-hot rows
  std::vector<Op> ops_;
  graph::LocationId location_ = 0;
  bool changed_ = false;
};

}  // namespace

void move_row_picks(graph::Module& module) {
  for (Function& function : module.functions)
    graph::each_body(function, [](Function& each) { (void)Picks(each).run(); });
}

}  // namespace trainyard::compiler
