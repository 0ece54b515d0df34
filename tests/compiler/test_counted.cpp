// Are numbers that follow from the counters of hardware loops what the counters give, for every
// operation and up to the limits of their types?
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lowering/emit/counted.h"

namespace trainyard::compiler {
namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;

constexpr isa::Register first{.index = 1}, second{.index = 2};

Counted number(std::int64_t constant) { return {.constant = constant}; }
Counted counting(isa::Register counter, std::int64_t scale, std::int64_t from) {
  return {.constant = from, .terms = {{counter, counter == first ? 3 : 2, scale}}};
}

// What it is when the counters are at these places.
std::int64_t at(const Counted& value, std::int64_t one, std::int64_t other) {
  std::int64_t sum = value.constant;
  for (const Counted::Term& term : value.terms)
    sum += term.scale * (term.counter == first ? one : other);
  return sum;
}

std::vector<Counted> values() {
  return {number(-2),
          number(0),
          number(3),
          counting(first, 1, 0),
          counting(first, 1, 3),
          counting(first, -1, 3),
          counting(first, 2, -3),
          counting(second, 1, -3),
          counting(second, 3, 1)};
}

// The same for all places of the counters, where it is.
std::optional<std::int64_t> always(
    const std::function<std::int64_t(std::int64_t, std::int64_t)>& f) {
  for (std::int64_t one = 0; one < 4; ++one)
    for (std::int64_t other = 0; other < 3; ++other)
      if (f(one, other) != f(0, 0)) return std::nullopt;
  return f(0, 0);
}

Op comparison(std::string direction) {
  return {.kind = OpKind::compare,
          .attributes = {{"comparison_direction", {std::move(direction)}}}};
}

using Function = std::function<std::int64_t(std::int64_t, std::int64_t)>;

void expect_values(const Op& op, std::span<const Counted> operands, const Function& meant) {
  const auto found = counted(op, operands, ElementType::s32);
  if (!found) return;
  for (std::int64_t one = 0; one < 4; ++one)
    for (std::int64_t other = 0; other < 3; ++other)
      EXPECT_EQ(at(*found, one, other),
                meant(at(operands[0], one, other), at(operands[operands.size() - 1], one, other)))
          << graph::name(op.kind);
}

TEST(Counted, IsWhatTheCountersGive) {
  const std::vector<std::pair<OpKind, Function>> functions{
      {OpKind::add, [](auto a, auto b) { return a + b; }},
      {OpKind::subtract, [](auto a, auto b) { return a - b; }},
      {OpKind::multiply, [](auto a, auto b) { return a * b; }},
      {OpKind::maximum, [](auto a, auto b) { return std::max(a, b); }},
      {OpKind::minimum, [](auto a, auto b) { return std::min(a, b); }}};
  for (const Counted& a : values()) {
    for (const Counted& b : values()) {
      for (const auto& [kind, meant] : functions)
        expect_values({.kind = kind}, std::array{a, b}, meant);
      EXPECT_EQ(counted({.kind = OpKind::multiply}, std::array{a, b}, ElementType::s32).has_value(),
                a.is_known() || b.is_known());
    }
    expect_values({.kind = OpKind::negate}, std::array{a}, [](auto x, auto) { return -x; });
    expect_values({.kind = OpKind::convert}, std::array{a}, [](auto x, auto) { return x; });
  }
}

TEST(Counted, SumsAndLimitsAreExact) {
  const Counted value = sum(counting(first, 2, 1), counting(second, -3, 4));
  EXPECT_EQ(value.low(), 5 - 6);
  EXPECT_EQ(value.high(), 5 + 6);
  EXPECT_TRUE(sum(value, scaled(value, -1)).is_known());
  EXPECT_EQ(scaled(value, -2).low(), -2 * value.high());
}

// Decided as soon as all counts agree; equality also says nothing where counts only leave it out.
TEST(Counted, ComparisonsAreDecidedWhereAllCountsAgree) {
  const std::vector<std::pair<std::string, Function>> directions{
      {"LT", [](auto a, auto b) { return a < b; }},  {"LE", [](auto a, auto b) { return a <= b; }},
      {"GT", [](auto a, auto b) { return a > b; }},  {"GE", [](auto a, auto b) { return a >= b; }},
      {"EQ", [](auto a, auto b) { return a == b; }}, {"NE", [](auto a, auto b) { return a != b; }}};
  for (const Counted& a : values()) {
    for (const Counted& b : values()) {
      const Counted difference = sum(a, scaled(b, -1));
      for (const auto& [direction, meant] : directions) {
        const auto truth = always(
            [&](auto one, auto other) { return meant(at(a, one, other), at(b, one, other)); });
        const auto found = counted(comparison(direction), std::array{a, b}, ElementType::pred);
        const bool spans_zero = difference.low() < 0 && difference.high() > 0;
        if (truth && !((direction == "EQ" || direction == "NE") && spans_zero)) {
          ASSERT_TRUE(found.has_value()) << direction << difference.low() << difference.high();
          EXPECT_EQ(found->constant, *truth) << direction;
        } else {
          EXPECT_FALSE(found.has_value()) << direction;
        }
      }
    }
  }
}

TEST(Counted, IsKeptBetweenLimitsWhereThoseAreDecided) {
  const auto clamped = [](const Counted& low, const Counted& value, const Counted& high) {
    return counted({.kind = OpKind::clamp}, std::array{low, value, high}, ElementType::s32);
  };
  EXPECT_EQ(clamped(number(0), number(-1), number(5))->constant, 0);
  EXPECT_EQ(clamped(number(0), number(7), number(5))->constant, 5);
  const auto inside = clamped(number(-1), counting(first, 1, 0), number(3));
  ASSERT_TRUE(inside.has_value());
  EXPECT_EQ(inside->terms.size(), 1U);
  EXPECT_FALSE(clamped(number(-1), counting(first, 1, 0), number(2)).has_value());
  EXPECT_FALSE(clamped(number(1), counting(first, 1, 0), number(3)).has_value());
}

TEST(Counted, FitsIntoItsType) {
  struct Case {
    ElementType type;
    std::int64_t least, most;
  };
  constexpr std::int64_t word = std::int64_t{1} << 31;
  for (const Case& each : {Case{ElementType::pred, 0, 1},
                           {ElementType::s8, -128, 127},
                           {ElementType::u8, 0, 255},
                           {ElementType::s16, -32768, 32767},
                           {ElementType::u16, 0, 65535},
                           {ElementType::s32, -word, word - 1},
                           {ElementType::u32, 0, word - 1},
                           {ElementType::s64, -word, word - 1}}) {
    const auto fits = [&](std::int64_t value) {
      return counted({.kind = OpKind::convert}, std::array{number(value)}, each.type).has_value();
    };
    EXPECT_TRUE(fits(each.least) && fits(each.most)) << graph::name(each.type);
    EXPECT_FALSE(fits(each.least - 1) || fits(each.most + 1)) << graph::name(each.type);
    const auto both = [&](std::int64_t last) {
      const std::array range{Counted{.constant = each.least, .terms = {{first, last, 1}}}};
      return counted({.kind = OpKind::reshape}, range, each.type).has_value();
    };
    EXPECT_TRUE(both(each.most - each.least)) << graph::name(each.type);
    EXPECT_FALSE(both(each.most - each.least + 1)) << graph::name(each.type);
  }
  EXPECT_FALSE(
      counted({.kind = OpKind::convert}, std::array{number(1)}, ElementType::f32).has_value());
  EXPECT_FALSE(
      counted({.kind = OpKind::sine}, std::array{number(1)}, ElementType::s32).has_value());
}

}  // namespace
}  // namespace trainyard::compiler
