#include "compiler/lowering/tiles/elementwise.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "compiler/lowering/tiles/gelu_slope.h"
#include "compiler/lowering/tiles/integer_division.h"
#include "compiler/lowering/tiles/integer_products.h"
#include "compiler/lowering/tiles/tile_math.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using isa::DType;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;

// What a row's function works with.
struct Context {
  Emitter& emitter;
  TileMath math;
  const graph::Op& op;
  ElementTypes types;
  std::span<const Operand> operands;
  const Tile* into;

  [[nodiscard]] Tile out() const { return into ? *into : math.fresh(*storage_of(types.out)); }
  [[nodiscard]] DType in_dtype() const { return *storage_of(types.in); }
  // Operand i on every element.
  [[nodiscard]] Tile tile(std::size_t i, DType dtype) const {
    const Operand& operand = operands[i];
    return operand.number ? math.filled(dtype, *operand.number) : operand.tile;
  }
  [[nodiscard]] Tile tile(std::size_t i) const { return tile(i, in_dtype()); }
};

using Fits = bool (*)(ElementTypes);
using Emit = Tile (*)(const Context&);
struct Rule {
  OpKind kind;
  Fits fits;
  Emit emit;
};

// --- Which types ---

// Engines compute on these in float32.
bool is_real(ElementType t) { return graph::is_float(t) && storage_of(t).has_value(); }
bool is_word(ElementType t) { return t == ElementType::s32 || t == ElementType::u32; }
bool is_small_integer(ElementType t) {
  return (graph::is_integer(t) || t == ElementType::pred) && storage_of(t) && graph::bits(t) <= 16;
}
bool is_pattern(ElementType t) { return is_word(t) || is_small_integer(t); }

bool real(ElementTypes t) { return is_real(t.in) && is_real(t.out); }
bool pattern(ElementTypes t) { return is_pattern(t.in) && t.in == t.out; }
// Maximum and minimum choose one of their operands, so that no format is too small.
bool ordered(ElementTypes t) { return real(t) || pattern(t); }
bool comparable(ElementTypes t) { return is_real(t.in) || is_pattern(t.in); }
bool same_bits(ElementTypes t) {
  return t.in != ElementType::pred && t.out != ElementType::pred && storage_of(t.in) &&
         storage_of(t.out) && graph::bits(t.in) >= 8 && graph::bits(t.in) == graph::bits(t.out);
}
bool stored(ElementTypes t) { return storage_of(t.out).has_value() && graph::bits(t.out) <= 32; }
bool convertible(ElementTypes t) {
  return (is_real(t.in) || is_pattern(t.in)) && (is_real(t.out) || is_pattern(t.out));
}
bool is_integer(ElementTypes t) { return pattern(t) && t.in != ElementType::pred; }
bool is_signed_integer(ElementTypes t) { return is_integer(t) && graph::is_signed(t.in); }
bool real_or_integer(ElementTypes t) { return real(t) || is_integer(t); }
bool real_or_signed_integer(ElementTypes t) { return real(t) || is_signed_integer(t); }

// --- Two operands ---

// One float32 a partition on every element: an operand of tensor_scalar.
bool is_column(const Operand& operand) {
  const Tile& tile = operand.tile;
  return !operand.number && tile.dtype == DType::float32 && tile.free_elements() > 1 &&
         std::ranges::all_of(tile.free(), [](const isa::Dim& dim) { return dim.step == 0; });
}

template <AluOp op>
Tile binary(const Context& c) {
  const Operand &a = c.operands[0], &b = c.operands[1];
  const bool exact = is_word(c.types.in) && !numerics::is_bitwise(op);
  if (is_column(b) && !a.number) return c.math.column(c.out(), a.tile, op, b.tile);
  if (is_column(a) && !b.number) return c.math.column(c.out(), b.tile, op, a.tile, true);
  if (!exact && b.number && !a.number) return c.math.scalar(c.out(), a.tile, op, *b.number);
  if (!exact && a.number && !b.number) return c.math.scalar(c.out(), b.tile, op, *a.number, true);
  return c.math.tensor(c.out(), c.tile(0), op, c.tile(1));
}

