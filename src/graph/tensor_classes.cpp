#include "graph/tensor_classes.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "graph/precision.h"

namespace trainyard::graph {

namespace {

// What hands elements of its first operand on.
bool is_move(const Op& op) {
  switch (op.kind) {
    case OpKind::all_gather:
    case OpKind::convert:
    case OpKind::dynamic_slice:
    case OpKind::pad: return true;
    case OpKind::custom_call: return op.text("call_target_name") == "Sharding";
    default: return is(op.kind, Trait::arrange);
  }
}

bool is_batched(const Op& op) {
  return op.kind == OpKind::dot_general && !op.integers("lhs_batching_dimensions").empty();
}

}  // namespace

bool is_backward(const Module& module, const Op& op) {
  const std::string_view scope = module.locations.at(op.location).scope;
  const std::size_t backward = scope.rfind("transpose(");
  return backward != std::string_view::npos &&
         scope.find("rematted_computation", backward) == std::string_view::npos;
}

bool is_differentiated(const Module& module, const Op& op) {
  const std::string_view scope = module.locations.at(op.location).scope;
  return scope.find("jvp(") != std::string_view::npos ||
         scope.find("transpose(") != std::string_view::npos;
}

TensorClasses::TensorClasses(const Module& module) : module_(module) {
  roots_.resize(module.entry().body.arguments.size(), Kind::argument);
  is_computed_with_.resize(roots_.size());
  do {
    settle();
    learns_ = true;
    changed_ = false;
    visit(module.entry(), module.entry().body);
    learns_ = false;
  } while (changed_);
}

void TensorClasses::settle() {
  const Function& entry = module_.entry();
  values_.clear();
  Origins& values = values_[&entry];
  values.resize(entry.types.size());
  for (std::size_t i = 0; i < roots_.size(); ++i)
    values[entry.body.arguments[i]] = now({Kind::argument, static_cast<int>(i)});
  do {
    changed_ = false;
    visit(entry, entry.body);
  } while (changed_);
}

TensorClass TensorClasses::of(const Function& function, ValueId value) const {
  switch (now(values_.at(&function).at(value)).kind) {
    case Kind::argument: return TensorClass::weights;
    case Kind::cache: return TensorClass::kv_cache;
    case Kind::gradient: return TensorClass::gradients;
    case Kind::unknown:
    case Kind::computed: break;
  }
  return TensorClass::activations;
}

bool TensorClasses::is_only_multiplied(const Function& function, ValueId value) const {
  const int root = values_.at(&function).at(value).root;
  return root == constant || (root != shared && !is_computed_with_[static_cast<std::size_t>(root)]);
}

TensorClasses::Origin TensorClasses::join(const Origin& a, const Origin& b) {
  if (a.kind == Kind::unknown) return b;
  if (b.kind == Kind::unknown || a == b) return a;
  if (a.kind == b.kind) return {a.kind, shared};
  return {Kind::computed, shared};
}

TensorClasses::Origin TensorClasses::now(const Origin& origin) const {
  if (origin.kind != Kind::argument || origin.root < 0) return origin;
  return {roots_[static_cast<std::size_t>(origin.root)], origin.root};
}

// Origins only rise, from unknown to what they are to computed, so that visits come to an end.
void TensorClasses::put(Origins& values, ValueId value, const Origin& origin) {
  const Origin joined = join(values[value], origin);
  changed_ = changed_ || joined != values[value];
  values[value] = joined;
}

void TensorClasses::mark(int root, Kind kind) {
  if (!learns_ || root < 0 || roots_[static_cast<std::size_t>(root)] != Kind::argument) return;
  roots_[static_cast<std::size_t>(root)] = kind;
  changed_ = true;
}

void TensorClasses::visit(const Function& function, const Region& region) {
  for (const Op& op : region.ops) visit(function, op);
}

void TensorClasses::visit(const Function& function, const Op& op) {
  Origins& values = values_.at(&function);
  const auto operand = [&](std::size_t i) { return now(values[op.operands[i]]); };
  Origin made{is_backward(module_, op) ? Kind::gradient : Kind::computed, shared};
  switch (op.kind) {
    case OpKind::while_: visit_loop(function, op); return;
    case OpKind::case_:
    case OpKind::if_: visit_branches(function, op); return;
    case OpKind::call: visit_call(function, op); return;
    case OpKind::optimization_barrier:
      for (std::size_t i = 0; i < op.results.size(); ++i) put(values, op.results[i], operand(i));
      return;
    case OpKind::constant:
      made = op.literal("value").splat ? Origin{} : Origin{Kind::argument, constant};
      break;
    case OpKind::concatenate:
      made = {};
      for (std::size_t i = 0; i < op.operands.size(); ++i) made = join(made, operand(i));
      break;
    case OpKind::select: made = join(operand(1), operand(2)); break;
    case OpKind::dynamic_update_slice:
    case OpKind::scatter: {
      const Origin updated = operand(0);
      if (updated.kind == Kind::argument) mark(updated.root, Kind::cache);
      const bool is_cache = updated.kind == Kind::argument || updated.kind == Kind::cache;
      if (is_cache) made = {Kind::cache, updated.root};
      if (!is_cache && op.kind == OpKind::dynamic_update_slice) made = join(updated, operand(1));
      break;
    }
    case OpKind::convolution:
    case OpKind::dot:
    case OpKind::dot_general: visit_product(function, op); break;
    case OpKind::gather:
    case OpKind::return_: break;
    default:
      if (is_move(op)) {
        made = operand(0);
        break;
      }
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        const int root = operand(i).root;
        if (root >= 0) is_computed_with_[static_cast<std::size_t>(root)] = true;
      }
  }
  for (const ValueId result : op.results) put(values, result, made);
}

// What a turn hands on joins what it was given.
void TensorClasses::visit_loop(const Function& function, const Op& op) {
  Origins& values = values_.at(&function);
  const Region& body = op.regions.at(1);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Origin given = now(values[op.operands[i]]);
    for (const Region& region : op.regions) put(values, region.arguments[i], given);
    const Origin handed_on = now(values[body.ops.back().operands[i]]);
    for (const Region& region : op.regions) put(values, region.arguments[i], handed_on);
    put(values, op.results[i], now(values[body.arguments[i]]));
  }
  for (const Region& region : op.regions) visit(function, region);
}

void TensorClasses::visit_branches(const Function& function, const Op& op) {
  Origins& values = values_.at(&function);
  for (const Region& region : op.regions) {
    visit(function, region);
    for (std::size_t i = 0; i < op.results.size(); ++i)
      put(values, op.results[i], now(values[region.ops.back().operands[i]]));
  }
}

void TensorClasses::visit_call(const Function& function, const Op& op) {
  const Function* const callee = module_.find(op.symbol("callee"));
  if (callee == nullptr || callee->is_declaration()) return;
  Origins& values = values_[callee];
  values.resize(callee->types.size());
  const Origins& own = values_.at(&function);
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    put(values, callee->body.arguments[i], now(own[op.operands[i]]));
  visit(*callee, callee->body);
  for (std::size_t i = 0; i < op.results.size(); ++i)
    put(values_.at(&function), op.results[i], now(values_.at(callee)[callee->results()[i]]));
}

void TensorClasses::visit_product(const Function& function, const Op& op) {
  const Origins& values = values_.at(&function);
  const Origin left = now(values[op.operands[0]]), right = now(values[op.operands[1]]);
  if (left.kind != Kind::argument || right.kind != Kind::argument) return;
  mark(left.root, Kind::computed);
  if (is_batched(op)) mark(right.root, Kind::computed);
}

}  // namespace trainyard::graph
