// Loops, branches, calls, tuples, tokens and what other programs define.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

bool same_types(const OpCheck& c, std::span<const ValueId> a, std::span<const ValueId> b) {
  return std::ranges::equal(a, b,
                            [&](ValueId x, ValueId y) { return same_type(c.type(x), c.type(y)); });
}

void all_passed_on(OpCheck& c) {
  c.require(same_types(c, c.op.operands, c.op.results), "results have the types of the operands");
}

void loop(OpCheck& c) {
  all_passed_on(c);
  const Region& condition = c.op.regions[0];
  c.require(same_types(c, condition.arguments, c.op.operands),
            "the condition takes the values of the loop");
  const auto& decided = condition.ops.back().operands;
  c.require(decided.size() == 1 && is_scalar(c.type(decided[0])) &&
                c.type(decided[0]).element == ElementType::pred,
            "the condition returns one i1");
  c.region_types(1, c.op.operands, c.op.results);
}

void branch(OpCheck& c) {
  const Type& index = c.operand(0);
  const ElementType wanted = c.op.kind == OpKind::if_ ? ElementType::pred : ElementType::s32;
  c.require(is_scalar(index) && index.element == wanted,
            c.op.kind == OpKind::if_ ? "the predicate is one i1" : "the index is one i32");
  for (std::size_t i = 0; i < c.op.regions.size(); ++i) c.region_types(i, {}, c.op.results);
}

// A function that takes the operands and gives the results; its values have types of their own.
void calls(OpCheck& c, std::string_view name) {
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

void call(OpCheck& c) { calls(c, "callee"); }

void composite(OpCheck& c) {
  (void)c.text("name");
  if (c.op.find("decomposition") != nullptr) calls(c, "decomposition");
}

void custom_call(OpCheck& c) { (void)c.text("call_target_name"); }

void tuple(OpCheck& c) {
  const Type& type = c.result();
  const auto same = [&](ValueId value, const Type& part) { return same_type(c.type(value), part); };
  c.require(type.kind == Type::Kind::tuple && std::ranges::equal(c.op.operands, type.parts, same),
            "the result is a tuple of the operands");
}

void get_tuple_element(OpCheck& c) {
  const Type& whole = c.operand(0);
  if (!c.require(whole.kind == Type::Kind::tuple, "the operand is a tuple")) return;
  const std::size_t index = c.dimension("index", whole.parts.size());
  if (!c.has_failed())
    c.require(same_type(whole.parts[index], c.result()), "the result is that part of the tuple");
}

void token(OpCheck& c) { c.require(c.result().kind == Type::Kind::token, "the result is a token"); }

void last_is_token(OpCheck& c) {
  const auto& values =
      c.op.kind == OpKind::outfeed || c.op.kind == OpKind::send ? c.op.operands : c.op.results;
  c.require(c.type(values.back()).kind == Type::Kind::token, "the last value is a token");
}

constexpr Form of_any(OpKind kind, int operands, int operands_max, int results, int results_max,
                      Rule rule, int regions = 0, int regions_max = 0) {
  return {kind, operands, operands_max, results, results_max, regions, regions_max, rule, true};
}

constexpr auto control_table = std::to_array<Form>({
    of_any(OpKind::after_all, 0, many, 1, 1, token),
    of_any(OpKind::async_done, 1, 1, 0, many, nullptr),
    of_any(OpKind::async_start, 0, many, 1, 1, nullptr, 0, 1),
    of_any(OpKind::call, 0, many, 0, many, call),
    of_any(OpKind::case_, 1, 1, 0, many, branch, 1, many),
    of_any(OpKind::composite, 0, many, 0, many, composite, 0, 1),
    of_any(OpKind::create_token, 0, 0, 1, 1, token),
    of_any(OpKind::custom_call, 0, many, 0, many, custom_call, 0, many),
    of_any(OpKind::get_tuple_element, 1, 1, 1, 1, get_tuple_element),
    of_any(OpKind::if_, 1, 1, 0, many, branch, 2, 2),
    of_any(OpKind::infeed, 1, 1, 1, many, last_is_token),
    of_any(OpKind::optimization_barrier, 0, many, 0, many, all_passed_on),
    of_any(OpKind::outfeed, 1, many, 1, 1, last_is_token),
    of_any(OpKind::recv, 1, 1, 1, many, last_is_token),
    of_any(OpKind::send, 1, many, 1, 1, last_is_token),
    of_any(OpKind::tuple, 0, many, 1, 1, tuple),
    of_any(OpKind::while_, 0, many, 0, many, loop, 2, 2),
});

}  // namespace

std::span<const Form> control_forms() { return control_table; }

}  // namespace trainyard::graph
