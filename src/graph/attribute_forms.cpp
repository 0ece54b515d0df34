#include "graph/attribute_forms.h"

#include <cstring>
#include <utility>

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

namespace {

using Integers = std::vector<std::int64_t>;

void add(Op& op, std::string_view name, Attribute value) {
  if (!has(op, name)) op.attributes.push_back({std::string(name), std::move(value)});
}

// Lists of equal numbers, as long as another attribute's list times `each`.
void add_filled(Op& op, std::string_view name, std::string_view like, std::int64_t value,
                std::size_t each = 1) {
  const Attribute* const found = op.find(like);
  const auto* const list = found == nullptr ? nullptr : std::get_if<Integers>(&found->value);
  if (list != nullptr) add(op, name, {Integers(each * list->size(), value)});
}

void complete_convolution(Op& op) {
  constexpr std::string_view like = "input_spatial_dimensions";
  for (const std::string_view name : {"window_strides", "lhs_dilation", "rhs_dilation"})
    add_filled(op, name, like, 1);
  add_filled(op, "window_reversal", like, 0);
  if (op.kind == OpKind::convolution) add_filled(op, "padding", like, 0, 2);
}

void complete_window(Op& op) {
  constexpr std::string_view like = "window_dimensions";
  add_filled(op, "window_strides", like, 1);
  add_filled(op, "padding", like, 0, 2);
  if (op.kind != OpKind::reduce_window) return;
  add_filled(op, "base_dilations", like, 1);
  add_filled(op, "window_dilations", like, 1);
}

void complete_custom_call(Op& op) {
  add(op, "api_version", {std::string("API_VERSION_ORIGINAL")});
  add(op, "backend_config", {std::string()});
  add(op, "has_side_effect", {false});
  for (const std::string_view name :
       {"called_computations", "operand_layouts", "result_layouts", "output_operand_aliases"})
    add(op, name, {AttributeList{}});
}

void complete_channel(Op& op) { add(op, "channel_id", {std::int64_t{0}}); }

Attribute default_precision() {
  return {AttributeList{{std::string("DEFAULT")}, {std::string("DEFAULT")}}};
}

Attribute default_accuracy() {
  return {Dictionary{{"atol", {0.0}},
                     {"mode", {std::string("DEFAULT")}},
                     {"rtol", {0.0}},
                     {"ulps", {std::int64_t{0}}}}};
}

}  // namespace

// Source: StableHLO v1.20, StablehloLegalizeToVhlo.cpp, addDefaults.
void complete_attributes(Op& op) {
  const Attribute none{Integers{}};
  switch (op.kind) {
    case OpKind::gather:
    case OpKind::dynamic_gather:
      add(op, "operand_batching_dims", none);
      add(op, "start_indices_batching_dims", none);
      add(op, "indices_are_sorted", {false});
      break;
    case OpKind::scatter:
      add(op, "input_batching_dims", none);
      add(op, "scatter_indices_batching_dims", none);
      add(op, "indices_are_sorted", {false});
      add(op, "unique_indices", {false});
      break;
    case OpKind::dot_general:
      for (const std::string_view name :
           {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
            "rhs_contracting_dimensions"})
        add(op, name, none);
      [[fallthrough]];
    case OpKind::dot: add(op, "precision_config", default_precision()); break;
    case OpKind::convolution:
    case OpKind::dynamic_conv:
      complete_convolution(op);
      add(op, "precision_config", default_precision());
      break;
    case OpKind::reduce_window:
    case OpKind::select_and_scatter: complete_window(op); break;
    case OpKind::custom_call: complete_custom_call(op); break;
    case OpKind::compare: add(op, "compare_type", {std::string("NOTYPE")}); break;
    case OpKind::cholesky: add(op, "lower", {false}); break;
    case OpKind::composite:
      add(op, "composite_attributes", {Dictionary{}});
      add(op, "version", {std::int64_t{0}});
      break;
    case OpKind::sort:
      add(op, "dimension", {std::int64_t{-1}});
      add(op, "is_stable", {false});
      break;
    case OpKind::all_gather:
    case OpKind::all_reduce:
    case OpKind::reduce_scatter: add(op, "use_global_device_ids", {false}); [[fallthrough]];
    case OpKind::all_to_all:
    case OpKind::collective_permute:
    case OpKind::collective_broadcast: complete_channel(op); break;
    case OpKind::cbrt:
    case OpKind::cosine:
    case OpKind::exponential:
    case OpKind::exponential_minus_one:
    case OpKind::log:
    case OpKind::log_plus_one:
    case OpKind::logistic:
    case OpKind::rsqrt:
    case OpKind::sine:
    case OpKind::sqrt:
    case OpKind::tan:
    case OpKind::tanh: add(op, "result_accuracy", default_accuracy()); break;
    default: break;
  }
  op.attributes = sorted_by_name(std::move(op.attributes));
}

}  // namespace trainyard::graph
