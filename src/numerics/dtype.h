// The number formats of the machine as an enumeration with their sizes and names. Conversions live
// in convert.h. Source: machine data types of NKI 0.6 (nki.language), OCP MX v1.0 and OCP FP8 v1.0.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::numerics {

enum class DType : std::uint8_t {
  bool_,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  tfloat32,
  bfloat16,
  float16,
  float8_e3m4,
  float8_e4m3,
  float8_e4m3fn,
  float8_e5m2,
  float8_e8m0fnu,
  float4_e2m1fn,  // one value in the low nibble of a byte; storage of unpacked FP4 on the host side
  float8_e4m3fn_x4,  // four values in 32 bits, element 0 in the lowest byte
  float8_e5m2_x4,
  float4_e2m1fn_x4,  // four values in 16 bits, element 0 in the lowest nibble
};
inline constexpr int dtype_count = static_cast<int>(DType::float4_e2m1fn_x4) + 1;

[[nodiscard]] std::string_view name(DType dtype);  // "bfloat16"; bool_ is "bool"
[[nodiscard]] std::optional<DType> dtype_from_name(std::string_view name);
// Bytes of one element as stored.
inline constexpr std::array<std::uint8_t, dtype_count> dtype_bytes{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 4,
                                                                   2, 2, 1, 1, 1, 1, 1, 1, 4, 4, 2};
[[nodiscard]] constexpr int size_in_bytes(DType dtype) {
  return dtype_bytes.at(static_cast<std::size_t>(dtype));
}

[[nodiscard]] constexpr bool is_integer(DType d) {
  return d <= DType::uint64;
}  // bool counts as integer
[[nodiscard]] constexpr bool is_packed(DType d) { return d >= DType::float8_e4m3fn_x4; }
[[nodiscard]] constexpr bool is_float(DType d) { return !is_integer(d) && !is_packed(d); }
// The single value format inside a packed one; the format itself otherwise.
[[nodiscard]] constexpr DType element_of(DType d) {
  switch (d) {
    case DType::float8_e4m3fn_x4: return DType::float8_e4m3fn;
    case DType::float8_e5m2_x4: return DType::float8_e5m2;
    case DType::float4_e2m1fn_x4: return DType::float4_e2m1fn;
    default: return d;
  }
}

}  // namespace trainyard::numerics
