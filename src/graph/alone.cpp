#include "graph/alone.h"

#include <map>
#include <string>
#include <utility>

namespace trainyard::graph {

namespace {

// Whose new numbers are in the order of the old ones.
class OrderedNumbers {
 public:
  void add(std::uint32_t old) { of_.try_emplace(old, 0); }
  void count() {
    std::uint32_t next = 0;
    for (auto& [old, number] : of_) number = next++;
  }
  void renumber(std::uint32_t& old) const { old = of_.at(old); }
  [[nodiscard]] const std::map<std::uint32_t, std::uint32_t>& all() const { return of_; }

 private:
  std::map<std::uint32_t, std::uint32_t> of_;
};

template <typename OnValue, typename OnLocation>
void visit_numbers(Region& region, const OnValue& on_value, const OnLocation& on_location) {
  for (ValueId& argument : region.arguments) on_value(argument);
  for (Op& op : region.ops) {
    on_location(op.location);
    for (ValueId& operand : op.operands) on_value(operand);
    for (Region& each : op.regions) visit_numbers(each, on_value, on_location);
    for (ValueId& result : op.results) on_value(result);
  }
}

void number_values(Function& main, const Function& from) {
  OrderedNumbers values;
  const auto at_no_place = [](LocationId) {};
  visit_numbers(
      main.body, [&](ValueId value) { values.add(value); }, at_no_place);
  values.count();
  visit_numbers(
      main.body, [&](ValueId& value) { values.renumber(value); }, at_no_place);
  for (const auto& [old, number] : values.all()) main.types.push_back(from.type(old));
}

void number_places(Module& module, const Module& from) {
  OrderedNumbers places;
  places.add(0);
  const auto of_no_value = [](ValueId) {};
  for (Function& each : module.functions)
    visit_numbers(each.body, of_no_value, [&](LocationId place) { places.add(place); });
  places.count();
  for (Function& each : module.functions)
    visit_numbers(each.body, of_no_value, [&](LocationId& place) { places.renumber(place); });
  module.locations.clear();
  for (const auto& [old, number] : places.all()) module.locations.push_back(from.locations.at(old));
}

}  // namespace

Module alone(const Module& module, const Function& function, std::span<const Op* const> ops,
             std::span<const ValueId> read, std::span<const ValueId> results) {
  Module made{.name = std::string(name(ops.front()->kind))};
  Function main{.name = "main"};
  main.body.arguments.assign(read.begin(), read.end());
  for (const Op* const op : ops) main.body.ops.push_back(*op);
  main.body.ops.push_back({.kind = OpKind::return_, .operands = {results.begin(), results.end()}});
  number_values(main, function);
  made.functions.push_back(std::move(main));
  for (const Function& each : module.functions) {
    if (each.name != "main") made.functions.push_back(each);
  }
  number_places(made, module);
  return made;
}

}  // namespace trainyard::graph
