// Operations of one operand, element by element. Transcendental functions round a float64 result.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "graph/evaluate/functions.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/elementwise.h"

namespace trainyard::graph {

namespace {

// A number, and the format that it stands for.
template <typename T>
struct Operand {
  T x;
  int width;  // of integers
  bool boolean;

  [[nodiscard]] std::uint64_t word() const {
    const std::uint64_t mask = width == 64 ? ~0ull : (1ull << width) - 1;
    return static_cast<std::uint64_t>(x) & mask;
  }
};

using Complex = std::complex<double>;

template <typename C>
C complex_exp_minus_one(C z) {
  using Part = typename C::value_type;
  const Part half = std::sin(z.imag() / 2);
  const Part growth = std::expm1(z.real());
  return {growth * std::cos(z.imag()) - 2 * half * half, (growth + 1) * std::sin(z.imag())};
}

template <typename C>
C complex_log_plus_one(C z) {
  using Part = typename C::value_type;
  const Part x = z.real(), y = z.imag();
  if (!std::isfinite(x) || !std::isfinite(y)) return std::log(C(1) + z);
  const Part squared = x * (2 + x) + y * y;
  const Part size =
      std::fabs(squared) < Part{0.5} ? std::log1p(squared) / 2 : std::log(std::abs(C(1 + x, y)));
  return {size, std::atan2(y, 1 + x)};
}

// Transcendental functions of a float64, and of a complex number of two.
struct Cbrt {
  static double of(double x) { return std::cbrt(x); }
  static Complex of(Complex z) { return std::pow(z, 1.0 / 3); }
};
struct Cosine {
  static auto of(auto x) { return std::cos(x); }
};
struct Exp {
  static double of(double x) { return std::exp(x); }
  static Complex of(Complex z) {
    if (z.imag() == 0) return {std::exp(z.real()), z.imag()};
    return std::exp(z);
  }
};
struct ExpMinusOne {
  static double of(double x) { return std::expm1(x); }
  static Complex of(Complex z) { return complex_exp_minus_one(z); }
};
struct Log {
  static auto of(auto x) { return std::log(x); }
};
struct LogPlusOne {
  static double of(double x) { return std::log1p(x); }
  static Complex of(Complex z) { return complex_log_plus_one(z); }
};
struct Logistic {
  static auto of(auto x) { return decltype(x)(1) / (decltype(x)(1) + std::exp(-x)); }
};
struct Rsqrt {
  static auto of(auto x) { return decltype(x)(1) / std::sqrt(x); }
};
struct Sine {
  static auto of(auto x) { return std::sin(x); }
};
struct Sqrt {
  static auto of(auto x) { return std::sqrt(x); }
};
struct Tan {
  static auto of(auto x) { return std::tan(x); }
};
struct Tanh {
  static auto of(auto x) { return std::tanh(x); }
};

template <typename Function>
struct Exact {
  template <typename T>
  static T of(Operand<T> operand) {
    if constexpr (is_complex_number<T>) {
      return static_cast<T>(Function::of(static_cast<Complex>(operand.x)));
    } else if constexpr (std::is_integral_v<T>) {
      return operand.x;
    } else {
      return static_cast<T>(Function::of(static_cast<double>(operand.x)));
    }
  }
};

// Functions of real numbers alone.
template <auto function>
struct OfReals {
  template <typename T>
  static T of(Operand<T> operand) {
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(function(static_cast<double>(operand.x)));
    } else {
      return operand.x;
    }
  }
};
using Ceil = OfReals<[](double x) { return std::ceil(x); }>;
using Floor = OfReals<[](double x) { return std::floor(x); }>;
using RoundAway = OfReals<[](double x) { return std::round(x); }>;
using RoundEven = OfReals<[](double x) { return std::nearbyint(x); }>;

// Functions of integers alone.
template <auto function>
struct OfWords {
  template <typename T>
  static T of(Operand<T> operand) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(function(operand));
    } else {
      return operand.x;
    }
  }
};
using PopulationCount = OfWords<[](auto operand) { return std::popcount(operand.word()); }>;
using LeadingZeros =
    OfWords<[](auto operand) { return std::countl_zero(operand.word()) - (64 - operand.width); }>;
using Not = OfWords<[](auto operand) {
  const auto word = static_cast<std::uint64_t>(operand.x);
  return operand.boolean ? static_cast<std::uint64_t>(word == 0) : ~word;
}>;

struct Negate {
  template <typename T>
  static T of(Operand<T> operand) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(0 - static_cast<std::uint64_t>(operand.x));
    } else {
      return -operand.x;
    }
  }
};

struct Sign {
  template <typename T>
  static T of(Operand<T> operand) {
    const T x = operand.x;
    if constexpr (is_complex_number<T>) {
      if (std::isnan(x.real()) || std::isnan(x.imag())) {
        const auto nan = std::numeric_limits<typename T::value_type>::quiet_NaN();
        return {nan, nan};
      }
      return x == T{} ? x : x / std::abs(x);
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isnan(x) || x == 0 ? x : std::copysign(T{1}, x);
    } else {
      if constexpr (std::is_signed_v<T>) {
        if (x < 0) return T{-1};
      }
      return x != T{0} ? T{1} : T{0};
    }
  }
};

