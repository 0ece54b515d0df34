#include "numerics/scan.h"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "numerics/alu.h"

namespace trainyard::numerics {

namespace {

struct Rows {
  const float *a, *b;
  float* out;
  std::size_t rows, stride, n;
  const float* states;
};

float one_nan(float x) { return x != x ? std::bit_cast<float>(0x7FC00000u) : x; }

// Any operators, one element after the other: the definition.
void scan_any(const Recurrence& how, const Rows& rows) {
  const auto step = [](AluOp op, float left, float right, bool reverse) {
    return reverse ? apply(op, right, left) : apply(op, left, right);
  };
  for (std::size_t r = 0; r < rows.rows; ++r) {
    float state = rows.states[r];
    for (std::size_t i = r * rows.stride; i < r * rows.stride + rows.n; ++i) {
      state = step(how.op0, rows.a[i], state, how.reverse0);
      state = step(how.op1, state, rows.b[i], how.reverse1);
      rows.out[i] = state;
    }
  }
}

// Operators through which a NaN stays a NaN, so that it is made the one quiet NaN where it is
// stored only.
struct Add {
  float operator()(float x, float y) const { return x + y; }
};
struct Multiply {
  float operator()(float x, float y) const { return x * y; }
};
struct Subtract {
  float operator()(float x, float y) const { return x - y; }
};
struct SubtractFrom {
  float operator()(float x, float y) const { return y - x; }
};

template <class First, class Second, std::size_t... k>
void scan_together(First first, Second second, const Rows& rows, std::size_t start,
                   std::index_sequence<k...>) {
  const float *a = rows.a + start * rows.stride, *b = rows.b + start * rows.stride;
  float* out = rows.out + start * rows.stride;
  std::array<float, sizeof...(k)> state{rows.states[start + k]...};
  for (std::size_t i = 0; i < rows.n; ++i) {
    ((state[k] = second(first(a[k * rows.stride + i], state[k]), b[k * rows.stride + i]),
      out[k * rows.stride + i] = one_nan(state[k])),
     ...);
  }
}

template <class First, class Second>
void scan_with(First first, Second second, const Rows& rows) {
  std::size_t start = 0;
  for (; start + scan_rows_together <= rows.rows; start += scan_rows_together)
    scan_together(first, second, rows, start, std::make_index_sequence<scan_rows_together>());
  for (; start < rows.rows; ++start)
    scan_together(first, second, rows, start, std::index_sequence<0>());
}

// f(the operator); false for one that has no such form.
template <class F>
bool with_operator(AluOp op, bool reverse, F&& f) {
  switch (op) {
    case AluOp::add: return f(Add());
    case AluOp::multiply: return f(Multiply());
    case AluOp::subtract: return reverse ? f(SubtractFrom()) : f(Subtract());
    default: return false;
  }
}

}  // namespace

void scan_rows(const Recurrence& how, const float* a, const float* b, float* out, std::size_t rows,
               std::size_t stride, std::size_t n, const float* states) {
  const Rows all{a, b, out, rows, stride, n, states};
  const bool done = with_operator(how.op0, how.reverse0, [&](auto first) {
    return with_operator(how.op1, how.reverse1, [&](auto second) {
      scan_with(first, second, all);
      return true;
    });
  });
  if (!done) scan_any(how, all);
}

}  // namespace trainyard::numerics