// The reciprocals of a tile, each computed once where it repeats.
Tile inverse_of(const Context& c, const Tile& tile) {
  Tile once = tile;
  std::int64_t repeats = 1;
  while (once.rank > 0 && once.dims.at(once.rank - 1U).step == 0)
    repeats *= once.dims.at(--once.rank).count;
  if (once.rank == 0) once.dims.at(once.rank++) = {1, 1};
  const TileMath math(c.emitter, tile.partitions, once.free_elements());
  Tile inverse = math.reciprocal(math.fresh(DType::float32), once);
  if (repeats == 1) return inverse;
  inverse.dims[inverse.rank++] = {0, static_cast<std::int32_t>(repeats)};
  return isa::simplified(inverse);
}

// The lower bits of integers, where they lie.
Tile low_bits(Tile integers, DType dtype) {
  const auto parts =
      static_cast<std::int32_t>(integers.element_bytes() / numerics::size_in_bytes(dtype));
  integers.dtype = dtype;
  for (std::size_t i = 0; i < integers.rank; ++i) integers.dims.at(i).step *= parts;
  return integers;
}

// Of 8 and 16 bits, whose results wrap around where a cast would saturate: `f` computes them in
// words, of which the lower bits are kept.
template <Emit f>
Tile wrapped(const Context& c) {
  if (!is_small_integer(c.types.in)) return f(c);
  const Tile words = c.math.fresh(DType::int32);
  Context wide = c;
  wide.into = &words;
  return c.math.copy(c.out(), low_bits(f(wide), *storage_of(c.types.out)));
}
// The same of functions of words alone.
template <Emit f>
Tile widened(const Context& c) {
  if (!is_small_integer(c.types.in)) return f(c);
  std::vector<Operand> words(c.operands.begin(), c.operands.end());
  for (Operand& operand : words) {
    if (!operand.number) operand.tile = c.math.copy(c.math.fresh(DType::int32), operand.tile);
  }
  const ElementTypes types{ElementType::s32, ElementType::s32};
  const Context wide{c.emitter, c.math, c.op, types, words, nullptr};
  return c.math.copy(c.out(), low_bits(f(wide), *storage_of(c.types.out)));
}

// An integer's bits as a word, with copies of its highest bit or zeros before them.
Tile as_word(const Context& c, Tile bits, bool is_signed) {
  switch (bits.element_bytes()) {
    case 1: bits.dtype = is_signed ? DType::int8 : DType::uint8; break;
    case 2: bits.dtype = is_signed ? DType::int16 : DType::uint16; break;
    default: bits.dtype = DType::int32; return bits;
  }
  return c.math.copy(c.math.fresh(DType::int32), bits);
}

// Of negative numbers all bits are turned before and behind a shift that fills with zeros.
Tile shift_right_arithmetic(const Context& c) {
  const auto word = [&] { return c.math.fresh(DType::int32); };
  const Tile value = as_word(c, c.tile(0), true);
  const Tile turned = c.math.scalar2(word(), value, AluOp::less, 0, AluOp::multiply, -1);
  const Tile positive = c.math.tensor(word(), value, AluOp::bitwise_xor, turned);
  const Operand& by = c.operands[1];
  const Tile shifted =
      by.number ? c.math.scalar(word(), positive, AluOp::right_shift, *by.number)
                : c.math.tensor(word(), positive, AluOp::right_shift, as_word(c, by.tile, false));
  const Tile result = c.math.tensor(word(), shifted, AluOp::bitwise_xor, turned);
  return c.math.copy(c.out(), low_bits(result, *storage_of(c.types.out)));
}

Quotient divided_words(const Context& c) {
  return divided(c.math, c.tile(0), c.tile(1), c.operands[1].number);
}
Tile remainder(const Context& c) { return divided_words(c).remainder; }

