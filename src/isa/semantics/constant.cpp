#include "isa/semantics/constant.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "numerics/convert.h"

namespace trainyard::isa {

using numerics::DType;

namespace {

struct Range {
  double low, high;
};

Range range_of(DType dtype) {
  switch (dtype) {
    case DType::bool_: return {0, 1};
    case DType::int8: return {-0x1p7, 0x1p7 - 1};
    case DType::uint8: return {0, 0x1p8 - 1};
    case DType::int16: return {-0x1p15, 0x1p15 - 1};
    case DType::uint16: return {0, 0x1p16 - 1};
    case DType::int32: return {-0x1p31, 0x1p31 - 1};
    case DType::uint32: return {0, 0x1p32 - 1};
    default: base::fail("the range of an integer format of an engine");
  }
}

// f(type tag) with an unsigned word of the element's width.
template <typename F>
void by_width(DType dtype, F&& f) {
  switch (numerics::size_in_bytes(dtype)) {
    case 1: return f(std::uint8_t{});
    case 2: return f(std::uint16_t{});
    case 4: return f(std::uint32_t{});
    default: base::fail("an element of an engine is 1, 2 or 4 bytes");
  }
}

}  // namespace

bool holds_integer(DType dtype, double value) {
  const Range range = range_of(dtype);
  return value == std::nearbyint(value) && value >= range.low && value <= range.high;
}

std::uint32_t constant_bits(DType dtype, double value) {
  if (numerics::is_packed(dtype)) return 0;
  if (numerics::is_integer(dtype) && value == std::nearbyint(value)) {
    const Range range = range_of(dtype);
    const auto whole = static_cast<std::int64_t>(std::clamp(value, range.low, range.high));
    return static_cast<std::uint32_t>(whole);
  }
  return numerics::from_float(dtype, static_cast<float>(value));
}

void fill_row(DType dtype, std::uint32_t bits, std::size_t n, std::vector<std::byte>& row) {
  by_width(dtype, [&](auto word) {
    row.resize(n * sizeof word);
    word = static_cast<decltype(word)>(bits);
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(row.data() + i * sizeof word, &word, sizeof word);
  });
}

void constant_row(DType dtype, const std::vector<std::int32_t>& values,
                  std::vector<std::byte>& row) {
  by_width(dtype, [&](auto word) {
    row.resize(values.size() * sizeof word);
    for (std::size_t i = 0; i < values.size(); ++i) {
      word = static_cast<decltype(word)>(constant_bits(dtype, values[i]));
      std::memcpy(row.data() + i * sizeof word, &word, sizeof word);
    }
  });
}

}  // namespace trainyard::isa
