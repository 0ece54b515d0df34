// The plain definition of the tensor engine's MX product, with exact integers. The vectorised form
// is in mx_matmul_simd.cpp.
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "numerics/convert.h"
#include "numerics/float_format.h"
#include "numerics/mx.h"
#include "numerics/mx_detail.h"
#include "numerics/tensor_engine_detail.h"

namespace trainyard::numerics {

namespace {

__extension__ typedef __int128 Integer;  // four products of two e5m2 values span 66 bits
__extension__ typedef unsigned __int128 Magnitude;

// Four packed values as multiples of the format's smallest subnormal, 2^-unit, or as what they are
// if not finite.
struct Element {
  std::array<float, mx_pack> value;
  std::array<std::int64_t, mx_pack> digits;
  bool finite;
};

int unit_exponent(DType element) {
  switch (element) {
    case DType::float8_e4m3fn: return 9;
    case DType::float8_e5m2: return 16;
    default: return 1;
  }
}

Element read_element(ConstRows data, std::size_t partition, std::size_t column) {
  const auto bytes = static_cast<std::size_t>(size_in_bytes(data.dtype));
  const std::byte* at =
      data.data + static_cast<std::ptrdiff_t>(partition) * data.stride + column * bytes;
  std::uint32_t word = 0;
  for (std::size_t b = 0; b < bytes; ++b) word |= std::to_integer<std::uint32_t>(at[b]) << (8 * b);
  Element element{unpack(data.dtype, word), {}, true};
  for (std::size_t q = 0; q < mx_pack; ++q) {
    element.finite = element.finite && std::isfinite(element.value[q]);
    if (!std::isfinite(element.value[q])) continue;
    const double digits =
        std::ldexp(static_cast<double>(element.value[q]), unit_exponent(element_of(data.dtype)));
    element.digits[q] = static_cast<std::int64_t>(digits);
  }
  return element;
}

std::vector<Element> read_elements(ConstRows data, std::size_t partitions, std::size_t columns) {
  std::vector<Element> elements;
  elements.reserve(partitions * columns);
  for (std::size_t p = 0; p < partitions; ++p) {
    for (std::size_t c = 0; c < columns; ++c) elements.push_back(read_element(data, p, c));
  }
  return elements;
}

int bit_length(Magnitude value) {
  const auto high = static_cast<std::uint64_t>(value >> 64),
             low = static_cast<std::uint64_t>(value);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

// value * 2^exponent rounded once to fp32, to nearest even, with gradual underflow.
float round_to_fp32(Integer value, int exponent) {
  const bool negative = value < 0;
  const Magnitude magnitude =
      negative ? -static_cast<Magnitude>(value) : static_cast<Magnitude>(value);
  const int length = bit_length(magnitude);
  const int quantum =
      std::max(exponent + length - 24, -149);  // exponent of the last place the result can have
  const int shift = quantum - exponent;
  Magnitude kept = magnitude;
  if (shift > length + 1) {
    kept = 0;
  } else if (shift > 0) {
    const Magnitude half = Magnitude{1} << (shift - 1);
    const Magnitude rest = magnitude & ((half << 1) - 1);
    kept = magnitude >> shift;
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  }
  const double result = std::ldexp(static_cast<double>(kept), shift > 0 ? quantum : exponent);
  return static_cast<float>(negative ? -result : result);  // exact, or infinite
}

// Drops the digits of each product that lie below the window of `bits` bits under the largest of
// the four.
void align(std::array<Integer, mx_pack>& products, int bits) {
  int longest = 0;
  for (const Integer p : products)
    longest = std::max(longest, bit_length(static_cast<Magnitude>(p < 0 ? -p : p)));
  const int drop = longest - bits;
  if (drop <= 0) return;
  const Integer unit = Integer{1} << drop;
  for (Integer& p : products) p = p / unit * unit;  // division truncates toward zero
}

// One processing element's contribution: the exact scaled sum of four products, rounded once.
float contribution(const Element& s, const Element& v, int exponent, int alignment_bits) {
  if (!s.finite || !v.finite) {
    float sum = 0;
    for (std::size_t q = 0; q < mx_pack; ++q) sum += s.value[q] * v.value[q];
    return sum;  // an infinity or a NaN: finite terms cannot change it, none of them reaches fp32's
                 // limit
  }
  std::array<Integer, mx_pack> products;
  for (std::size_t q = 0; q < mx_pack; ++q)
    products[q] = static_cast<Integer>(s.digits[q]) * v.digits[q];
  if (alignment_bits > 0) align(products, alignment_bits);
  return round_to_fp32(products[0] + products[1] + products[2] + products[3], exponent);
}

}  // namespace

void check_matmul(const MxOperand& stationary, const MxOperand& moving, std::size_t K) {
  base::check(K % mx_block_partitions == 0, "matmul_mx takes whole blocks of 8 partitions");
  const std::size_t blocks = K / mx_block_partitions;
  base::check(stationary.scales.size() >= blocks && moving.scales.size() >= blocks,
              "matmul_mx takes one scale row for 8 partitions");
  base::check(is_packed(stationary.data.dtype) && is_packed(moving.data.dtype),
              "matmul_mx reads x4 formats");
}

void matmul_mx_reference(const MxOperand& stationary, const MxOperand& moving, float* out,
                         std::size_t out_ld, std::size_t K, std::size_t M, std::size_t N,
                         bool accumulate, MxInternalWidth width) {
  check_matmul(stationary, moving, K);
  base::check(width.accumulator_bits >= 2 && width.accumulator_bits <= 24,
              "the accumulator has 2 to 24 bits");
  const int units = unit_exponent(element_of(stationary.data.dtype)) +
                    unit_exponent(element_of(moving.data.dtype));
  const auto add = [&](float a, float b) {
    return width.accumulator_bits == 24
               ? a + b
               : round_sum(static_cast<double>(a), static_cast<double>(b), width.accumulator_bits);
  };
  const auto s = read_elements(stationary.data, K, M), v = read_elements(moving.data, K, N);
  for (std::size_t m = 0; m < M; ++m) {
    for (std::size_t n = 0; n < N; ++n) {
      float sum = 0;
      for (std::size_t k = 0; k < K; ++k) {
        const std::uint8_t s_scale = stationary.scales[k / mx_block_partitions][m];
        const std::uint8_t v_scale = moving.scales[k / mx_block_partitions][n];
        const bool nan = s_scale == mx_scale_nan || v_scale == mx_scale_nan;
        const int exponent = s_scale + v_scale - 254 - units;
        sum = add(sum,
                  nan ? std::bit_cast<float>(tensor_engine_nan)
                      : contribution(s[k * M + m], v[k * N + n], exponent, width.alignment_bits));
      }
      float& result = out[m * out_ld + n];
      result = canonical_nan(accumulate ? add(result, sum) : sum);
    }
  }
}

}  // namespace trainyard::numerics
