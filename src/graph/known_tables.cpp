#include "graph/known_tables.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/folds.h"
#include "graph/literal_bytes.h"
#include "graph/loop_turns.h"
#include "graph/multiply_adds.h"
#include "graph/reads.h"
#include "graph/replace_each.h"

namespace trainyard::graph {

namespace {

// A larger table would cost more to read than its function, and the host long to compute.
constexpr std::int64_t table_max = std::int64_t{1} << 22;
// Elements of all operations behind the tables of a function.
constexpr std::int64_t work_max = std::int64_t{1} << 27;
// A shorter one takes an instruction or two.
constexpr std::int64_t table_min = 512;

// What an operation of a turn costs the evaluator besides its elements, in elements.
constexpr std::int64_t work_of_turn = 256;

// What engines compute in many instructions, or by a table of their own.
bool costs_much(OpKind kind) { return is(kind, Trait::transcendental) || kind == OpKind::while_; }
// Random numbers are left to the machine's generator.
bool makes_random(OpKind kind) {
  return kind == OpKind::xor_ || kind == OpKind::shift_left || kind == OpKind::shift_right_logical;
}

bool follows_from_operands(OpKind kind) {
  if (is(kind, Trait::elementwise)) return !makes_random(kind);
  return is(kind, Trait::created) || is(kind, Trait::move) || is(kind, Trait::product) ||
         kind == OpKind::reduce;
}

class Tables {
 public:
  // `of_loops`: nothing but the results of loops.
  Tables(Function& function, bool of_loops) : function_(function), of_loops_(of_loops) {}

  void run() {
    find_known(function_.body);
    find_read(function_.body);
    if (tables_.empty()) return;
    std::map<ValueId, Literal> values;
    try {
      values = computed();
    } catch (const base::InputError&) {
      return;  // what the evaluator refuses is left to the machine
    }
    put(function_.body, values);
  }

 private:
  struct Known {
    const Op* op;  // in the function, which stays as it is until tables are put
    bool is_dear;
    std::int64_t work;
  };

  void find_known(const Region& region) {
    for (const Op& op : region.ops) {
      if (const std::optional<std::int64_t> work = work_of(op, region)) {
        const bool is_dear =
            costs_much(op.kind) || std::ranges::any_of(values_read(op), [&](ValueId operand) {
              return known_of(operand).is_dear;
            });
        for (const ValueId result : op.results) place_of_[result] = known_.size();
        known_.push_back({.op = &op, .is_dear = is_dear, .work = *work});
      } else {
        for (const Region& nested : op.regions) find_known(nested);
      }
    }
  }
  [[nodiscard]] const Known& known_of(ValueId value) const { return known_[place_of_.at(value)]; }
  // The elements that the evaluator computes for an operation whose operands are known.
  [[nodiscard]] std::optional<std::int64_t> work_of(const Op& op, const Region& around) const {
    const bool is_known = std::ranges::all_of(
        values_read(op), [&](ValueId operand) { return place_of_.contains(operand); });
    return is_known ? work_of_known(op, around) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> work_of_known(const Op& op,
                                                          const Region& around) const {
    const bool is_small = std::ranges::all_of(op.results, [&](ValueId result) {
      const Type& type = function_.type(result);
      return type.kind == Type::Kind::tensor && type.is_static() && type.quantized.empty() &&
             type.elements() <= table_max;
    });
    if (!is_small || op.results.empty()) return std::nullopt;
    if (op.kind == OpKind::while_) return work_of_loop(op, around);
    if (!follows_from_operands(op.kind) || !evaluates(op.kind)) return std::nullopt;
    std::int64_t work = function_.type(op.results[0]).elements();
    if (op.kind == OpKind::reduce) {
      if (!simple_folds(op.regions[0])) return std::nullopt;
      work += function_.type(op.operands[0]).elements();
    }
    const double products = multiply_adds(function_, op);
    if (products > static_cast<double>(work_max)) return std::nullopt;
    return work + static_cast<std::int64_t>(products);
  }
  [[nodiscard]] std::optional<std::int64_t> work_of_loop(const Op& loop,
                                                         const Region& around) const {
    const std::optional<std::int64_t> turns = counted_turns(loop, around);
    if (!turns) return std::nullopt;
    std::int64_t turn = work_of_turn;
    for (const Region& region : loop.regions) {
      for (const Op& op : region.ops) {
        if (op.kind == OpKind::return_) continue;
        const std::optional<std::int64_t> work = work_of_known(op, region);
        if (!work) return std::nullopt;
        turn += *work + work_of_turn;
      }
    }
    if (*turns > 0 && turn > work_max / *turns) return std::nullopt;
    return *turns * turn;
  }

  // Tables are what anything else reads, before it is moved or repeated.
  void find_read(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.results.empty() || !place_of_.contains(op.results[0])) {
        for (const ValueId operand : op.operands) add_read(operand);
        for (const Region& nested : op.regions) find_read(nested);
      } else if (of_loops_ && op.kind == OpKind::while_) {
        for (const ValueId result : op.results) add_table(result);
      }
    }
  }
  void add_read(ValueId value) {
    auto found = place_of_.find(value);
    if (of_loops_ || found == place_of_.end()) return;
    while (is(known_[found->second].op->kind, Trait::arrange))
      found = place_of_.find(value = known_[found->second].op->operands[0]);
    if (known_[found->second].is_dear && function_.type(value).elements() >= table_min)
      add_table(value);
  }
  void add_table(ValueId value) {
    if (tables_.contains(value)) return;
    std::set<std::size_t> behind = behind_;
    std::int64_t work = work_;
    add_behind(value, behind, work);
    if (work > work_max) return;
    behind_ = std::move(behind);
    work_ = work;
    tables_.insert(value);
  }
  void add_behind(ValueId value, std::set<std::size_t>& behind, std::int64_t& work) const {
    const std::size_t place = place_of_.at(value);
    if (!behind.insert(place).second) return;
    work += known_[place].work;
    for (const ValueId operand : values_read(*known_[place].op)) add_behind(operand, behind, work);
  }

