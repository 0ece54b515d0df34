#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "graph/precision.h"
#include "graph/precision_passes.h"
#include "graph/tensor_classes.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

using Scale = OperandFormat::Scale;
using Formats = std::array<std::optional<OperandFormat>, 2>;  // of a product's sides

constexpr double amax_min = 0x1p-100;  // of a tensor of zeros: its scale stays finite

bool asks_for_float32(const Op& op) {
  const Attribute* const config = op.find("precision_config");
  const auto* const sides =
      config == nullptr ? nullptr : std::get_if<AttributeList>(&config->value);
  if (sides == nullptr) return false;
  for (const Attribute& side : *sides) {
    const auto* const word = std::get_if<std::string>(&side.value);
    if (word != nullptr && *word != "DEFAULT") return true;
  }
  return false;
}

// Attention's products, which stay one operation in 16 bits.
bool is_between_batches(const Op& op, const std::array<TensorClass, 2>& sides) {
  return op.kind == OpKind::dot_general && !op.integers("lhs_batching_dimensions").empty() &&
         std::ranges::find(sides, TensorClass::weights) == sides.end();
}

double largest(ElementType format) { return format == ElementType::f8e5m2 ? 57344 : 240; }

// The smallest format of the array with the numbers of both.
ElementType common(ElementType a, ElementType b) {
  if (a == b) return a;
  if (a == ElementType::tf32 || b == ElementType::tf32)
    return a == ElementType::f32 || b == ElementType::f32 ? ElementType::f32 : ElementType::tf32;
  for (const ElementType wide : {ElementType::bf16, ElementType::f16}) {
    const auto holds = [&](ElementType one) { return one == wide || bits(one) == 8; };
    if (holds(a) && holds(b)) return wide;
  }
  return ElementType::f32;
}

class Caster {
 public:
  Caster(Module& module, const ClassFormats& formats)
      : module_(module), formats_(formats), classes_(module) {
    for (std::size_t i = 0; i < tensor_class_count; ++i) {
      if (formats.of[i]) uses_.push_back({static_cast<TensorClass>(i), *formats.of[i]});
    }
  }

  std::vector<ClassUse> run() {
    std::vector<Function*> called;  // the classes know functions by their places
    for (Function& function : module_.functions) {
      if (classes_.is_called(function)) called.push_back(&function);
    }
    std::vector<Function> made;
    for (Function* const function : called) {
      function_ = function;
      cast(function->body, made);
    }
    std::ranges::move(made, std::back_inserter(module_.functions));
    return uses_;
  }

