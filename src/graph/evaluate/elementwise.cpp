// Operations on each element by itself: arithmetic, comparison, selection, logic.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/functions.h"

namespace trainyard::graph {

namespace {

// Integers of `width` bits in 64: what lies above is cut off by the store.
std::uint64_t low_bits(std::uint64_t value, int width) {
  return width == 64 ? value : value & ((1ull << width) - 1);
}

template <typename T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) {
      return static_cast<T>(0 - static_cast<std::uint64_t>(a));
    }
  }
  return a / b;
}

template <typename T>
T remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return a % b;
  } else if constexpr (is_complex_number<T>) {
    return a;
  } else {
    return std::fmod(a, b);
  }
}

template <typename T>
T integer_power(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return (exponent & 1) != 0 ? -1 : 1;
      return 0;
    }
  }
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left > 0; left >>= 1) {
    if ((left & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

template <typename T>
T power(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    return integer_power(base, exponent);
  } else if constexpr (is_complex_number<T>) {
    return complex_power(base, exponent);
  } else {
    return static_cast<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
}

template <typename T>
T arc_tangent(T y, T x) {
  if constexpr (is_complex_number<T>) {
    const T i(0, 1);
    return -i * std::log((x + i * y) / std::sqrt(x * x + y * y));
  } else {
    return static_cast<T>(std::atan2(static_cast<double>(y), static_cast<double>(x)));
  }
}

struct Shifts {
  int width;

  template <typename T>
  T operator()(OpKind kind, T a, T b) const {
    const std::uint64_t amount = low_bits(static_cast<std::uint64_t>(b), width);
    const bool all = amount >= static_cast<std::uint64_t>(width);
    const std::uint64_t word = static_cast<std::uint64_t>(a);
    if (kind == OpKind::shift_left) return all ? T{0} : static_cast<T>(word << amount);
    if (kind == OpKind::shift_right_logical) {
      return all ? T{0} : static_cast<T>(low_bits(word, width) >> amount);
    }
    const auto top = static_cast<std::int64_t>(word << (64 - width)) >> (64 - width);
    return static_cast<T>(top >> (all ? width - 1 : static_cast<int>(amount)));
  }
};

template <typename T>
T binary(OpKind kind, T a, T b, int width, bool boolean) {
  switch (kind) {
    case OpKind::add:
      if (boolean) return a != T{} || b != T{} ? T(1) : T{};
      return fold(kind, a, b);
    case OpKind::multiply:
    case OpKind::maximum:
    case OpKind::minimum: return fold(kind, a, b);
    case OpKind::subtract:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
      } else {
        return a - b;
      }
    case OpKind::divide: return divide(a, b);
    case OpKind::remainder: return remainder(a, b);
    case OpKind::power: return power(a, b);
    case OpKind::atan2: return arc_tangent(a, b);
    default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (kind) {
      case OpKind::and_: return a & b;
      case OpKind::or_: return a | b;
      case OpKind::xor_: return a ^ b;
      default: return Shifts{width}(kind, a, b);
    }
  }
  return a;
}

bool is_binary(OpKind kind) {
  switch (kind) {
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::divide:
    case OpKind::remainder:
    case OpKind::power:
    case OpKind::atan2:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::xor_:
    case OpKind::shift_left:
    case OpKind::shift_right_arithmetic:
    case OpKind::shift_right_logical: return true;
    default: return false;
  }
}

// Complex numbers order by real part, then by imaginary part (XLA's rule for maximum and minimum).
template <typename T>
T lexicographic(OpKind kind, T a, T b) {
  if (std::isnan(a.real()) || std::isnan(a.imag())) return a;
  if (std::isnan(b.real()) || std::isnan(b.imag())) return b;
  const bool less = a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  return less == (kind == OpKind::minimum) ? a : b;
}

Value evaluate_binary(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  e.require(e.operand(1).type.element == type && e.operand(0).shape() == e.operand(1).shape(),
            "both operands have one type");
  return with_number_of(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> a = numbers<T>(e.operand(0));
    const std::vector<T> b = numbers<T>(e.operand(1));
    const int width = bits(type);
    const bool boolean = type == ElementType::pred;
    const OpKind kind = e.op.kind;
    if constexpr (is_complex_number<T>) {
      if (kind == OpKind::maximum || kind == OpKind::minimum) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = lexicographic(kind, a[i], b[i]);
        return tensor_of(e.result(), a);
      }
    }
    if (kind == OpKind::add && !boolean) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = fold(OpKind::add, a[i], b[i]);
    } else if (kind == OpKind::multiply) {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = fold(OpKind::multiply, a[i], b[i]);
    } else {
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = binary(kind, a[i], b[i], width, boolean);
    }
    return tensor_of(e.result(), a);
  });
}