Tile divide(const Context& c) {
  const Operand &a = c.operands[0], &b = c.operands[1];
  if (is_word(c.types.in)) return divided_words(c).quotient;
  if (b.number && !a.number)
    return c.math.scalar(c.out(), a.tile, AluOp::multiply, static_cast<float>(1 / *b.number));
  const Tile inverse = inverse_of(c, c.tile(1));
  if (a.number == 1 && *storage_of(c.types.out) == DType::float32) return inverse;
  if (a.number) return c.math.scalar(c.out(), inverse, AluOp::multiply, *a.number);
  if (is_column({.tile = inverse})) return c.math.column(c.out(), a.tile, AluOp::multiply, inverse);
  return c.math.tensor(c.out(), a.tile, AluOp::multiply, inverse);
}

Tile power(const Context& c) {  // GpSimd's, which takes no numbers and does not reach PSUM
  const auto reached = [&](std::size_t i) {
    const Tile tile = c.tile(i);
    return tile.space == isa::Space::psum ? c.math.copy(c.math.fresh(tile.dtype), tile) : tile;
  };
  return c.math.tensor(c.out(), reached(0), AluOp::power, reached(1));
}

AluOp comparison(const graph::Op& op) {
  constexpr std::array<std::pair<std::string_view, AluOp>, 6> all{{{"EQ", AluOp::equal},
                                                                   {"NE", AluOp::not_equal},
                                                                   {"LT", AluOp::less},
                                                                   {"LE", AluOp::less_equal},
                                                                   {"GT", AluOp::greater},
                                                                   {"GE", AluOp::greater_equal}}};
  const std::string_view direction = op.text("comparison_direction");
  const auto* const found =
      std::ranges::find(all, direction, &std::pair<std::string_view, AluOp>::first);
  base::check(found != all.end(), "a comparison has a direction");
  return found->second;
}

bool is_total(const graph::Op& op) {
  return op.find("compare_type") != nullptr && op.text("compare_type") == "TOTALORDER";
}

Tile compare(const Context& c) {
  const AluOp op = comparison(c.op);
  const Operand &a = c.operands[0], &b = c.operands[1];
  if (is_real(c.types.in) && is_total(c.op)) {
    const Tile left = c.math.total_order(c.tile(0)), right = c.math.total_order(c.tile(1));
    return c.math.copy(c.out(), c.math.tensor(c.math.fresh(DType::int32), left, op, right));
  }
  if (is_word(c.types.in)) {  // exact on GpSimd, which writes words
    const Tile answer = c.math.tensor(c.math.fresh(DType::int32), c.tile(0), op, c.tile(1));
    return c.math.copy(c.out(), answer);
  }
  if (b.number && !a.number) return c.math.scalar(c.out(), a.tile, op, *b.number);
  if (a.number && !b.number) return c.math.scalar(c.out(), b.tile, op, *a.number, true);
  return c.math.tensor(c.out(), c.tile(0), op, c.tile(1));
}

bool is_square(const Context& c) {
  const Operand &a = c.operands[0], &b = c.operands[1];
  return real(c.types) && !a.number && !b.number && a.tile == b.tile;
}

Tile multiply(const Context& c) {
  if (is_square(c)) return c.math.apply(c.out(), ActivationFunction::square, c.operands[0].tile);
  return binary<AluOp::multiply>(c);
}

// --- One operand ---

template <ActivationFunction function>
Tile activation(const Context& c) {
  return c.math.apply(c.out(), function, c.tile(0));
}

template <Tile (TileMath::*method)(const Tile&) const>
Tile composed(const Context& c) {
  const Tile result = (c.math.*method)(c.tile(0));
  return *storage_of(c.types.out) == DType::float32 ? result : c.math.copy(c.out(), result);
}

// reduce_angles() leaves sines alone, of angles that the instruction takes.
Tile cosine(const Context& c) {
  base::check(false, "cosines are written as sines");
  return c.tile(0);
}

Tile negate(const Context& c) {
  if (is_word(c.types.in))
    return c.math.tensor(c.out(), c.math.filled(c.in_dtype(), 0), AluOp::subtract, c.tile(0));
  return c.math.scalar(c.out(), c.tile(0), AluOp::multiply, -1);
}

