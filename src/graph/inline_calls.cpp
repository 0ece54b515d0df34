#include "graph/inline_calls.h"
#include "graph/reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/error.h"

namespace trainyard::graph {

namespace {

constexpr int inlined_depth_max = 200;

bool is_call(const Op& op) { return op.kind == OpKind::call; }

// Copies operations into one function, whose values those of every copy become.
class Inliner {
 public:
  Inliner(const Module& module, Function& into) : module_(module), into_(into) {}

  using Renamed = std::map<ValueId, ValueId>;

  // `names`: what the region's values are called in the result; a value that is not in it stands
  // for itself.
  [[nodiscard]] Region copy(const Region& region, Renamed& names, const Function* of) {
    Region result;
    for (const ValueId argument : region.arguments)
      result.arguments.push_back(fresh(argument, names, of));
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::call) {
        call(op, names, result.ops);
      } else {
        result.ops.push_back(copy(op, names, of));
      }
    }
    return result;
  }

 private:
  static ValueId renamed(ValueId value, const Renamed& names) {
    const auto found = names.find(value);
    return found == names.end() ? value : found->second;
  }

  // `of`: the function that is inlined; null for the one that is copied into, whose values stay.
  ValueId fresh(ValueId value, Renamed& names, const Function* of) {
    if (of == nullptr) return value;
    const ValueId made = into_.add_value(of->type(value));
    names[value] = made;
    return made;
  }

  Op copy(const Op& op, Renamed& names, const Function* of) {
    Op made{.kind = op.kind, .attributes = op.attributes, .location = op.location};
    for (const ValueId operand : op.operands) made.operands.push_back(renamed(operand, names));
    for (const Region& region : op.regions) made.regions.push_back(copy(region, names, of));
    for (const ValueId value : op.results) made.results.push_back(fresh(value, names, of));
    return made;
  }

  void call(const Op& op, Renamed& names, std::vector<Op>& ops) {
    const Function* const callee = module_.find(op.symbol("callee"));
    if (callee == nullptr || callee->is_declaration() || ++depth_ > inlined_depth_max) {
      throw base::InputError({"graph.call", "a called function is part of the module",
                              module_.describe(op.location),
                              fmt::format("@{}", op.symbol("callee")), "export the module whole"});
    }
    Renamed inner;
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      inner[callee->body.arguments.at(i)] = renamed(op.operands[i], names);
    for (const Op& each : callee->body.ops) {
      if (each.kind == OpKind::return_) {
        for (std::size_t i = 0; i < op.results.size(); ++i)
          names[op.results[i]] = renamed(each.operands.at(i), inner);
      } else if (each.kind == OpKind::call) {
        call(each, inner, ops);
      } else {
        ops.push_back(copy(each, inner, callee));
      }
    }
    --depth_;
  }

  const Module& module_;
  Function& into_;
  int depth_ = 0;
};

}  // namespace

std::optional<Module> without_calls(const Module& module) {
  const auto entry = std::ranges::find(module.functions, "main", &Function::name);
  if (entry == module.functions.end() || !has_op(entry->body, is_call)) return std::nullopt;
  Module changed = module;
  Function& main = changed.functions.at(
      static_cast<std::size_t>(std::distance(module.functions.begin(), entry)));
  Inliner::Renamed names;
  Inliner inliner(module, main);
  main.body = inliner.copy(entry->body, names, nullptr);
  return changed;
}

}  // namespace trainyard::graph