template <typename T>
bool compare(std::string_view direction, T a, T b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if constexpr (is_complex_number<T>) {
    return false;
  } else {
    if (direction == "GE") return a >= b;
    if (direction == "GT") return a > b;
    if (direction == "LE") return a <= b;
    return a < b;
  }
}

Value evaluate_compare(const Evaluation& e) {
  const std::string& direction = e.op.text("comparison_direction");
  const Attribute* const type = e.op.find("compare_type");
  const bool total =
      type != nullptr && type->value == decltype(type->value)(std::string("TOTALORDER"));
  e.require(e.operand(0).type == e.operand(1).type, "both operands have one type");
  return with_number_of(e.operand(0).type.element, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> a = numbers<T>(e.operand(0)), b = numbers<T>(e.operand(1));
    std::vector<std::uint64_t> holds(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        if (total) {
          holds[i] = compare(direction, total_order(static_cast<double>(a[i])),
                             total_order(static_cast<double>(b[i])));
          continue;
        }
      }
      holds[i] = compare(direction, a[i], b[i]);
    }
    return tensor_of(e.result(), holds);
  });
}

Value evaluate_select(const Evaluation& e) {
  const Value &pred = e.operand(0), &yes = e.operand(1), &no = e.operand(2);
  e.require(yes.type == no.type, "both choices have one type");
  if (pred.type.rank() == 0) return truth_of(pred) ? yes : no;
  e.require(pred.shape() == yes.shape(), "the predicate has the shape of the choices");
  const auto size = static_cast<std::size_t>(size_in_bytes(yes.type.element));
  Content bytes = *no.bytes;
  for (std::size_t i = 0; i < pred.bytes->size(); ++i) {
    if ((*pred.bytes)[i] != std::byte{0}) {
      std::memcpy(bytes.data() + i * size, yes.bytes->data() + i * size, size);
    }
  }
  return make_value(e.result(), std::move(bytes));
}

Value evaluate_clamp(const Evaluation& e) {
  return with_number_of(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> low = numbers<T>(e.operand(0)), high = numbers<T>(e.operand(2));
    std::vector<T> all = numbers<T>(e.operand(1));
    if constexpr (!is_complex_number<T>) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const T least = low[low.size() == 1 ? 0 : i], most = high[high.size() == 1 ? 0 : i];
        all[i] = fold(OpKind::minimum, fold(OpKind::maximum, all[i], least), most);
      }
    }
    return tensor_of(e.result(), all);
  });
}

Value evaluate_unary(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  return with_number_of(type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> all = numbers<T>(e.operand(0));
    const OpKind kind = e.op.kind;
    if constexpr (is_complex_number<T>) {
      if (kind == OpKind::abs) {
        std::vector<typename T::value_type> sizes;
        for (const T& value : all) sizes.push_back(std::abs(value));
        return tensor_of(e.result(), sizes);
      }
    }
    for (T& value : all) value = unary(kind, value, bits(type), type == ElementType::pred);
    return tensor_of(e.result(), all);
  });
}

Value evaluate_is_finite(const Evaluation& e) {
  std::vector<std::uint64_t> finite;
  for (const double value : numbers<double>(e.operand(0))) finite.push_back(std::isfinite(value));
  return tensor_of(e.result(), finite);
}

}  // namespace

Results evaluate_elementwise(const Evaluation& e) {
  using V = std::vector<Value>;
  if (is_binary(e.op.kind)) return V{evaluate_binary(e)};
  if (is_unary(e.op.kind)) return V{evaluate_unary(e)};
  switch (e.op.kind) {
    case OpKind::compare: return V{evaluate_compare(e)};
    case OpKind::select: return V{evaluate_select(e)};
    case OpKind::clamp: return V{evaluate_clamp(e)};
    case OpKind::is_finite: return V{evaluate_is_finite(e)};
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
