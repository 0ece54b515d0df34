#include "compiler/lowering/patterns/angles.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/repeats.h"
#include "compiler/lowering/canonical/value_bounds.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

// From here on half turns have too many digits for products with parts of pi to be exact.
constexpr double many_turns = 0x1p17;
// What is below in a value of any size is reduced by parts, since few do.
constexpr double few_turns = 0x1p6;
// Added to a float32 and taken away again, it rounds to whole numbers, the last of whose bits is
// that of the sum.
constexpr double rounds_to_whole = 0x1.8p23;

// The bits of 2/pi from 2^23 on, those of 1/pi from 2^22 on.
constexpr auto two_over_pi = std::to_array<std::uint32_t>(
    {0x000000A2, 0xF9836E4E, 0x441529FC, 0x2757D1F5, 0x34DDC0DB, 0x6295993C, 0x439041FE});

// pi in parts of a few bits, so that products with whole and half numbers below 2^(23 - bits) are
// exact, but for the last one. None is negative: what is taken off a zero leaves its sign.
std::vector<double> parts_of_pi(int bits, int count) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  // What a long double does not hold of pi.
  constexpr long double beyond = -5.0165576126684e-20L;
  std::vector<double> parts;
  long double rest = pi;
  for (int i = 0; i + 1 < count; ++i) {
    int exponent = 0;
    (void)std::frexp(static_cast<double>(rest), &exponent);
    const long double unit = std::ldexp(1.0L, exponent - bits);
    const long double part = std::floor(rest / unit) * unit;
    parts.push_back(static_cast<double>(part));
    rest -= part;
  }
  parts.push_back(static_cast<double>(static_cast<float>(rest + beyond)));
  return parts;
}

// An angle without its half turns, negative where their number is odd: the sine of this one is that
// of the whole.
class Reduction {
 public:
  // `shift`: half turns to add; 1/2 makes a sine a cosine.
  Reduction(graph::Builder& write, ValueId angle, double shift)
      : write_(write), angle_(angle), shift_(shift), real_(write.type(angle)), word_(real_) {
    word_.element = ElementType::s32;
  }

  // Of angles below many_turns: products of the half turns with parts of pi are taken off, each
  // exact but the last, and so are the differences where little is left.
  ValueId by_parts(double most) {
    const double turns = std::max(most / std::numbers::pi, 1.0) + 1;
    const int bits = 23 - std::ilogb(2 * turns);
    // Little is left at least 2^-26 of, whose 24 bits end at 2^-50.
    int count = 2;
    while (std::ilogb(turns) - bits * (count - 1) - 24 > -50) ++count;
    ValueId quotient = scaled(angle_, std::numbers::inv_pi);
    if (shift_ != 0) quotient = plus(quotient, shift_);
    const ValueId sum = plus(quotient, rounds_to_whole);
    ValueId whole = plus(sum, -rounds_to_whole);
    if (shift_ != 0) whole = plus(whole, -shift_);
    Sum rest(*this, angle_);
    for (const double part : parts_of_pi(bits, count)) {
      const ValueId product = scaled(whole, part);
      // The first difference is exact; of a few others the errors stay small.
      if (part > 2.5 || count < parts_with_errors) {
        rest.value = apply(OpKind::subtract, rest.value, product);
      } else {
        rest.add(scaled(product, -1));
      }
    }
    return signed_by(rest.whole(), bits_of(sum));
  }

  // Of any from 2 on: y 2^e, where |y| is from 1 to 2, has y (2^e / pi)
  // half turns. Of 2^e / pi the 80 bits count that are worth less than 2^24 and more than 2^-57, in
  // five digits of 16 bits, and y has three digits of 8 bits: their products are exact.
  ValueId by_digits() {
    const ValueId bits = bits_of(angle_);
    find_digits(bits);
    const ValueId y =
        real_of(masked(OpKind::or_, masked(OpKind::and_, bits, 0x807FFFFF), 0x3F800000));
    const ValueId high = to_multiple(y, 0x1p-7), rest = apply(OpKind::subtract, y, high);
    const ValueId middle = to_multiple(rest, 0x1p-15);
    const std::array<ValueId, 3> part{high, middle, apply(OpKind::subtract, rest, middle)};
    const auto times = [&](std::size_t i, std::size_t digit) {
      return apply(OpKind::multiply, scaled(digits_[digit], std::ldexp(1.0, weight(digit))),
                   part[i]);
    };
    // What is worth whole turns goes, and what is left stays exact.
    ValueId turns = without_pairs(times(1, 0));
    turns = without_pairs(apply(OpKind::add, turns, times(2, 0)));
    turns = without_pairs(apply(OpKind::add, turns, times(0, 1)));
    const ValueId first = plus(turns, rounds_to_whole);
    turns = apply(OpKind::subtract, turns, plus(first, -rounds_to_whole));
    turns = apply(OpKind::add, turns, times(1, 1));
    if (shift_ != 0) turns = plus(turns, shift_);
    const ValueId second = plus(turns, rounds_to_whole);
    turns = apply(OpKind::subtract, turns, plus(second, -rounds_to_whole));
    return signed_by(fraction_of(turns, times),
                     apply(OpKind::xor_, bits_of(first), bits_of(second)));
  }