struct Abs {
  template <typename T>
  static T of(Operand<T> operand) {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fabs(operand.x);
    } else {
      return operand.x < T{0} ? Negate::of(operand) : operand.x;
    }
  }
};

template <typename Function>
Value evaluate_unary(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  return with_number_of(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> all = numbers<T>(e.operand(0));
    for (T& value : all)
      value = Function::of(Operand<T>{value, bits(type), type == ElementType::pred});
    return tensor_of(e.result(), all);
  });
}

// Of complex numbers their sizes.
template <typename Part>
Value complex_sizes(const Evaluation& e) {
  std::vector<Part> sizes;
  for (const std::complex<Part>& value : numbers<std::complex<Part>>(e.operand(0)))
    sizes.push_back(std::abs(value));
  return tensor_of(e.result(), sizes);
}

Value evaluate_abs(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  if (type == ElementType::c64) return complex_sizes<float>(e);
  if (type == ElementType::c128) return complex_sizes<double>(e);
  return with_number_of(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (is_complex_number<T>) {
      return Value{};
    } else {
      std::vector<T> all = numbers<T>(e.operand(0));
      for (T& value : all) value = Abs::of(Operand<T>{value, bits(type), false});
      return tensor_of(e.result(), all);
    }
  });
}

void verify_abs(OpCheck& c) {
  all_of_one_shape(c);
  c.require(knows_element(number_element, c.operand(0)) &&
                (is_complex(c.operand(0).element) || same_element(c.operand(0), c.result())),
            "the result has the element type of the operand, of complex numbers their parts'");
}

constexpr auto unary_records = std::to_array<OpRecord>({
    {.kind = OpKind::abs,
     .name = "abs",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::choice},
     .verify = verify_abs,
     .evaluate = alone<evaluate_abs>,
     .factors = elementwise_factors},
    {.kind = OpKind::cbrt,
     .name = "cbrt",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Cbrt>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::ceil,
     .name = "ceil",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::rounding, Trait::step},
     .verify = uniform<real_element>,
     .evaluate = alone<evaluate_unary<Ceil>>,
     .factors = elementwise_factors},
    {.kind = OpKind::cosine,
     .name = "cosine",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Cosine>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::count_leading_zeros,
     .name = "count_leading_zeros",
     .operands = {1, 1},
     .traits = {Trait::elementwise},
     .verify = uniform<integer_element>,
     .evaluate = alone<evaluate_unary<LeadingZeros>>,
     .factors = elementwise_factors},
    {.kind = OpKind::exponential,
     .name = "exponential",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Exp>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::exponential_minus_one,
     .name = "exponential_minus_one",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<ExpMinusOne>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::floor,
     .name = "floor",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::rounding, Trait::step},
     .verify = uniform<real_element>,
     .evaluate = alone<evaluate_unary<Floor>>,
     .factors = elementwise_factors},
    {.kind = OpKind::log,
     .name = "log",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Log>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::log_plus_one,
     .name = "log_plus_one",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<LogPlusOne>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::logistic,
     .name = "logistic",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Logistic>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::negate,
     .name = "negate",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::choice},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_unary<Negate>>,
     .factors = elementwise_factors},
    {.kind = OpKind::not_,
     .name = "not",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::bitwise},
     .verify = uniform<bitwise_element>,
     .evaluate = alone<evaluate_unary<Not>>,
     .factors = elementwise_factors},
    {.kind = OpKind::popcnt,
     .name = "popcnt",
     .operands = {1, 1},
     .traits = {Trait::elementwise},
     .verify = uniform<integer_element>,
     .evaluate = alone<evaluate_unary<PopulationCount>>,
     .factors = elementwise_factors},
    {.kind = OpKind::round_nearest_afz,
     .name = "round_nearest_afz",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::rounding, Trait::step},
     .verify = uniform<real_element>,
     .evaluate = alone<evaluate_unary<RoundAway>>,
     .factors = elementwise_factors},
    {.kind = OpKind::round_nearest_even,
     .name = "round_nearest_even",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::rounding, Trait::step},
     .verify = uniform<real_element>,
     .evaluate = alone<evaluate_unary<RoundEven>>,
     .factors = elementwise_factors},
    {.kind = OpKind::rsqrt,
     .name = "rsqrt",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Rsqrt>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::sign,
     .name = "sign",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::step},
     .verify = uniform<number_element>,
     .evaluate = alone<evaluate_unary<Sign>>,
     .factors = elementwise_factors},
    {.kind = OpKind::sine,
     .name = "sine",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Sine>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::sqrt,
     .name = "sqrt",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Sqrt>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::tan,
     .name = "tan",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Tan>>>,
     .factors = elementwise_factors},
    {.kind = OpKind::tanh,
     .name = "tanh",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::transcendental},
     .vhlo = {"", "result_accuracy"},
     .complete = complete_accuracy,
     .verify = uniform<inexact_element>,
     .evaluate = alone<evaluate_unary<Exact<Tanh>>>,
     .factors = elementwise_factors},
});

}  // namespace

std::span<const OpRecord> unary_ops() { return unary_records; }

}  // namespace trainyard::graph
