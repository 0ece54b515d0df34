#include "compiler/lowering/canonical/known_tables.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "graph/evaluate.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Literal;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

// A larger table would cost more to read than its function, and the host long to compute.
constexpr std::int64_t table_max = std::int64_t{1} << 22;
// Elements of all operations behind the tables of a function.
constexpr std::int64_t work_max = std::int64_t{1} << 27;
// A shorter one takes an instruction or two.
constexpr std::int64_t table_min = 512;

// What engines compute in many instructions, or by a table of their own.
bool costs_much(OpKind kind) { return graph::is(kind, graph::Trait::transcendental); }
// Random numbers are left to the machine's generator.
bool makes_random(OpKind kind) {
  return kind == OpKind::xor_ || kind == OpKind::shift_left || kind == OpKind::shift_right_logical;
}

bool follows_from_operands(OpKind kind) {
  return kind == OpKind::constant || kind == OpKind::iota || kind == OpKind::concatenate ||
         graph::is(kind, graph::Trait::arrange) ||
         (graph::is(kind, graph::Trait::elementwise) && !makes_random(kind));
}

class Tables {
 public:
  explicit Tables(Function& function) : function_(function) {}

  void run() {
    find_known(function_.body);
    find_read(function_.body);
    if (!tables_.empty()) put(function_.body, computed());
  }

 private:
  struct Known {
    Op op;
    bool is_dear;
  };

  void find_known(const Region& region) {
    for (const Op& op : region.ops) {
      if (is_known(op)) {
        const bool is_dear =
            costs_much(op.kind) || std::ranges::any_of(op.operands, [&](ValueId operand) {
              return known_.at(operand).is_dear;
            });
        known_.emplace(op.results[0], Known{op, is_dear});
        order_.push_back(op.results[0]);
      }
      for (const Region& nested : op.regions) find_known(nested);
    }
  }
  [[nodiscard]] bool is_known(const Op& op) const {
    if (!follows_from_operands(op.kind) || op.results.size() != 1) return false;
    const graph::Type& type = function_.type(op.results[0]);
    return type.is_static() && type.quantized.empty() && graph::evaluates(op.kind) &&
           type.elements() <= table_max && std::ranges::all_of(op.operands, [&](ValueId operand) {
             return known_.contains(operand);
           });
  }

  // Tables are what anything else reads, before it is moved or repeated.
  void find_read(const Region& region) {
    for (const Op& op : region.ops) {
      const bool is_known = op.results.size() == 1 && known_.contains(op.results[0]);
      if (!is_known)
        for (const ValueId operand : op.operands) add_table(operand);
      for (const Region& nested : op.regions) find_read(nested);
    }
  }
  void add_table(ValueId value) {
    auto found = known_.find(value);
    while (found != known_.end() && graph::is(found->second.op.kind, graph::Trait::arrange))
      found = known_.find(value = found->second.op.operands[0]);
    if (found == known_.end() || !found->second.is_dear) return;
    if (function_.type(value).elements() < table_min || tables_.contains(value)) return;
    std::set<ValueId> behind = behind_;
    std::int64_t work = work_;
    add_behind(value, behind, work);
    if (work > work_max) return;
    behind_ = std::move(behind);
    work_ = work;
    tables_.insert(value);
  }
  void add_behind(ValueId value, std::set<ValueId>& behind, std::int64_t& work) const {
    if (!behind.insert(value).second) return;
    work += function_.type(value).elements();
    for (const ValueId operand : known_.at(value).op.operands) add_behind(operand, behind, work);
  }

  [[nodiscard]] std::map<ValueId, Literal> computed() const {
    Function main{.name = "main"};
    main.types = function_.types;
    for (const ValueId value : order_)
      if (behind_.contains(value)) main.body.ops.push_back(known_.at(value).op);
    const std::vector<ValueId> results(tables_.begin(), tables_.end());
    main.body.ops.push_back({.kind = OpKind::return_, .operands = results});
    for (Op& op : main.body.ops) op.location = 0;
    graph::Module module;
    module.functions.push_back(std::move(main));
    std::vector<Literal> values = graph::evaluate(module, {});
    std::map<ValueId, Literal> all;
    for (std::size_t i = 0; i < results.size(); ++i) all.emplace(results[i], std::move(values[i]));
    return all;
  }

  void put(Region& region, const std::map<ValueId, Literal>& values) {
    for (Op& op : region.ops) {
      const auto found = op.results.size() == 1 ? values.find(op.results[0]) : values.end();
      if (found != values.end()) {
        op = {.kind = OpKind::constant,
              .results = op.results,
              .attributes = {{"value", {found->second}}},
              .location = op.location};
      }
      for (Region& nested : op.regions) put(nested, values);
    }
  }

  Function& function_;
  std::map<ValueId, Known> known_;
  std::vector<ValueId> order_;         // of the known, as they are computed
  std::set<ValueId> tables_, behind_;  // and what they are computed from
  std::int64_t work_ = 0;
};

}  // namespace

void compute_known_tables(graph::Module& module) {
  for (Function& function : module.functions) Tables(function).run();
}

}  // namespace trainyard::compiler
