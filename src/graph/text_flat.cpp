// Structured attributes of StableHLO as VHLO, and so Module, has them: each field an attribute.
#include <algorithm>
#include <array>
#include <span>

#include "graph/attribute_forms.h"
#include "graph/text_program.h"

namespace trainyard::graph {

namespace {

using Names = std::span<const std::string_view>;
constexpr std::array<std::string_view, 5> gather_lists{"collapsed_slice_dims", "offset_dims",
                                                       "operand_batching_dims", "start_index_map",
                                                       "start_indices_batching_dims"};
constexpr std::array<std::string_view, 5> scatter_lists{
    "input_batching_dims", "inserted_window_dims", "scatter_dims_to_operand_dims",
    "scatter_indices_batching_dims", "update_window_dims"};

// The lists of a structure that the text leaves out where they are empty.
Names lists_of(std::string_view kind) {
  if (kind == "gather" || kind == "dynamic_gather") return gather_lists;
  if (kind == "scatter") return scatter_lists;
  return {};
}

bool is_structure(std::string_view kind, std::string_view name) {
  return name == "dot_dimension_numbers" || name == "scatter_dimension_numbers" ||
         name == "dimension_numbers" || (name == "algorithm" && kind == "dot_general");
}

void spread(std::string_view kind, std::string_view name, Dictionary fields, Dictionary& flat) {
  if (name != "algorithm") {
    for (const std::string_view list : lists_of(kind)) {
      if (std::ranges::find(fields, list, &NamedAttribute::name) == fields.end())
        fields.push_back({std::string(list), {std::vector<std::int64_t>{}}});
    }
    const bool has_index = kind == "gather" || kind == "dynamic_gather" || kind == "scatter";
    if (has_index &&
        std::ranges::find(fields, "index_vector_dim", &NamedAttribute::name) == fields.end()) {
      fields.push_back({"index_vector_dim", {std::int64_t{0}}});
    }
  }
  for (NamedAttribute& field : fields) flat.push_back(std::move(field));
}

Attribute api_version(const TextCursor& at, const Attribute& attribute) {
  static constexpr std::array<std::string_view, 5> names{
      "API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
      "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
  const auto* const number = std::get_if<std::int64_t>(&attribute.value);
  if (number == nullptr) return attribute;
  if (*number < 0 || *number >= std::ssize(names)) at.malformed("an unknown api_version");
  return {std::string(names.at(static_cast<std::size_t>(*number)))};
}

void spread_channel(std::string_view kind, const Dictionary& handle, Dictionary& flat) {
  for (const NamedAttribute& field : handle) {
    if (field.name == "handle") flat.push_back({"channel_id", field.value});
    if (field.name == "type" && (kind == "send" || kind == "recv"))
      flat.push_back({"channel_type", field.value});
  }
}

}  // namespace

Dictionary flat_attributes(const TextCursor& at, std::string_view kind, Dictionary attributes) {
  Dictionary flat;
  for (NamedAttribute& entry : attributes) {
    if (auto* const fields = std::get_if<Dictionary>(&entry.value.value)) {
      if (is_structure(kind, entry.name)) {
        spread(kind, entry.name, std::move(*fields), flat);
        continue;
      }
      if (entry.name == "channel_handle") {
        spread_channel(kind, *fields, flat);
        continue;
      }
    }
    if (entry.name == "operandSegmentSizes" || entry.name == "operand_segment_sizes") continue;
    if (entry.name == "api_version") entry.value = api_version(at, entry.value);
    Attribute value = flat_attribute(entry.name, std::move(entry.value));
    if (std::holds_alternative<std::monostate>(value.value)) continue;
    flat.push_back({std::move(entry.name), std::move(value)});
  }
  return flat;
}

}  // namespace trainyard::graph
