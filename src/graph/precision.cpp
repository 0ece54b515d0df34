#include "graph/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "graph/builder.h"
#include "graph/precision_passes.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

// --- Products alone ---

void cast_products(Function& function, Region& region, ElementType element) {
  std::map<ValueId, ValueId> cast;  // of this region
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    for (Region& inner : op.regions) cast_products(function, inner, element);
    const bool casts = uses_the_array(op.kind) && !has_algorithm(op) &&
                       std::ranges::all_of(op.operands, [&](ValueId operand) {
                         return is_float32(function.type(operand));
                       });
    for (ValueId& operand : op.operands) {
      if (!casts) break;
      const auto [entry, is_new] = cast.try_emplace(operand, 0);
      if (is_new) entry->second = converted(function, ops, operand, element, op.location);
      operand = entry->second;
    }
    ops.push_back(std::move(op));
  }
  region.ops = std::move(ops);
}

// --- Everything ---

// What means something in float32 alone, or reads its bits.
bool keeps_float32(OpKind kind) { return is(kind, Trait::keeps_format); }

void cast_literal(Literal& literal, ElementType element) {
  const auto from = static_cast<std::size_t>(size_in_bytes(literal.type.element));
  const auto to = static_cast<std::size_t>(size_in_bytes(element));
  std::vector<std::byte> content(literal.content.size() / from * to);
  for (std::size_t i = 0; i * from < literal.content.size(); ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, literal.content.data() + i * from, from);
    const std::uint64_t pattern = float_pattern(element, float_value(ElementType::f32, bits));
    std::memcpy(content.data() + i * to, &pattern, to);
  }
  literal.type.element = element;
  literal.content = std::move(content);
}

class CastAll {
 public:
  CastAll(Function& function, ElementType element) : function_(function), element_(element) {}

  void run(bool is_entry) {
    for (Type& type : function_.types) {
      if (is_float32(type)) type.element = element_;
    }
    cast(function_.body);
    if (is_entry && !function_.is_declaration()) keep_signature();
  }

 private:
  void cast(Region& region) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) cast(inner);
      if (keeps_float32(op.kind)) {
        surround(std::move(op), ops);
        continue;
      }
      for (NamedAttribute& attribute : op.attributes) {
        auto* const literal = std::get_if<Literal>(&attribute.value.value);
        if (literal != nullptr && is_float32(literal->type)) cast_literal(*literal, element_);
      }
      ops.push_back(std::move(op));
    }
    region.ops = std::move(ops);
  }

  // The operation in float32, between conversions.
  void surround(Op op, std::vector<Op>& ops) {
    for (ValueId& operand : op.operands) {
      if (was_float32(operand))
        operand = converted(function_, ops, operand, ElementType::f32, op.location);
    }
    std::vector<Op> after;
    for (ValueId& result : op.results) {
      if (!was_float32(result)) continue;
      Type type = function_.type(result);
      type.element = ElementType::f32;
      const ValueId own = function_.add_value(std::move(type));
      after.push_back({.kind = OpKind::convert,
                       .operands = {own},
                       .results = {result},
                       .location = op.location});
      result = own;
    }
    ops.push_back(std::move(op));
    std::ranges::move(after, std::back_inserter(ops));
  }

  // Arguments and results of main are what the caller knows.
  void keep_signature() {
    std::vector<Op> ops;
    for (ValueId& argument : function_.body.arguments) {
      if (!was_float32(argument)) continue;
      Type type = function_.type(argument);
      type.element = ElementType::f32;
      const ValueId given = function_.add_value(std::move(type));
      ops.push_back(
          {.kind = OpKind::convert, .operands = {given}, .results = {argument}, .location = 0});
      argument = given;
    }
    Op last = std::move(function_.body.ops.back());
    function_.body.ops.pop_back();
    std::ranges::move(function_.body.ops, std::back_inserter(ops));
    for (ValueId& result : last.operands) {
      if (was_float32(result))
        result = converted(function_, ops, result, ElementType::f32, last.location);
    }
    ops.push_back(std::move(last));
    function_.body.ops = std::move(ops);
  }

  [[nodiscard]] bool was_float32(ValueId value) const { return cast_.at(value); }

  Function& function_;
  ElementType element_;
  std::vector<bool> cast_ = [&] {
    std::vector<bool> all;
    for (const Type& type : function_.types) all.push_back(is_float32(type));
    return all;
  }();
};

}  // namespace

bool is_float32(const Type& type) {
  return type.kind == Type::Kind::tensor && type.element == ElementType::f32 &&
         type.quantized.empty();
}

ValueId converted(Function& function, std::vector<Op>& ops, ValueId value, ElementType element,
                  LocationId location) {
  return Builder(function, ops, location).convert(value, element);
}

bool is_narrower(ElementType format, ElementType than) {
  const auto used = [](ElementType one) { return one == ElementType::tf32 ? 19 : bits(one); };
  return used(format) < used(than);
}

bool uses_the_array(OpKind kind) { return is(kind, Trait::product); }

bool is_held(const Op& op) { return op.kind == OpKind::composite && op.text("name") == held_name; }

std::string key(const Precision& precision) {
  return fmt::format("{};{};{};{};{}", static_cast<int>(precision.division),
                     static_cast<int>(precision.cast), static_cast<int>(precision.cast_type),
                     precision.mxfp8_products, to_string(precision.formats));
}

void apply(Module& module, const Precision& precision) {
  cast_by_algorithm(module);
  static_cast<void>(cast_by_class(module, precision.formats));
  if (precision.mxfp8_products) quantise_products(module);
  const Function* const entry = &module.entry();
  for (Function& function : module.functions) {
    switch (precision.cast) {
      case Precision::Cast::none: break;
      case Precision::Cast::matmult:
        cast_products(function, function.body, precision.cast_type);
        break;
      case Precision::Cast::all:
        CastAll(function, precision.cast_type).run(&function == entry);
        break;
    }
  }
  static_cast<void>(store_optimizer_state(module, precision.formats));
}

}  // namespace trainyard::graph
