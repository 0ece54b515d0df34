#include "graph/class_formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace trainyard::graph {

namespace {

using Scale = OperandFormat::Scale;

constexpr std::array<std::string_view, tensor_class_count> class_names{
    "weights", "activations", "gradients", "kv_cache", "optimizer_state"};
constexpr std::string_view as_typed = "as-typed";
constexpr auto formats = std::to_array<std::pair<std::string_view, OperandFormat>>({
    {"bf16", {ElementType::bf16}},
    {"fp16", {ElementType::f16}},
    {"tf32", {ElementType::tf32}},
    {"fp8_e4m3", {ElementType::f8e4m3}},
    {"fp8_e5m2", {ElementType::f8e5m2}},
    {"fp8_e4m3_scaled", {ElementType::f8e4m3, Scale::tensor}},
    {"fp8_e5m2_scaled", {ElementType::f8e5m2, Scale::tensor}},
    {"mxfp8", {ElementType::f8e4m3fn, Scale::blocks}},
    {"mxfp8_stored", {ElementType::f8e4m3fn, Scale::blocks, true}},
    {"mxfp4_stored", {ElementType::f4e2m1fn, Scale::blocks, true}},
    {"sparse_4_16", {ElementType::bf16, Scale::none, true, {4, 16}}},
    {"sparse_4_12", {ElementType::bf16, Scale::none, true, {4, 12}}},
    {"sparse_4_8", {ElementType::bf16, Scale::none, true, {4, 8}}},
    {"sparse_2_8", {ElementType::bf16, Scale::none, true, {2, 8}}},
    {"sparse_2_4", {ElementType::bf16, Scale::none, true, {2, 4}}},
    {"sparse_1_4", {ElementType::bf16, Scale::none, true, {1, 4}}},
    {"sparse_1_2", {ElementType::bf16, Scale::none, true, {1, 2}}},
});

[[noreturn]] void refuse(std::string_view place, std::string_view found, std::string fix) {
  throw base::InputError({"precision.formats", "formats by class are CLASS=FORMAT,...",
                          std::string(place), fmt::format("\"{}\"", found), std::move(fix)});
}

std::string format_names() {
  std::string all(as_typed);
  for (const auto& [name, format] : formats) all += fmt::format(", {}", name);
  return all;
}

bool lies_in_memory(const OperandFormat& format) {
  return format.element != ElementType::tf32 && format.scale == Scale::none && !format.is_stored;
}

void read_one(std::string_view entry, std::string_view place, ClassFormats& result) {
  const std::size_t equals = std::min(entry.find('='), entry.size());
  const std::string_view wanted = entry.substr(0, equals);
  const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
  const auto* const known = std::ranges::find(class_names, wanted);
  if (known == class_names.end())
    refuse(place, entry, fmt::format("classes are {}", fmt::join(class_names, ", ")));
  std::optional<OperandFormat>& format =
      result.of[static_cast<std::size_t>(known - class_names.begin())];
  if (value == as_typed) {
    format.reset();
    return;
  }
  if (value == "mxfp4") {
    refuse(place, entry,
           "the machine quantises to mxfp8 alone; weights are quantised before the first run by "
           "weights=mxfp4_stored, or by trainyard.mx.quantize for trainyard.mx.matmul");
  }
  const auto* const found =
      std::ranges::find(formats, value, &std::pair<std::string_view, OperandFormat>::first);
  if (found == formats.end()) refuse(place, entry, fmt::format("formats are {}", format_names()));
  if (found->second.is_stored && wanted != name(TensorClass::weights))
    refuse(place, entry, "weights alone are the same in each run, and stored before it");
  if (wanted == name(TensorClass::optimizer_state) && !lies_in_memory(found->second))
    refuse(place, entry,
           "an optimiser's state lies in memory, number by number: in bf16, fp16, fp8_e4m3 or "
           "fp8_e5m2");
  format = found->second;
}

}  // namespace

std::string_view name(TensorClass tensor_class) {
  return class_names.at(static_cast<std::size_t>(tensor_class));
}

std::string_view name(const OperandFormat& format) {
  for (const auto& [name, each] : formats) {
    if (each == format) return name;
  }
  return as_typed;
}

const OperandFormat& operand_format(std::string_view name) {
  const auto* const found =
      std::ranges::find(formats, name, &std::pair<std::string_view, OperandFormat>::first);
  base::check(found != formats.end(), "a format of the program has a name that exists");
  return found->second;
}

bool ClassFormats::empty() const {
  return std::ranges::none_of(of, [](const auto& each) { return each.has_value(); });
}

ClassFormats read_class_formats(std::string_view text, std::string_view place,
                                const ClassFormats& base) {
  ClassFormats result = base;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    read_one(text.substr(0, comma), place, result);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return result;
}

std::string to_string(const ClassFormats& formats) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < tensor_class_count; ++i) {
    if (formats.of[i]) parts.push_back(fmt::format("{}={}", class_names[i], name(*formats.of[i])));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace trainyard::graph
