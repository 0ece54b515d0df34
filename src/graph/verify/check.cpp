#include "graph/verify/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::graph {

namespace {

std::string types_of(const Function& function, std::span<const ValueId> values) {
  std::string text;
  for (const ValueId value : values)
    text += (text.empty() ? "" : ", ") + to_string(function.type(value));
  return text;
}

}  // namespace

bool OpCheck::require(bool holds, std::string_view rule) {
  if (holds) return true;
  failed_ = true;
  std::string place = module.describe(op.location);
  found_.push_back(
      {"graph.verify", fmt::format("{}: {}", name(op.kind), rule),
       place.empty() ? "@" + function.name : std::move(place),
       fmt::format("({}) -> ({})", types_of(function, op.operands), types_of(function, op.results)),
       "export the program again, or correct the operation"});
  return false;
}

template <typename T>
const T* OpCheck::attribute(std::string_view name, bool may_lack) {
  const Attribute* const found = op.find(name);
  if (found == nullptr) {
    if (!may_lack) require(false, fmt::format("it has the attribute {}", name));
    return nullptr;
  }
  const T* const value = std::get_if<T>(&found->value);
  require(value != nullptr, fmt::format("{} is of the kind that StableHLO gives it", name));
  return value;
}

Integers OpCheck::list(std::string_view name) {
  const auto* const found = attribute<std::vector<std::int64_t>>(name, false);
  return found == nullptr ? Integers{} : Integers(*found);
}

Integers OpCheck::list_or_empty(std::string_view name) {
  const auto* const found = attribute<std::vector<std::int64_t>>(name, true);
  return found == nullptr ? Integers{} : Integers(*found);
}

std::vector<std::int64_t> OpCheck::sized_list(std::string_view name, std::size_t size,
                                              std::int64_t otherwise) {
  std::vector<std::int64_t> standard(size, otherwise);
  const auto* const found = attribute<std::vector<std::int64_t>>(name, true);
  if (found == nullptr) return standard;
  return require(found->size() == size, fmt::format("{} has {} numbers", name, size)) ? *found
                                                                                      : standard;
}

std::int64_t OpCheck::integer(std::string_view name) {
  const auto* const found = attribute<std::int64_t>(name, false);
  return found == nullptr ? 0 : *found;
}

std::size_t OpCheck::dimension(std::string_view name, std::size_t size) {
  const std::int64_t number = integer(name);
  const bool holds = number >= 0 && static_cast<std::size_t>(number) < size;
  return require(holds, fmt::format("{} is one of {}", name, size))
             ? static_cast<std::size_t>(number)
             : 0;
}

std::string_view OpCheck::text(std::string_view name) {
  const auto* const found = attribute<std::string>(name, false);
  return found == nullptr ? std::string_view{} : *found;
}

void OpCheck::one_of(std::string_view name, std::span<const std::string_view> values,
                     bool may_lack) {
  const auto* const found = attribute<std::string>(name, may_lack);
  if (found == nullptr) return;
  require(std::ranges::find(values, std::string_view(*found)) != values.end(),
          fmt::format("{} is {}", name, fmt::join(values, ", ")));
}

void OpCheck::are_dimensions(std::string_view name, Integers dimensions, std::size_t rank) {
  const std::set<std::int64_t> different(dimensions.begin(), dimensions.end());
  const bool inside = different.empty() || (*different.begin() >= 0 &&
                                            *different.rbegin() < static_cast<std::int64_t>(rank));
  require(inside && different.size() == dimensions.size(),
          fmt::format("{} are different dimensions of {}", name, rank));
}

bool OpCheck::scalar_region(std::size_t region, std::size_t arguments, std::size_t results) {
  const Region& body = op.regions[region];
  const auto scalar = [&](ValueId value) { return is_scalar(type(value)); };
  return require(
      body.arguments.size() == arguments && body.ops.back().operands.size() == results &&
          std::ranges::all_of(body.arguments, scalar) &&
          std::ranges::all_of(body.ops.back().operands, scalar),
      fmt::format("region {} takes {} scalars and returns {}", region, arguments, results));
}

void OpCheck::region_types(std::size_t region, std::span<const ValueId> arguments,
                           std::span<const ValueId> results) {
  const Region& body = op.regions[region];
  const auto same = [&](ValueId a, ValueId b) { return same_type(type(a), type(b)); };
  require(std::ranges::equal(body.arguments, arguments, same),
          fmt::format("region {} takes values of the operands' types", region));
  require(std::ranges::equal(body.ops.back().operands, results, same),
          fmt::format("region {} returns values of the results' types", region));
}

bool fits(std::int64_t a, std::int64_t b) {
  return a == b || a == dynamic_extent || b == dynamic_extent;
}

bool same_shape(const Type& a, const Type& b) { return shape_is(a, b.shape); }

bool shape_is(const Type& type, Integers shape) {
  return std::ranges::equal(type.shape, shape, fits);
}

bool same_element(const Type& a, const Type& b) {
  return a.element == b.element || !a.quantized.empty() || !b.quantized.empty();
}

bool same_type(const Type& a, const Type& b) {
  if (a.kind == Type::Kind::other || b.kind == Type::Kind::other) return true;
  if (a.kind != b.kind) return false;
  if (a.kind == Type::Kind::tuple) return std::ranges::equal(a.parts, b.parts, same_type);
  return a.kind == Type::Kind::token || (same_shape(a, b) && same_element(a, b));
}

bool is_scalar(const Type& type) {
  return type.kind == Type::Kind::other || (type.kind == Type::Kind::tensor && type.rank() == 0);
}

bool is_index(const Type& type) { return is_integer(type.element); }

std::optional<std::int64_t> count(const Type& type) {
  std::int64_t product = 1;
  for (const std::int64_t size : type.shape) {
    if (size < 0 || __builtin_mul_overflow(product, size, &product)) return std::nullopt;
  }
  return product;
}

void same_elements(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
}

bool same_types(const OpCheck& c, std::span<const ValueId> a, std::span<const ValueId> b) {
  return std::ranges::equal(a, b,
                            [&](ValueId x, ValueId y) { return same_type(c.type(x), c.type(y)); });
}

void all_passed_on(OpCheck& c) {
  c.require(same_types(c, c.op.operands, c.op.results), "results have the types of the operands");
}

bool is_shape(const Type& type) { return type.shape.size() == 1 && is_index(type); }

WideInteger places_of_window(std::int64_t size, std::int64_t base_dilation, std::int64_t low,
                             std::int64_t high, std::int64_t window, std::int64_t dilation,
                             std::int64_t stride) {
  const auto spread = [](std::int64_t elements, std::int64_t by) {
    return elements == 0 ? WideInteger{0} : static_cast<WideInteger>(elements - 1) * by + 1;
  };
  const WideInteger padded = spread(size, base_dilation) + low + high;
  const WideInteger covered = spread(window, dilation);
  return padded <= 0 || covered > padded ? 0 : (padded - covered) / stride + 1;
}

}  // namespace trainyard::graph
