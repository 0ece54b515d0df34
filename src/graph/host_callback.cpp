#include "graph/host_callback.h"

#include <algorithm>

namespace trainyard::graph {

std::optional<std::uint64_t> host_callback(const Op& op) {
  if (op.kind != OpKind::custom_call) return std::nullopt;
  if (op.text("call_target_name") != "xla_ffi_python_cpu_callback") return std::nullopt;
  const Attribute* const config = op.find("mhlo.backend_config");
  const auto* const fields = config == nullptr ? nullptr : std::get_if<Dictionary>(&config->value);
  if (fields == nullptr) return std::nullopt;
  const auto index = std::ranges::find(*fields, "index", &NamedAttribute::name);
  if (index == fields->end()) return std::nullopt;
  const auto* const number = std::get_if<std::int64_t>(&index->value.value);
  if (number == nullptr) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

}  // namespace trainyard::graph