  // Either, by the angle's size.
  ValueId by_size() {
    const ValueId few = by_parts(few_turns), many = by_digits();
    const ValueId size = write_.emit(OpKind::abs, {angle_}, Type(real_));
    const ValueId is_large = write_.compared(size, "GE", write_.number(real_, few_turns));
    return write_.emit(OpKind::select, {is_large, many, few}, Type(real_));
  }

 private:
  static constexpr int parts_with_errors = 4;
  // A sum and what its additions lost, which is added at the end.
  struct Sum {
    Sum(Reduction& reduction_, ValueId first) : reduction(reduction_), value(first) {}
    void add(ValueId part) {
      const ValueId sum = reduction.apply(OpKind::add, value, part);
      const ValueId added = reduction.apply(OpKind::subtract, sum, value);
      const ValueId lost = reduction.apply(OpKind::subtract, part, added);
      errors = errors ? reduction.apply(OpKind::add, *errors, lost) : lost;
      value = sum;
    }
    [[nodiscard]] ValueId whole() const {
      return errors ? reduction.apply(OpKind::add, value, *errors) : value;
    }
    Reduction& reduction;
    ValueId value;
    std::optional<ValueId> errors{};
  };
  static constexpr int weight(std::size_t digit) { return 8 - 16 * static_cast<int>(digit); }

  ValueId apply(OpKind kind, ValueId a, ValueId b) {
    return write_.emit(kind, {a, b}, Type(write_.type(a)));
  }
  ValueId scaled(ValueId a, double by) {
    return apply(OpKind::multiply, a, write_.number(real_, by));
  }
  ValueId plus(ValueId a, double number) {
    return apply(OpKind::add, a, write_.number(real_, number));
  }
  ValueId masked(OpKind kind, ValueId a, std::uint32_t bits) {
    return apply(kind, a, write_.number(word_, static_cast<std::int32_t>(bits)));
  }
  ValueId bits_of(ValueId real) {
    return write_.emit(OpKind::bitcast_convert, {real}, Type(word_));
  }
  ValueId real_of(ValueId bits) {
    return write_.emit(OpKind::bitcast_convert, {bits}, Type(real_));
  }
  ValueId to_multiple(ValueId a, double unit) {
    return plus(plus(a, rounds_to_whole * unit), -rounds_to_whole * unit);
  }
  ValueId without_pairs(ValueId turns) {
    return apply(OpKind::subtract, turns, to_multiple(turns, 2));
  }
  // Negative where the last bit of a word is set.
  ValueId signed_by(ValueId rest, ValueId word) {
    const ValueId sign = masked(OpKind::shift_left, word, 31);
    return real_of(apply(OpKind::xor_, bits_of(rest), sign));
  }

  // The word of 32 bits of 2/pi that an exponent chooses: of each of two bits of it, a mask.
  ValueId chosen(std::size_t word, const std::array<ValueId, 3>& masks) {
    const auto bits = [&](std::size_t i) { return two_over_pi.at(word + i); };
    const std::array<std::uint32_t, 3> differences{bits(0) ^ bits(1), bits(0) ^ bits(2),
                                                   bits(0) ^ bits(1) ^ bits(2) ^ bits(3)};
    ValueId result = 0;
    for (std::size_t i = 0; i < masks.size(); ++i) {
      const ValueId difference = masked(OpKind::and_, masks[i], differences[i]);
      result = i == 0 ? masked(OpKind::xor_, difference, bits(0))
                      : apply(OpKind::xor_, result, difference);
    }
    return result;
  }

