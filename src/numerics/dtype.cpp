#include "numerics/dtype.h"

#include <array>

#include "base/error.h"

namespace trainyard::numerics {

namespace {

constexpr std::array<std::string_view, dtype_count> names{
    "bool",           "int8",
    "uint8",          "int16",
    "uint16",         "int32",
    "uint32",         "int64",
    "uint64",         "float32",
    "tfloat32",       "bfloat16",
    "float16",        "float8_e3m4",
    "float8_e4m3",    "float8_e4m3fn",
    "float8_e5m2",    "float8_e8m0fnu",
    "float4_e2m1fn",  "float8_e4m3fn_x4",
    "float8_e5m2_x4", "float4_e2m1fn_x4",
};

}  // namespace

std::string_view name(DType dtype) { return names.at(static_cast<std::size_t>(dtype)); }

std::optional<DType> dtype_from_name(std::string_view name) {
  if (name == "bool_") return DType::bool_;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace trainyard::numerics