  [[nodiscard]] std::map<ValueId, Literal> computed() const {
    Function main{.name = "main"};
    main.types = function_.types;
    for (const std::size_t place : behind_) main.body.ops.push_back(*known_[place].op);
    const std::vector<ValueId> results(tables_.begin(), tables_.end());
    main.body.ops.push_back({.kind = OpKind::return_, .operands = results});
    without_locations(main.body);
    Module module;
    module.functions.push_back(std::move(main));
    std::vector<Literal> values = evaluate(module, {});
    std::map<ValueId, Literal> all;
    for (std::size_t i = 0; i < results.size(); ++i) {
      join_equal(values[i]);
      all.emplace(results[i], std::move(values[i]));
    }
    return all;
  }
  static void without_locations(Region& region) {
    for (Op& op : region.ops) {
      op.location = 0;
      for (Region& nested : op.regions) without_locations(nested);
    }
  }

  static void put(Region& region, const std::map<ValueId, Literal>& values) {
    replace_each(region, [&](Op& op, std::vector<Op>& ops) {
      const bool is_table =
          std::ranges::any_of(op.results, [&](ValueId result) { return values.contains(result); });
      if (!is_table) return false;
      for (const ValueId result : op.results) {
        if (const auto found = values.find(result); found != values.end())
          ops.push_back({.kind = OpKind::constant,
                         .results = {result},
                         .attributes = {{"value", {found->second}}},
                         .location = op.location});
      }
      return true;
    });
  }

  Function& function_;
  bool of_loops_;
  std::vector<Known> known_;  // as they are computed
  std::map<ValueId, std::size_t> place_of_;
  std::set<ValueId> tables_;
  std::set<std::size_t> behind_;  // what they are computed from, and they
  std::int64_t work_ = 0;
};

}  // namespace

void compute_known_tables(Module& module) {
  for (Function& function : module.functions) Tables(function, false).run();
}

void compute_known_loops(Module& module) {
  const auto is_loop = [](const Op& op) { return op.kind == OpKind::while_; };
  for (Function& function : module.functions)
    if (has_op(function.body, is_loop)) Tables(function, true).run();
}

}  // namespace trainyard::graph