Tile absolute(const Context& c) {
  if (!is_word(c.types.in)) return activation<ActivationFunction::abs>(c);
  const Tile opposite =
      c.math.tensor(c.out(), c.math.filled(c.in_dtype(), 0), AluOp::subtract, c.tile(0));
  return c.math.tensor(c.out(), c.tile(0), AluOp::maximum, opposite);
}

Tile sign(const Context& c) {
  if (!is_word(c.types.in)) return activation<ActivationFunction::sign>(c);
  const Tile high =
      c.math.tensor(c.out(), c.tile(0), AluOp::minimum, c.math.filled(c.in_dtype(), 1));
  return c.math.tensor(c.out(), high, AluOp::maximum, c.math.filled(c.in_dtype(), -1));
}

Tile is_finite(const Context& c) {
  const Tile size = c.math.apply(c.math.fresh(DType::float32), ActivationFunction::abs, c.tile(0));
  return c.math.scalar(c.out(), size, AluOp::less, std::numeric_limits<float>::infinity());
}

Tile invert(const Context& c) {
  const bool is_flag = c.types.in == ElementType::pred;
  const std::int64_t all = (std::int64_t{1} << graph::bits(c.types.in)) - 1;
  const double mask = is_flag ? 1 : graph::is_signed(c.types.in) ? -1 : static_cast<double>(all);
  return c.math.scalar(c.out(), c.tile(0), AluOp::bitwise_xor, mask);
}

Tile convert(const Context& c) {
  const Tile in = c.tile(0);
  if (c.types.out == ElementType::pred) {
    if (c.types.in == ElementType::pred) return in;
    if (!is_word(c.types.in)) return c.math.scalar(c.out(), in, AluOp::not_equal, 0);
    const Tile zero = c.math.filled(c.in_dtype(), 0);
    return c.math.copy(c.out(),
                       c.math.tensor(c.math.fresh(DType::int32), in, AluOp::not_equal, zero));
  }
  if (is_word(c.types.in) && is_word(c.types.out)) {  // the same bits
    Tile same = in;
    same.dtype = *storage_of(c.types.out);
    return c.math.copy(c.out(), same);
  }
  if (is_real(c.types.in) && graph::is_integer(c.types.out))
    return c.math.copy(c.out(), c.math.truncated(in));
  if (is_pattern(c.types.in) && c.types.in != ElementType::pred && is_small_integer(c.types.out) &&
      graph::bits(c.types.in) >= graph::bits(c.types.out))
    return c.math.copy(c.out(), low_bits(in, *storage_of(c.types.out)));
  const bool wraps = graph::is_integer(c.types.in) && graph::is_signed(c.types.in) &&
                     graph::is_integer(c.types.out) && !graph::is_signed(c.types.out);
  if (wraps) {  // a cast saturates at 0: extend the sign first, then take the same bits
    Tile extended =
        c.math.copy(c.math.fresh(graph::bits(c.types.out) == 16 ? DType::int16 : DType::int32), in);
    extended.dtype = *storage_of(c.types.out);
    return extended;
  }
  return c.math.copy(c.out(), in);
}

Tile bitcast(const Context& c) {
  Tile same = c.tile(0);
  if (same.dtype != c.in_dtype()) same = c.math.copy(c.math.fresh(c.in_dtype()), same);
  same.dtype = *storage_of(c.types.out);
  return same;
}

// --- Three operands ---

Tile select(const Context& c) {
  const Operand &yes = c.operands[1], &no = c.operands[2];
  if (is_real(c.types.out) && yes.number.has_value() != no.number.has_value()) {
    const Tile mask = c.tile(0, DType::uint8);
    return no.number ? c.math.put(c.out(), yes.tile, mask, *no.number)
                     : c.math.put(c.out(), no.tile, mask, *yes.number, true);
  }
  const DType dtype = *storage_of(c.types.out);
  const Tile result = c.math.copy(c.out(), c.tile(2, dtype));
  const Tile chosen = c.tile(1, dtype);
  return c.math.put(result,
                    chosen.dtype == dtype ? chosen : c.math.copy(c.math.fresh(dtype), chosen),
                    c.tile(0, DType::uint8));
}

