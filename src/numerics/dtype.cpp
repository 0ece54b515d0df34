#include "numerics/dtype.h"

#include <array>

#include "base/error.h"

namespace trainyard::numerics {

namespace {

struct Format {
  std::string_view name;
  int bytes;
};

constexpr std::array<Format, dtype_count> formats{{
    {"bool", 1},           {"int8", 1},
    {"uint8", 1},          {"int16", 2},
    {"uint16", 2},         {"int32", 4},
    {"uint32", 4},         {"int64", 8},
    {"uint64", 8},         {"float32", 4},
    {"tfloat32", 4},       {"bfloat16", 2},
    {"float16", 2},        {"float8_e3m4", 1},
    {"float8_e4m3", 1},    {"float8_e4m3fn", 1},
    {"float8_e5m2", 1},    {"float8_e8m0fnu", 1},
    {"float4_e2m1fn", 1},  {"float8_e4m3fn_x4", 4},
    {"float8_e5m2_x4", 4}, {"float4_e2m1fn_x4", 2},
}};

}  // namespace

std::string_view name(DType dtype) { return formats.at(static_cast<std::size_t>(dtype)).name; }

std::optional<DType> dtype_from_name(std::string_view name) {
  if (name == "bool_") return DType::bool_;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    if (formats[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

int size_in_bytes(DType dtype) { return formats.at(static_cast<std::size_t>(dtype)).bytes; }

}  // namespace trainyard::numerics
