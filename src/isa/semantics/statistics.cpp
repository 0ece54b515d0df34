#include "isa/semantics/statistics.h"

#include "numerics/alu.h"

namespace trainyard::isa::statistics {

namespace {

using numerics::AluOp;
using numerics::apply;  // for one NaN on every host

float add(float a, float b) { return apply(AluOp::add, a, b); }
float subtract(float a, float b) { return apply(AluOp::subtract, a, b); }
float multiply(float a, float b) { return apply(AluOp::multiply, a, b); }
float divide(float a, float b) { return apply(AluOp::divide, a, b); }
float square(float a) { return multiply(a, a); }

}  // namespace

Moments of(const float* x, std::size_t step, std::size_t count) {
  Moments moments;
  if (count == 0) return moments;
  moments.count = static_cast<float>(count);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum = add(sum, x[i * step]);
  moments.mean = divide(sum, moments.count);
  for (std::size_t i = 0; i < count; ++i)
    moments.squares = add(moments.squares, square(subtract(x[i * step], moments.mean)));
  return moments;
}

void store(const Moments& moments, float* out) {
  out[0] = moments.count;
  out[1] = moments.mean;
  out[2] = moments.squares;
}

std::array<float, 2> aggregate(const float* triples, std::size_t parts) {
  float count = 0, sum = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    count = add(count, triples[3 * i]);
    sum = add(sum, multiply(triples[3 * i], triples[3 * i + 1]));
  }
  const float mean = divide(sum, count);
  float squares = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    const float between = multiply(triples[3 * i], square(subtract(triples[3 * i + 1], mean)));
    squares = add(squares, add(triples[3 * i + 2], between));
  }
  return {mean, divide(squares, count)};
}

}  // namespace trainyard::isa::statistics