Tile clamp(const Context& c) {
  const DType dtype = *storage_of(c.types.out);
  const Operand &low = c.operands[0], &high = c.operands[2];
  if (low.number && high.number && !is_word(c.types.out))
    return c.math.scalar2(c.out(), c.tile(1, dtype), AluOp::maximum, *low.number, AluOp::minimum,
                          *high.number);
  const Tile raised = c.math.tensor(c.out(), c.tile(1, dtype), AluOp::maximum, c.tile(0, dtype));
  return c.math.tensor(c.out(), raised, AluOp::minimum, c.tile(2, dtype));
}

// In the order of OpKind.
constexpr auto rules = std::to_array<Rule>({
    {OpKind::abs, real_or_signed_integer, wrapped<absolute>},
    {OpKind::add, real_or_integer, wrapped<binary<AluOp::add>>},
    {OpKind::and_, pattern, binary<AluOp::bitwise_and>},
    {OpKind::bitcast_convert, same_bits, bitcast},
    {OpKind::ceil, real, composed<&TileMath::ceil>},
    {OpKind::clamp, ordered, clamp},
    {OpKind::compare, comparable, compare},
    {OpKind::convert, convertible, convert},
    {OpKind::cosine, real, cosine},
    {OpKind::divide, real_or_integer, widened<divide>},
    {OpKind::exponential, real, activation<ActivationFunction::exp>},
    {OpKind::exponential_minus_one, real, composed<&TileMath::exponential_minus_one>},
    {OpKind::floor, real, composed<&TileMath::floor>},
    {OpKind::is_finite, [](ElementTypes t) { return is_real(t.in); }, is_finite},
    {OpKind::log, real, activation<ActivationFunction::log>},
    {OpKind::log_plus_one, real, composed<&TileMath::log_plus_one>},
    {OpKind::logistic, real, activation<ActivationFunction::sigmoid>},
    {OpKind::maximum, ordered, binary<AluOp::maximum>},
    {OpKind::minimum, ordered, binary<AluOp::minimum>},
    {OpKind::multiply, real_or_integer, widened<multiply>},
    {OpKind::negate, real_or_integer, wrapped<negate>},
    {OpKind::not_, pattern, invert},
    {OpKind::or_, pattern, binary<AluOp::bitwise_or>},
    {OpKind::power, real, power},
    {OpKind::remainder, is_integer, widened<remainder>},
    {OpKind::round_nearest_even, real, composed<&TileMath::rounded>},
    {OpKind::rsqrt, real, activation<ActivationFunction::rsqrt>},
    {OpKind::select, stored, select},
    {OpKind::shift_left, is_integer, binary<AluOp::left_shift>},
    {OpKind::shift_right_arithmetic, is_integer, shift_right_arithmetic},
    {OpKind::shift_right_logical, is_integer, binary<AluOp::right_shift>},
    {OpKind::sign, real_or_signed_integer, sign},
    {OpKind::sine, real, activation<ActivationFunction::sin>},
    {OpKind::sqrt, real, activation<ActivationFunction::sqrt>},
    {OpKind::subtract, real_or_integer, wrapped<binary<AluOp::subtract>>},
    {OpKind::tanh, real, activation<ActivationFunction::tanh>},
    {OpKind::xor_, pattern, binary<AluOp::bitwise_xor>},
});

// Of numbers without a fraction.
bool whole(ElementTypes t) { return t.in == ElementType::f32 && t.out == ElementType::s32; }
Tile as_words(const Context& c) { return c.math.copy(c.out(), c.tile(0)); }

Tile gelu_tanh_slope(const Context& c) {
  const Tile result = c.out();
  emit_gelu_tanh_slope(c.emitter, result, c.tile(0));
  return result;
}

