#include "graph/attribute_forms.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "graph/ops/complete.h"
#include "graph/ops/record.h"

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

void add_default(Op& op, std::string_view name, Attribute value) {
  if (op.find(name) == nullptr) op.attributes.push_back({std::string(name), std::move(value)});
}

void add_filled(Op& op, std::string_view name, std::string_view like, std::int64_t value,
                std::size_t each) {
  using Integers = std::vector<std::int64_t>;
  const Attribute* const found = op.find(like);
  const auto* const list = found == nullptr ? nullptr : std::get_if<Integers>(&found->value);
  if (list != nullptr) add_default(op, name, {Integers(each * list->size(), value)});
}

void complete_precision(Op& op) {
  add_default(op, "precision_config",
              {AttributeList{{std::string("DEFAULT")}, {std::string("DEFAULT")}}});
}

// MLIR prints only the fields that say something.
void complete_accuracy(Op& op) {
  add_default(op, "result_accuracy", {Dictionary{}});
  const auto accuracy = std::ranges::find(op.attributes, "result_accuracy", &NamedAttribute::name);
  auto* const fields = std::get_if<Dictionary>(&accuracy->value.value);
  if (fields == nullptr) return;
  for (NamedAttribute field : Dictionary{{"atol", {0.0}},
                                         {"mode", {std::string("DEFAULT")}},
                                         {"rtol", {0.0}},
                                         {"ulps", {std::int64_t{0}}}}) {
    if (std::ranges::find(*fields, field.name, &NamedAttribute::name) == fields->end())
      fields->push_back(std::move(field));
  }
  *fields = sorted_by_name(std::move(*fields));
}

void complete_channel(Op& op) { add_default(op, "channel_id", {std::int64_t{0}}); }

void complete_attributes(Op& op) {
  const auto complete = record_of(op.kind).complete;
  if (complete != nullptr) complete(op);
  op.attributes = sorted_by_name(std::move(op.attributes));
}

}  // namespace trainyard::graph
