#include "graph/optimizer_state.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <utility>

#include "graph/precision_passes.h"
#include "graph/tensor_classes.h"

namespace trainyard::graph {

namespace {

// How an argument takes part in a value; a later one counts more where both are possible.
enum class Part : std::uint8_t { computed, itself, added };

// How a value came about.
struct Flow {
  std::map<std::size_t, Part> arguments{};  // of main, of the value's shape, elementwise
  bool is_from_gradient = false;
  const std::string* annotation = nullptr;

  void join(const Flow& other) {
    for (const auto& [argument, part] : other.arguments) {
      Part& own = arguments.try_emplace(argument, part).first->second;
      own = std::max(own, part);
    }
    is_from_gradient = is_from_gradient || other.is_from_gradient;
  }
  void pass(OpKind kind) {
    for (auto& [argument, part] : arguments) {
      const bool adds = kind == OpKind::add || kind == OpKind::subtract;
      if (adds && part == Part::itself) part = Part::added;
      if (!adds && !hands_on(kind)) part = Part::computed;
    }
  }
  static bool hands_on(OpKind kind) {
    return kind == OpKind::select || kind == OpKind::convert || kind == OpKind::reshape ||
           kind == OpKind::transpose;
  }
};

// Elementwise, or hands all elements on, maybe in another order or summed over devices.
bool hands_on_elements(const Op& op) {
  switch (op.kind) {
    case OpKind::all_reduce:
    case OpKind::reshape:
    case OpKind::transpose: return true;
    case OpKind::custom_call: return op.text("call_target_name") == "Sharding";
    default: return is(op.kind, Trait::elementwise);
  }
}

class Finder {
 public:
  explicit Finder(const Module& module) : module_(module), main_(module.entry()) {}

  std::vector<OptimizerState> run() {
    std::vector<Flow> given;
    for (std::size_t i = 0; i < main_.body.arguments.size(); ++i) {
      const Type& type = main_.type(main_.body.arguments[i]);
      const bool may_be = type.kind == Type::Kind::tensor && type.rank() > 0 &&
                          is_float(type.element) && type.is_static();
      given.push_back(may_be ? Flow{.arguments = {{i, Part::itself}}} : Flow{});
    }
    results_ = call(main_, given);
    std::vector<OptimizerState> states;
    while (true) {
      const std::vector<OptimizerState> more = more_than(states);
      if (more.empty()) return states;
      states.insert(states.end(), more.begin(), more.end());
    }
  }

 private:
  // Those whose results follow from themselves and from states that are known. What these are added
  // to is a weight.
  [[nodiscard]] std::vector<OptimizerState> more_than(
      std::span<const OptimizerState> states) const {
    std::map<std::size_t, std::vector<OptimizerState>> found;  // by argument
    for (std::size_t i = 0; i < results_.size(); ++i) {
      std::map<std::size_t, Part> others = results_[i].arguments;
      for (const OptimizerState& state : states) others.erase(state.argument);
      if (!results_[i].is_from_gradient || others.size() != 1) continue;
      const auto [argument, part] = *others.begin();
      if (results_[i].arguments.size() > 1 && part == Part::added) continue;
      if (main_.type(main_.body.arguments[argument]) == main_.type(main_.results()[i]))
        found[argument].push_back({argument, i, results_[i].annotation});
    }
    std::vector<OptimizerState> more;
    for (const auto& [argument, all] : found) {
      if (all.size() == 1 && !is_differentiated_.contains(argument)) more.push_back(all.front());
    }
    return more;
  }

  using Flows = std::map<ValueId, Flow>;  // of a function, once for each call

  std::vector<Flow> call(const Function& function, std::span<const Flow> given) {
    Flows flows;
    for (std::size_t i = 0; i < given.size(); ++i) flows[function.body.arguments[i]] = given[i];
    visit(function, function.body, flows);
    return results_of(function.body, flows);
  }

  static std::vector<Flow> results_of(const Region& region, Flows& flows) {
    std::vector<Flow> results;
    for (const ValueId value : region.ops.back().operands) results.push_back(flows[value]);
    return results;
  }

  void visit(const Function& function, const Region& region, Flows& flows) {
    for (const Op& op : region.ops) {
      if (op.kind != OpKind::return_) visit(function, op, flows);
    }
  }

  void visit(const Function& function, const Op& op, Flows& flows) {
    Flow all;
    for (const ValueId operand : op.operands) all.join(flows[operand]);
    if (is_differentiated(module_, op))
      std::ranges::copy(all.arguments | std::views::keys,
                        std::inserter(is_differentiated_, is_differentiated_.end()));
    if (const std::optional<std::vector<Flow>> made = made_inside(function, op, flows)) {
      for (std::size_t i = 0; i < op.results.size(); ++i) flows[op.results[i]] = made->at(i);
      return;
    }
    all.annotation = annotation_of(op);
    all.is_from_gradient = all.is_from_gradient || is_backward(module_, op);
    if (is_backward(module_, op) || !hands_on_elements(op)) all.arguments.clear();
    all.pass(op.kind);
    for (const ValueId result : op.results) flows[result] = all;
  }

  // Of what has functions or regions that read the values outside.
  std::optional<std::vector<Flow>> made_inside(const Function& function, const Op& op,
                                               Flows& flows) {
    if (op.kind == OpKind::call) {
      const Function* const callee = module_.find(op.symbol("callee"));
      if (callee == nullptr || callee->is_declaration()) return std::nullopt;
      std::vector<Flow> given;
      for (const ValueId operand : op.operands) given.push_back(flows[operand]);
      return call(*callee, given);
    }
    if (op.kind == OpKind::while_) return made_by_loop(function, op, flows);
    if (op.kind != OpKind::case_ && op.kind != OpKind::if_) return std::nullopt;
    std::vector<Flow> joined(op.results.size());
    for (const Region& region : op.regions) {
      visit(function, region, flows);
      const std::vector<Flow> results = results_of(region, flows);
      for (std::size_t i = 0; i < joined.size(); ++i) joined[i].join(results[i]);
    }
    return joined;
  }

  // A second turn sees what the first one handed on; more turns see nothing else.
  std::vector<Flow> made_by_loop(const Function& function, const Op& op, Flows& flows) {
    const Region& body = op.regions.at(1);
    std::vector<Flow> carried;
    for (const ValueId operand : op.operands) carried.push_back(flows[operand]);
    for (int turn = 0; turn < 2; ++turn) {
      for (const Region& region : op.regions) {
        for (std::size_t i = 0; i < carried.size(); ++i) flows[region.arguments[i]] = carried[i];
        visit(function, region, flows);
      }
      const std::vector<Flow> results = results_of(body, flows);
      for (std::size_t i = 0; i < carried.size(); ++i) carried[i].join(results[i]);
    }
    for (Flow& each : carried) each = {.is_from_gradient = each.is_from_gradient};
    return carried;
  }

  const Module& module_;
  const Function& main_;
  std::vector<Flow> results_;
  std::set<std::size_t> is_differentiated_;  // arguments that what is differentiated reads
};

}  // namespace

std::vector<OptimizerState> optimizer_states(const Module& module) { return Finder(module).run(); }

}  // namespace trainyard::graph
