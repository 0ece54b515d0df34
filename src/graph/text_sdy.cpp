// Shardy in MLIR text: on one device a sharding is nothing and a computation is its body; what
// divides a program over several devices is left for partition().
#include <fmt/format.h>

#include <utility>

#include "graph/attribute_forms.h"
#include "graph/partition.h"
#include "graph/text_program.h"

namespace trainyard::graph {

// "@mesh = <["x"=2, "y"=4]>"
void TextProgram::read_mesh() {
  std::string name = at_.name('@');
  at_.expect("=");
  at_.expect("<");
  AttributeList axes;
  std::vector<std::int64_t> ids;
  at_.expect("[");
  while (!at_.accept("]")) {
    if (!axes.empty()) at_.expect(",");
    std::string axis = at_.string();
    at_.expect("=");
    axes.push_back({AttributeList{{std::move(axis)}, {at_.integer()}}});
  }
  while (at_.accept(",")) {
    at_.expect("device_ids");
    at_.expect("=");
    ids = parser_.integers();
  }
  at_.expect(">");
  static_cast<void>(parser_.optional_dictionary());
  static_cast<void>(parser_.optional_location());
  module_.attributes.push_back(
      {"sdy.mesh." + name,
       {Dictionary{{"axes", {std::move(axes)}}, {"device_ids", {std::move(ids)}}}}});
}

// On one device a constraint is the value that it constrains, and a computation is its body.
void TextProgram::add_sdy(Region& region, TextOp op,
                          const std::vector<std::pair<std::string, std::size_t>>& names) {
  if (op.name == "sdy.return") {
    op.name = "stablehlo.return";
    read_pretty(op, "return");
    return add_op(region, std::move(op), names);
  }
  if (op.name == "sdy.constant") {
    op.name = "stablehlo.constant";
    read_pretty(op, "constant");
    return add_op(region, std::move(op), names);
  }
  if (partitions(module_) > 1 && op.name != "sdy.named_computation")
    return add_division(region, std::move(op), names);
  if (op.name == "sdy.manual_computation" || op.name == "sdy.named_computation") {
    if (at_.peek() == '<') static_cast<void>(at_.angles());
    op.operands = operands_in_parentheses();
    inline_computation(region, op, names);
    return;
  }
  if (op.name == "sdy.sharding_group") at_.malformed("sdy.sharding_group");
  op.operands = {operand()};
  // "<@mesh, [{}]>" and words up to the type.
  while (at_.peek() != ':' && !at_.at_end()) {
    if (at_.peek() == '<') {
      static_cast<void>(at_.angles());
    } else if (at_.peek() == '{') {
      static_cast<void>(parser_.dictionary());
    } else if (at_.peek() == '[') {
      static_cast<void>(parser_.list('[', ']'));
    } else if (!at_.accept("=") && at_.word().empty()) {
      at_.malformed(fmt::format("{} that is not understood", op.name));
    }
  }
  at_.expect(":");
  const Type type = parser_.type();
  check_types(op, {type});
  static_cast<void>(parser_.optional_location());
  name_results(op.operands, names);
}

// "[<@mesh, [{"a"}]>, <@mesh, [{}]>]" behind the name, as the artifact reader joins them.
NamedAttribute TextProgram::read_shardings(std::string_view name) {
  at_.expect(name);
  at_.expect("=");
  at_.expect("[");
  std::string all;
  while (!at_.accept("]")) {
    if (!all.empty()) at_.expect(",");
    all += (all.empty() ? "" : ", ") + parser_.sharding();
  }
  return {std::string(name), {fmt::format("#sdy.sharding_per_value<[{}]>", all)}};
}

// "(%a) in_shardings=[...] out_shardings=[...] manual_axes={...} (%b: t) {...} : (t) -> t"
void TextProgram::read_manual_computation(TextOp& op) {
  op.operands = operands_in_parentheses();
  op.attributes.push_back(read_shardings("in_shardings"));
  op.attributes.push_back(read_shardings("out_shardings"));
  at_.expect("manual_axes");
  at_.expect("=");
  at_.expect("{");
  std::string axes;
  while (!at_.accept("}")) {
    if (!axes.empty()) at_.expect(",");
    axes += (axes.empty() ? "" : ", ") + at_.string();
  }
  op.attributes.push_back({"manual_axes", {fmt::format("#sdy<manual_axes{{{}}}>", axes)}});
  std::vector<std::pair<std::string, Type>> arguments;
  at_.expect("(");
  while (!at_.accept(")")) {
    if (!arguments.empty()) at_.expect(",");
    std::string name = at_.name('%');
    at_.expect(":");
    arguments.emplace_back(std::move(name), parser_.type());
    static_cast<void>(parser_.optional_location());
  }
  if (arguments.size() != op.operands.size()) at_.malformed("arguments that differ");
  op.regions.push_back(read_region(arguments));
  read_functional_type(op);
}

void TextProgram::add_division(Region& region, TextOp op,
                               const std::vector<std::pair<std::string, std::size_t>>& names) {
  Op made{.kind = OpKind::custom_call};
  for (const auto& [name, count] : names)
    for (std::size_t i = 0; i < count; ++i) made.results.push_back(add_value({}));
  const bool is_manual = op.name == "sdy.manual_computation";
  if (is_manual) {
    read_manual_computation(op);
  } else if (op.name == "sdy.sharding_constraint" || op.name == "sdy.reshard") {
    op.operands = {operand()};
    op.attributes.push_back({"sharding", {parser_.sharding()}});
    at_.expect(":");
    op.result_types = {parser_.type()};
    check_types(op, op.result_types);
  } else {
    at_.malformed(fmt::format("{} of a program for several devices", op.name));
  }
  if (op.result_types.size() != made.results.size()) at_.malformed("results that differ");
  for (std::size_t i = 0; i < made.results.size(); ++i)
    function_->types[made.results[i]] = std::move(op.result_types[i]);
  made.operands = std::move(op.operands);
  made.attributes = std::move(op.attributes);
  made.attributes.push_back(
      {"call_target_name", {std::string(is_manual ? manual_computation : sharding_constraint)}});
  complete_attributes(made);
  made.regions = std::move(op.regions);
  made.location = intern(parser_.optional_location(), op.offset);
  name_results(made.results, names);
  region.ops.push_back(std::move(made));
}

void TextProgram::inline_computation(
    Region& region, TextOp& op, const std::vector<std::pair<std::string, std::size_t>>& names) {
  // "in_shardings=[...] out_shardings=[...] manual_axes={...}": nothing on one device.
  while (!at_.sees("(") && !at_.at_end()) {
    const char c = at_.peek();
    if (c == '[' || c == '{') {
      const char closes = c == '[' ? ']' : '}';
      at_.expect({&c, 1});
      while (!at_.accept({&closes, 1})) {
        if (at_.at_end()) at_.malformed("the end inside of shardings");
        if (at_.peek() == '<') {
          static_cast<void>(at_.angles());
        } else if (at_.peek() == '"') {
          static_cast<void>(at_.string());
        } else if (!at_.accept(",")) {
          at_.malformed("shardings that are not understood");
        }
      }
    } else if (!at_.accept("=") && at_.word().empty()) {
      at_.malformed(fmt::format("{} that is not understood", op.name));
    }
  }
  scopes_.emplace_back();
  at_.expect("(");
  std::size_t taken = 0;
  std::vector<Type> types;
  while (!at_.accept(")")) {
    if (taken > 0) at_.expect(",");
    const std::string name = at_.name('%');
    at_.expect(":");
    types.push_back(parser_.type());
    static_cast<void>(parser_.optional_location());
    if (taken >= op.operands.size()) at_.malformed("arguments that differ");
    define(name, op.operands[taken++]);
  }
  check_types(op, types);
  const TextParser::Deeper deeper(parser_);
  at_.expect("{");
  const std::size_t before = region.ops.size();
  read_ops(region);
  if (region.ops.size() == before || region.ops.back().kind != OpKind::return_)
    at_.malformed("a computation that does not return");
  const std::vector<ValueId> results = region.ops.back().operands;
  region.ops.pop_back();
  scopes_.pop_back();
  read_functional_type(op);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (op.result_types.size() != results.size() ||
        op.result_types[i] != function_->type(results[i]))
      at_.malformed("results that differ: a program for several devices");
  }
  static_cast<void>(parser_.optional_location());
  name_results(results, names);
}

}  // namespace trainyard::graph