 private:
  void cast(Region& region, std::vector<Function>& made) {
    std::vector<Op> ops;
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) cast(inner, made);
      if (uses_the_array(op.kind) && op.operands.size() == 2) {
        cast(std::move(op), ops, made);
      } else {
        ops.push_back(std::move(op));
      }
    }
    region.ops = std::move(ops);
  }

  void cast(Op op, std::vector<Op>& ops, std::vector<Function>& made) {
    const std::array<TensorClass, 2> sides{classes_.of(*function_, op.operands[0]),
                                           classes_.of(*function_, op.operands[1])};
    Formats formats = formats_of(op, sides);
    if (const auto side = stored_side(op, formats)) {
      count(sides.at(*side), true);
      count(sides.at(1 - *side), formats.at(1 - *side).has_value());
      store_weights(*function_, op, *side, *formats.at(*side), made);
      ops.push_back(std::move(op));
      return;
    }
    const bool in_blocks = is_in_blocks(op, formats);
    for (std::size_t side = 0; side < 2; ++side) {
      const bool stays = formats[side] && !formats[side]->is_stored &&
                         (in_blocks || formats[side]->scale != Scale::blocks);
      if (!stays) formats[side].reset();
      count(sides[side], formats[side].has_value());
    }
    if (in_blocks) {
      quantise(*function_, op, made);
      ops.push_back(std::move(op));
    } else if (formats[0] || formats[1]) {
      round(std::move(op), formats, ops);
    } else {
      ops.push_back(std::move(op));
    }
  }

  [[nodiscard]] Formats formats_of(const Op& op, const std::array<TensorClass, 2>& sides) const {
    Formats result;
    const std::string* const annotation = annotation_of(op);
    if (has_algorithm(op) || (annotation == nullptr && asks_for_float32(op))) return result;
    const ClassFormats formats =
        annotation == nullptr
            ? formats_
            : read_class_formats(*annotation, module_.describe(op.location), formats_);
    for (std::size_t side = 0; side < 2; ++side) {
      const Type& type = function_->type(op.operands[side]);
      const std::optional<OperandFormat>& format = formats[sides[side]];
      const bool is_wide =
          is_float32(type) || type.element == ElementType::bf16 || type.element == ElementType::f16;
      const bool is_kept = format && bits(format->element) == 8 &&
                           sides[side] != TensorClass::kv_cache && is_between_batches(op, sides);
      if (format && !is_kept && is_wide && type.quantized.empty() && type.is_static())
        result[side] = format;
    }
    return result;
  }

  // The array multiplies blocks by blocks: where one side has them, so does one without a format.
  [[nodiscard]] bool is_in_blocks(const Op& op, const Formats& formats) const {
    const auto has_blocks = [](const auto& one) {
      return one && one->scale == Scale::blocks && !one->is_stored;
    };
    const bool left = has_blocks(formats[0]), right = has_blocks(formats[1]);
    return (left || right) && (left || !formats[0]) && (right || !formats[1]) &&
           fits_mx_blocks(*function_, op);
  }

  // The side that is stored before the first run: weights that are only multiplied, and so the same
  // in each run. The other side becomes on the machine what goes with it.
  [[nodiscard]] std::optional<std::size_t> stored_side(const Op& op, const Formats& formats) const {
    for (const std::size_t side : {1U, 0U}) {
      const auto &own = formats.at(side), &other = formats.at(1 - side);
      if (own && own->is_stored && (!other || goes_with(*other, *own)) &&
          fits_storage(*function_, op, side, *own) &&
          classes_.is_only_multiplied(*function_, op.operands[side]))
        return side;
    }
    return std::nullopt;
  }
  static bool goes_with(const OperandFormat& other, const OperandFormat& stored) {
    if (stored.is_sparse()) return other == OperandFormat{.element = ElementType::bf16};
    return other.scale == Scale::blocks && !other.is_stored;
  }

  void count(TensorClass tensor_class, bool is_formatted) {
    for (ClassUse& use : uses_) {
      if (use.tensor_class != tensor_class) continue;
      ++use.operands;
      use.formatted += is_formatted ? 1 : 0;
    }
  }

  // The product of the rounded operands.
  void round(Op op, const Formats& formats, std::vector<Op>& ops) {
    location_ = op.location;
    std::optional<ValueId> scale;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto& format = formats[side];
      if (!format) continue;
      ValueId& operand = op.operands[side];
      if (format->scale == Scale::tensor) {
        const ValueId inverse = scale_down(operand, format->element, ops);
        scale = scale ? add(OpKind::multiply, {*scale, inverse}, scalar_, ops) : inverse;
      }
      const ElementType own = function_->type(operand).element;
      if (!is_narrower(own, format->element)) operand = cast_to(operand, format->element, ops);
    }
    const ElementType both =
        common(function_->type(op.operands[0]).element, function_->type(op.operands[1]).element);
    for (ValueId& operand : op.operands) operand = cast_to(operand, both, ops);
    if (!scale) {
      ops.push_back(std::move(op));
      return;
    }
    const ValueId result = op.results[0];
    Type wide = function_->type(result);
    wide.element = ElementType::f32;
    const ValueId sums = function_->add_value(wide);
    op.results = {sums};
    ops.push_back(std::move(op));
    const ValueId factors = spread(*scale, wide, ops);
    const bool is_wide = is_float32(function_->type(result));
    const ValueId scaled = is_wide ? result : function_->add_value(wide);
    ops.push_back({.kind = OpKind::multiply,
                   .operands = {sums, factors},
                   .results = {scaled},
                   .location = location_});
    if (!is_wide)
      ops.push_back({.kind = OpKind::convert,
                     .operands = {scaled},
                     .results = {result},
                     .location = location_});
  }

  // Makes the tensor's largest magnitude the format's largest number; gives what undoes it.
  ValueId scale_down(ValueId& value, ElementType format, std::vector<Op>& ops) {
    value = cast_to(value, ElementType::f32, ops);
    const Type type = function_->type(value);
    const ValueId amax =
        add(OpKind::maximum, {largest_of(value, ops), constant(amax_min, ops)}, scalar_, ops);
    const ValueId most = constant(largest(format), ops);
    const ValueId factor = add(OpKind::divide, {most, amax}, scalar_, ops);
    value = add(OpKind::multiply, {value, spread(factor, type, ops)}, type, ops);
    return add(OpKind::divide, {amax, most}, scalar_, ops);
  }

  ValueId largest_of(ValueId value, std::vector<Op>& ops) {
    const Type type = function_->type(value);
    const ValueId magnitudes = add(OpKind::abs, {value}, type, ops);
    std::vector<std::int64_t> all;
    for (int i = 0; i < type.rank(); ++i) all.push_back(i);
    Region greater;
    const ValueId a = function_->add_value(scalar_), b = function_->add_value(scalar_);
    greater.arguments = {a, b};
    const ValueId both = add(OpKind::maximum, {a, b}, scalar_, greater.ops);
    greater.ops.push_back({.kind = OpKind::return_, .operands = {both}});
    const ValueId zero = constant(0, ops);
    const ValueId result = add(OpKind::reduce, {magnitudes, zero}, scalar_, ops);
    ops.back().attributes = {{"dimensions", {std::move(all)}}};
    ops.back().regions.push_back(std::move(greater));
    return result;
  }

  ValueId spread(ValueId value, const Type& type, std::vector<Op>& ops) {
    const ValueId result = add(OpKind::broadcast_in_dim, {value}, type, ops);
    ops.back().attributes = {{"broadcast_dimensions", {std::vector<std::int64_t>{}}}};
    return result;
  }

  ValueId constant(double value, std::vector<Op>& ops) {
    const ValueId result = add(OpKind::constant, {}, scalar_, ops);
    const auto pattern = static_cast<std::uint32_t>(float_pattern(ElementType::f32, value));
    const auto* const bytes = reinterpret_cast<const std::byte*>(&pattern);
    ops.back().attributes = {
        {"value", {Literal{.type = scalar_, .content = {bytes, bytes + 4}, .splat = true}}}};
    return result;
  }

  ValueId cast_to(ValueId value, ElementType element, std::vector<Op>& ops) {
    if (function_->type(value).element == element) return value;
    return converted(*function_, ops, value, element, location_);
  }

  ValueId add(OpKind kind, std::vector<ValueId> operands, const Type& type, std::vector<Op>& ops) {
    const ValueId result = function_->add_value(type);
    ops.push_back({.kind = kind,
                   .operands = std::move(operands),
                   .results = {result},
                   .location = location_});
    return result;
  }

  Module& module_;
  const ClassFormats& formats_;
  TensorClasses classes_;
  Function* function_ = nullptr;
  LocationId location_ = 0;
  const Type scalar_{.element = ElementType::f32};
  std::vector<ClassUse> uses_;
};