// Functions that StableHLO has no operation for, by the name of their composite.
struct Composite {
  std::string_view name;
  Emit emit;
  Fits fits = real;
  bool works_in_words = false;  // takes several instructions, with float32 between
};
constexpr auto composites = std::to_array<Composite>({
    {"chlo.erf", activation<ActivationFunction::erf>},
    {"trainyard.gelu", activation<ActivationFunction::gelu>},
    {"trainyard.gelu_dx", activation<ActivationFunction::gelu_dx>},
    {"trainyard.gelu_tanh", activation<ActivationFunction::gelu_apprx_tanh>},
    {"trainyard.gelu_tanh_dx", gelu_tanh_slope, real, true},
    {"trainyard.logistic", activation<ActivationFunction::sigmoid>},
    {"trainyard.silu", activation<ActivationFunction::silu>},
    {"trainyard.silu_dx", activation<ActivationFunction::silu_dx>},
    {"trainyard.softplus", activation<ActivationFunction::softplus>},
    {whole_name, as_words, whole},
});

Emit find(const graph::Op& op, ElementTypes types) {
  if (op.kind == OpKind::composite) {
    const std::string_view name = op.text("name");
    const auto* const found = std::ranges::find(composites, name, &Composite::name);
    return found != composites.end() && found->fits(types) ? found->emit : nullptr;
  }
  const auto* const found = std::ranges::find(rules, op.kind, &Rule::kind);
  return found != rules.end() && found->fits(types) ? found->emit : nullptr;
}

}  // namespace

std::optional<DType> storage_of(ElementType type) {
  if (type == ElementType::pred) return DType::uint8;
  return graph::dtype_of(type);
}

bool works_in_words(const graph::Op& op) {
  if (op.kind != OpKind::composite) return false;
  const auto* const found = std::ranges::find(composites, op.text("name"), &Composite::name);
  return found != composites.end() && found->works_in_words;
}

ElementTypes element_types(const graph::Op& op, std::span<const graph::Type> types) {
  const bool second = op.kind == OpKind::select || op.kind == OpKind::clamp;
  return {types[second ? 1 : 0].element, types[op.operands.size()].element};
}

bool computes_elementwise(OpKind kind, ElementTypes types) {
  const auto* const found = std::ranges::find(rules, kind, &Rule::kind);
  return found != rules.end() && found->fits(types);
}

bool lowers_elementwise(const graph::Op& op, std::span<const graph::Type> types) {
  if (op.results.size() != 1 || op.operands.empty()) return false;
  const bool tensors = std::ranges::all_of(types, [](const graph::Type& type) {
    return type.kind == graph::Type::Kind::tensor && type.is_static();
  });
  return tensors && find(op, element_types(op, types)) != nullptr;
}

bool lowers_elementwise(const graph::Op& op, const graph::Function& function) {
  if (op.results.size() != 1 || op.operands.empty() || !op.regions.empty()) return false;
  std::vector<graph::Type> types;
  for (const graph::ValueId value : op.operands) types.push_back(function.type(value));
  types.push_back(function.type(op.results[0]));
  return std::ranges::all_of(types,
                             [&](const graph::Type& type) {
                               return type.shape == types.back().shape &&
                                      storage_of(type.element).has_value();
                             }) &&
         lowers_elementwise(op, types);
}

bool only_widens(const graph::Op& op, std::span<const graph::Type> types) {
  const ElementTypes kinds = element_types(op, types);
  return op.kind == OpKind::convert && kinds.out == ElementType::f32 &&
         (kinds.in == ElementType::bf16 || kinds.in == ElementType::f16);
}

Tile emit_elementwise(Emitter& emitter, const graph::Op& op, std::span<const graph::Type> types,
                      std::span<const Operand> operands, std::int64_t partitions,
                      std::int64_t elements, const Tile* into) {
  const ElementTypes kinds = element_types(op, types);
  const TileMath math(emitter, partitions, elements);
  const Tile result = find(op, kinds)({emitter, math, op, kinds, operands, into});
  return into && result != *into ? math.copy(*into, result) : result;
}

}  // namespace trainyard::compiler