  // The five digits: bits of 2/pi from where the exponent says.
  void find_digits(ValueId bits) {
    const auto mask = [&](std::uint32_t bit) {
      return masked(OpKind::shift_right_arithmetic, masked(OpKind::shift_left, bits, 31 - bit), 31);
    };
    const ValueId low = mask(28), high = mask(29);
    const std::array<ValueId, 3> masks{low, high, apply(OpKind::and_, low, high)};
    const ValueId shift = masked(OpKind::and_, masked(OpKind::shift_right_logical, bits, 23), 31);
    const ValueId back = masked(OpKind::xor_, shift, 31);
    std::array<ValueId, 4> words{};
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = chosen(i, masks);
    for (std::size_t i = 0; i < 3; ++i) {
      const ValueId next = masked(OpKind::shift_right_logical, words[i + 1], 1);
      const ValueId window = apply(OpKind::or_, apply(OpKind::shift_left, words[i], shift),
                                   apply(OpKind::shift_right_logical, next, back));
      add_digit(masked(OpKind::shift_right_logical, window, 16));
      if (i < 2) add_digit(masked(OpKind::and_, window, 0xFFFF));
    }
  }
  void add_digit(ValueId word) { digits_.push_back(write_.convert(word, ElementType::f32)); }

  // The rest of the products, largest first, and what each addition loses: where little is left of
  // the turns, nothing. The smallest ones are worth less than 2^-31, and 24 bits of their sum are
  // enough.
  template <typename Times>
  ValueId fraction_of(ValueId turns, Times times) {
    using Pair = std::pair<std::size_t, std::size_t>;
    ValueId least = times(1, 4);
    for (const auto& [part, digit] : {Pair{2, 3}, Pair{0, 4}, Pair{1, 3}})
      least = apply(OpKind::add, least, times(part, digit));
    Sum sum(*this, turns);
    for (const auto& [part, digit] : {Pair{0, 2}, Pair{2, 1}, Pair{1, 2}, Pair{0, 3}, Pair{2, 2}})
      sum.add(times(part, digit));
    sum.add(least);
    return times_pi(sum);
  }

  // In parts of 12 bits, so that one rounding is left. An infinite angle gives NaN.
  ValueId times_pi(const Sum& sum) {
    constexpr double pi = std::numbers::pi, high_of_pi = 0x1.92p1;
    const ValueId high = real_of(masked(OpKind::and_, bits_of(sum.value), 0xFFFFF000));
    const ValueId low = apply(OpKind::add, apply(OpKind::subtract, sum.value, high), *sum.errors);
    const ValueId less = apply(OpKind::add, scaled(low, pi), scaled(high, pi - high_of_pi));
    const ValueId product = apply(OpKind::add, scaled(high, high_of_pi), less);
    return apply(OpKind::add, product, scaled(angle_, 0));
  }

  graph::Builder& write_;
  ValueId angle_;
  double shift_;
  Type real_, word_;
  std::vector<ValueId> digits_;
};

class Angles {
 public:
  explicit Angles(graph::Function& function) : function_(function), bounds_(function) {
    measure(function.body);
  }
  [[nodiscard]] bool empty() const { return most_.empty(); }
  void reduce(Region& region) {
    graph::replace_each(region, [&](const Op& op, std::vector<Op>& ops) {
      const auto found = op.results.empty() ? most_.end() : most_.find(op.results[0]);
      if (found == most_.end()) return false;
      reduce(op, found->second, ops);
      return true;
    });
  }

 private:
  void measure(const Region& region) {
    for (const Op& op : region.ops) {
      for (const Region& nested : op.regions) measure(nested);
      if (op.kind != OpKind::sine && op.kind != OpKind::cosine) continue;
      if (!function_.type(op.operands[0]).is_static() || !lowers_elementwise(op, function_))
        continue;
      const double most = bounds_.of(op.operands[0]).magnitude();
      if (op.kind == OpKind::cosine || most > std::numbers::pi) most_.emplace(op.results[0], most);
    }
  }

  void reduce(const Op& op, double most, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    const ElementType element = function_.type(op.results[0]).element;
    const bool is_wide = element == ElementType::f32;
    const ValueId angle =
        is_wide ? op.operands[0] : write.convert(op.operands[0], ElementType::f32);
    Reduction reduction(write, angle, op.kind == OpKind::cosine ? 0.5 : 0);
    const ValueId rest = most < many_turns ? reduction.by_parts(most) : reduction.by_size();
    const ValueId sine = write.emit(OpKind::sine, {rest}, Type(write.type(rest)), op.attributes);
    if (!is_wide) write.convert(sine, element);
    ops.back().results = op.results;
  }

  graph::Function& function_;
  ValueBounds bounds_;
  std::map<ValueId, double> most_;  // of the operands of those to reduce, by their results
};

}  // namespace

void reduce_angles(graph::Module& module) {
  bool changed = false;
  for (graph::Function& function : module.functions) {
    Angles angles(function);
    if (angles.empty()) continue;
    angles.reduce(function.body);
    changed = true;
  }
  if (changed) remove_repeats(module);
}

}  // namespace trainyard::compiler
