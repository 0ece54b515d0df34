// Calls of functions of the module, and of what other programs define. The evaluator knows some
// of these by name; of others it runs the decomposition.
#include <algorithm>
#include <array>

#include "graph/host_callback.h"
#include "graph/linear_scan.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/precision.h"

namespace trainyard::graph {

namespace {

// A function that takes the operands and gives the results; its values have types of their own.
void verify_calls(OpCheck& c, std::string_view name) {
  const Attribute* const attribute = c.op.find(name);
  const auto* const symbol =
      attribute == nullptr ? nullptr : std::get_if<Symbol>(&attribute->value);
  if (!c.require(symbol != nullptr, "it names a function")) return;
  const Function* const callee = c.module.find(symbol->name);
  if (!c.require(callee != nullptr, "the function is part of the module")) return;
  const auto same = [&](ValueId ours, ValueId theirs) {
    return theirs < callee->types.size() && same_type(c.type(ours), callee->type(theirs));
  };
  c.require(std::ranges::equal(c.op.operands, callee->body.arguments, same),
            "the function takes values of the operands' types");
  if (!callee->is_declaration())
    c.require(std::ranges::equal(c.op.results, callee->results(), same),
              "the function returns values of the results' types");
}

void verify_call(OpCheck& c) { verify_calls(c, "callee"); }

void verify_composite(OpCheck& c) {
  (void)c.text("name");
  if (c.op.find("decomposition") != nullptr) verify_calls(c, "decomposition");
}

void verify_custom_call(OpCheck& c) { (void)c.text("call_target_name"); }

std::vector<Value> evaluate_call(const Evaluation& e) {
  const Function* const callee = e.evaluator.module().find(e.op.symbol("callee"));
  if (callee == nullptr) e.refuse("a call names a function", e.op.symbol("callee"));
  return e.evaluator.call(*callee, {e.operands.begin(), e.operands.end()});
}

bool is_marker(std::string_view target) {
  constexpr std::array<std::string_view, 5> markers{
      "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement",
      "LayoutConstraint"};
  return std::ranges::find(markers, target) != markers.end();
}

std::vector<Value> call_host(std::uint64_t number, const Evaluation& e) {
  const HostFunctions& functions = e.evaluator.limits().host_functions;
  if (!functions) e.refuse("a program whose host serves its callbacks", "a callback");
  std::vector<Literal> operands, results;
  for (const Value& value : e.operands) operands.push_back(to_literal(value));
  for (const Type& type : e.results) {
    results.push_back({.type = type, .content = Content(static_cast<std::size_t>(type.bytes()))});
  }
  functions(number, operands, results);
  std::vector<Value> values;
  for (const Literal& literal : results) values.push_back(from_literal(literal));
  return values;
}

Results evaluate_custom_call(const Evaluation& e) {
  const std::string& target = e.op.text("call_target_name");
  if (const auto number = host_callback(e.op)) return call_host(*number, e);
  if (is_marker(target)) return std::vector<Value>(e.operands.begin(), e.operands.end());
  e.refuse("a custom call that the evaluator knows", target);
}

Results evaluate_composite(const Evaluation& e) {
  const std::string& name = e.op.text("name");
  constexpr std::string_view prefix = "chlo.";
  if (name.starts_with(prefix)) {
    if (auto made = evaluate_chlo(std::string_view(name).substr(prefix.size()), e)) return *made;
  }
  if (name == mx_rounded_name) return {mx_rounded(e)};
  if (name == pruned_name) return {pruned(e)};
  if (name == linear_scan_name) return {linear_scan(e)};
  if (name == stored_name)
    return operand_format(e.op.text("format")).is_sparse() ? sparse_elements(e) : mx_words(e);
  const Attribute* const decomposition = e.op.find("decomposition");
  const Function* const body =
      decomposition == nullptr ? nullptr : e.evaluator.module().find(e.op.symbol("decomposition"));
  if (body == nullptr) e.refuse("a composite with a decomposition", name);
  return e.evaluator.call(*body, {e.operands.begin(), e.operands.end()});
}

void complete_composite(Op& op) {
  add_default(op, "composite_attributes", {Dictionary{}});
  add_default(op, "version", {std::int64_t{0}});
}

void complete_custom_call(Op& op) {
  add_default(op, "api_version", {std::string("API_VERSION_ORIGINAL")});
  add_default(op, "backend_config", {std::string()});
  add_default(op, "has_side_effect", {false});
  for (const std::string_view name :
       {"called_computations", "operand_layouts", "result_layouts", "output_operand_aliases"})
    add_default(op, name, {AttributeList{}});
}

// CHLO's functions are elementwise but for one; others may be anything.
bool factors_of_composite(Making& make) {
  const Op& op = make.op();
  if (op.text("name") == "chlo.top_k") {
    const std::size_t rows = make.result().size() - 1;
    make.along(1, [&](std::size_t d) { return d < rows; });
    return true;
  }
  return op.text("name").starts_with("chlo.") && op.find("decomposition") == nullptr &&
         elementwise_factors(make);
}

// A decomposition is one of whole values.
void part_of_composite(Op& op, const Ways&) {
  std::erase_if(op.attributes,
                [](const NamedAttribute& each) { return each.name == "decomposition"; });
}

constexpr auto calls_records = std::to_array<OpRecord>({
    {.kind = OpKind::call,
     .name = "call",
     .operands = {0, many},
     .results = {0, many},
     .any_types = true,
     .vhlo = {"callee"},
     .verify = verify_call,
     .evaluate = evaluate_call},
    {.kind = OpKind::composite,
     .name = "composite",
     .operands = {0, many},
     .results = {0, many},
     .regions = {0, 1},
     .any_types = true,
     .vhlo = {"composite_attributes decomposition name version",
              "composite_attributes decomposition name version"},
     .complete = complete_composite,
     .verify = verify_composite,
     .evaluate = evaluate_composite,
     .factors = factors_of_composite,
     .part = part_of_composite},
    {.kind = OpKind::custom_call,
     .name = "custom_call",
     .operands = {0, many},
     .results = {0, many},
     .regions = {0, many},
     .any_types = true,
     .traits = {Trait::keeps_format},
     .vhlo = {"api_version backend_config call_target_name called_computations "
              "has_side_effect operand_layouts output_operand_aliases result_layouts",
              "api_version backend_config call_target_name called_computations "
              "has_side_effect operand_layouts output_operand_aliases result_layouts "
              "result_tilings"},
     .complete = complete_custom_call,
     .verify = verify_custom_call,
     .evaluate = evaluate_custom_call},
});

}  // namespace

std::span<const OpRecord> calls_ops() { return calls_records; }

}  // namespace trainyard::graph
