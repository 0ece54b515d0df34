#include "compiler/lowering/tiles/integer_division.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

Tile viewed(Tile tile, DType dtype) {
  tile.dtype = dtype;
  return tile;
}

class Division {
 public:
  explicit Division(const TileMath& math) : math_(math) {}

  // uint32 by uint32, which is not 0.
  Quotient of(const Tile& dividend, const Tile& divisor) const {
    const Tile inverse = math_.reciprocal(real(), math_.copy(real(), divisor));
    // Each estimate is at most the quotient of what is left: two leave less than two divisors.
    const Tile first = estimate(dividend, inverse);
    const Tile left = rest(dividend, first, divisor);
    const Tile second = estimate(left, inverse);
    const Tile last = rest(left, second, divisor);
    const Tile misses = math_.tensor(word(), last, AluOp::greater_equal, divisor);
    const Tile quotient = sum(sum(first, second), misses);
    return {quotient, rest(last, misses, divisor)};
  }

  // uint32 by a power of two.
  Quotient shifted(const Tile& dividend, std::uint32_t divisor) const {
    return {math_.scalar(word(), dividend, AluOp::right_shift, std::countr_zero(divisor)),
            math_.scalar(word(), dividend, AluOp::bitwise_and, divisor - 1)};
  }

  Tile negated(const Tile& value) const {
    return math_.tensor(whole(), math_.filled(DType::int32, 0), AluOp::subtract, value);
  }
  Tile size_of(const Tile& value) const {
    return viewed(math_.tensor(whole(), value, AluOp::maximum, negated(value)), DType::uint32);
  }
  // As uint8, which predicates take.
  Tile is_negative(const Tile& value) const {
    return flag(math_.tensor(whole(), value, AluOp::less, math_.filled(DType::int32, 0)));
  }
  Tile is_zero(const Tile& value) const {
    const Tile zero = math_.filled(value.dtype, 0);
    return flag(math_.tensor(whole(), value, AluOp::equal, zero));
  }
  // The value, negated where the flag is set.
  Tile with_sign(const Tile& size, const Tile& negative) const {
    const Tile value = math_.copy(whole(), viewed(size, DType::int32));
    return math_.put(value, negated(viewed(size, DType::int32)), negative);
  }

 private:
  [[nodiscard]] Tile real() const { return math_.fresh(DType::float32); }
  [[nodiscard]] Tile word() const { return math_.fresh(DType::uint32); }
  [[nodiscard]] Tile whole() const { return math_.fresh(DType::int32); }
  Tile flag(const Tile& answer) const { return math_.copy(math_.fresh(DType::uint8), answer); }

  // The roundings of both operands, the reciprocal and the product stay under 2^-20 of it; the cast
  // rounds to the nearest whole number.
  Tile estimate(const Tile& dividend, const Tile& inverse) const {
    constexpr double below = 1 - 0x1p-20, half = 0.5;
    const Tile quotient =
        math_.tensor(real(), math_.copy(real(), dividend), AluOp::multiply, inverse);
    return math_.scalar2(word(), quotient, AluOp::multiply, below, AluOp::subtract, half);
  }
  Tile sum(const Tile& a, const Tile& b) const { return math_.tensor(word(), a, AluOp::add, b); }
  Tile rest(const Tile& dividend, const Tile& quotient, const Tile& divisor) const {
    const Tile taken = math_.tensor(word(), quotient, AluOp::multiply, divisor);
    return math_.tensor(word(), dividend, AluOp::subtract, taken);
  }

  const TileMath& math_;
};

}  // namespace

Quotient divided(const TileMath& math, const Tile& dividend, const Tile& divisor,
                 std::optional<double> known) {
  const Division division(math);
  const bool is_signed = dividend.dtype == DType::int32;
  const auto size = [&](const Tile& value) { return is_signed ? division.size_of(value) : value; };
  const auto number = static_cast<std::uint32_t>(std::abs(known.value_or(0)));
  Quotient result = std::has_single_bit(number) ? division.shifted(size(dividend), number)
                                                : division.of(size(dividend), size(divisor));
  if (is_signed) {
    const Tile differs =
        math.tensor(math.fresh(DType::int32), dividend, AluOp::bitwise_xor, divisor);
    result = {division.with_sign(result.quotient, division.is_negative(differs)),
              division.with_sign(result.remainder, division.is_negative(dividend))};
  }
  if (known && *known != 0) return result;
  const Tile by_zero = division.is_zero(divisor);
  const Tile ones = math.filled(DType::int32, -1);
  math.put(result.quotient, viewed(ones, result.quotient.dtype), by_zero);
  math.put(result.remainder, dividend, by_zero);
  return result;
}

}  // namespace trainyard::compiler