bool is_annotated(const Region& region) {
  for (const Op& op : region.ops) {
    if (uses_the_array(op.kind) && annotation_of(op) != nullptr) return true;
    for (const Region& inner : op.regions) {
      if (is_annotated(inner)) return true;
    }
  }
  return false;
}

}  // namespace

const std::string* annotation_of(const Op& op) {
  const Attribute* const all = op.find("mhlo.frontend_attributes");
  const auto* const entries = all == nullptr ? nullptr : std::get_if<Dictionary>(&all->value);
  if (entries == nullptr) return nullptr;
  for (const NamedAttribute& entry : *entries) {
    if (entry.name == precision_annotation) return std::get_if<std::string>(&entry.value.value);
  }
  return nullptr;
}

std::vector<ClassUse> cast_by_class(Module& module, const ClassFormats& formats) {
  bool has_formats = !formats.empty();
  for (const Function& function : module.functions)
    has_formats = has_formats || is_annotated(function.body);
  if (!has_formats) return {};
  return Caster(module, formats).run();
}

std::vector<ClassUse> class_uses(const Module& module, const Precision& precision) {
  if (precision.formats.empty()) return {};
  Module copy = module;
  std::vector<ClassUse> uses = cast_by_class(copy, precision.formats);
  for (ClassUse& use : uses) {
    if (use.tensor_class == TensorClass::optimizer_state)
      use = store_optimizer_state(copy, precision.formats);
  }
  return uses;
}

std::string unused_in_words(const std::vector<ClassUse>& uses) {
  std::vector<std::string> words;
  for (const ClassUse& use : uses) {
    if (use.operands == 0 && use.tensor_class == TensorClass::optimizer_state)
      words.push_back(
          fmt::format("no argument is updated with a gradient that the program computes, as an "
                      "optimiser's state is, so {}={} has no effect",
                      name(use.tensor_class), name(use.format)));
    else if (use.operands == 0)
      words.push_back(
          fmt::format("no product has an operand of the class {}, so {}={} has no "
                      "effect",
                      name(use.tensor_class), name(use.tensor_class), name(use.format)));
    else if (use.formatted == 0)
      words.push_back(
          fmt::format("none of {} {} of the class {} can be {}", use.operands,
                      use.tensor_class == TensorClass::optimizer_state ? "arguments" : "operands",
                      name(use.tensor_class), name(use.format)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

}  // namespace trainyard::graph
