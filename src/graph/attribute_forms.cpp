#include "graph/attribute_forms.h"

#include <algorithm>
#include <cstring>

namespace trainyard::graph {

namespace {

bool stays_a_tensor(std::string_view name) { return name == "value" || name == "replica_groups"; }

bool names_a_function(std::string_view name) { return name == "callee" || name == "decomposition"; }

std::vector<std::int64_t> integers_of(const Literal& literal) {
  const std::vector<std::byte> all = literal.expanded();
  const auto each = static_cast<std::size_t>(size_in_bytes(literal.type.element));
  std::vector<std::int64_t> list(all.size() / each);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (each == 1) {
      list[i] = std::to_integer<std::int64_t>(all[i]);
    } else {
      std::memcpy(&list[i], all.data() + i * each, each);
    }
  }
  return list;
}

bool has(const Op& op, std::string_view name) { return op.find(name) != nullptr; }

}  // namespace

Attribute flat_attribute(std::string_view name, Attribute attribute) {
  if (const auto* const tensor = std::get_if<Literal>(&attribute.value)) {
    constexpr std::int64_t list_max = 1 << 20;
    const ElementType element = tensor->type.element;
    const bool is_list = element == ElementType::s64 || element == ElementType::pred;
    if (is_list && !stays_a_tensor(name) && tensor->type.elements() <= list_max) {
      return {integers_of(*tensor)};
    }
    return attribute;
  }
  if (const auto* const text = std::get_if<std::string>(&attribute.value)) {
    if (names_a_function(name)) return {Symbol{*text}};
    return attribute;
  }
  if (auto* const list = std::get_if<AttributeList>(&attribute.value)) {
    if (name == "called_computations") {
      for (Attribute& part : *list) {
        if (const auto* const text = std::get_if<std::string>(&part.value)) part = {Symbol{*text}};
      }
    }
  }
  return attribute;
}

void complete_attributes(Op& op) {
  const auto add = [&op](std::string_view name, Attribute value) {
    if (!has(op, name)) op.attributes.push_back({std::string(name), std::move(value)});
  };
  const Attribute none{std::vector<std::int64_t>{}};
  switch (op.kind) {
    case OpKind::gather:
    case OpKind::dynamic_gather:
      add("operand_batching_dims", none);
      add("start_indices_batching_dims", none);
      break;
    case OpKind::scatter:
      add("input_batching_dims", none);
      add("scatter_indices_batching_dims", none);
      break;
    default: break;
  }
  std::ranges::stable_sort(op.attributes, {}, &NamedAttribute::name);
}

}  // namespace trainyard::graph
