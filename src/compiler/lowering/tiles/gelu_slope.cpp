#include "compiler/lowering/tiles/gelu_slope.h"

#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/scalar_tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::ActivationFunction;
using numerics::AluOp;

// gelu(x) = x s(z), where s is the logistic function and z = factor (x + curve x^3).
constexpr double curve = gelu_curve, factor = 2 * gelu_factor;
// Beyond it, s is 0 or 1 in float32, while products with x^3 would end as infinities.
constexpr double square_max = 1024;

}  // namespace

// s + x z' s (1 - s), where x z' = factor (x + 3 curve x^3) and s (1 - s) = 1/4 - (s - 1/2)^2.
void emit_gelu_tanh_slope(Emitter& emitter, const Tile& to, const Tile& x) {
  const TileMath math(emitter, x.partitions, x.free_elements());
  const auto fresh = [&] { return math.fresh(DType::float32); };
  const auto pair = [&](const Tile& dst, const Tile& data, AluOp first, double number, AluOp then,
                        const Tile& other) {
    emitter.emit(isa::ScalarTensorTensor{.dst = dst,
                                         .data = data,
                                         .op0 = first,
                                         .operand0 = {.constant = number},
                                         .op1 = then,
                                         .operand1 = other});
    return dst;
  };
  // (square + linear) x, as pairs that GpSimd multiplies, too.
  const auto cubic = [&](const Tile& square, double linear) {
    const Tile rising =
        math.scalar2(fresh(), square, AluOp::minimum, square_max, AluOp::add, linear);
    return math.tensor(fresh(), rising, AluOp::multiply, x);
  };
  const Tile square = math.apply(fresh(), ActivationFunction::square, x);
  const Tile inner = cubic(square, 1 / curve), steep = cubic(square, 1 / (3 * curve));
  const Tile share = math.apply(fresh(), ActivationFunction::sigmoid, inner, factor * curve);
  const Tile off = fresh();
  isa::Activation middle{
      .dst = off, .op = ActivationFunction::square, .data = share, .bias = {}, .reduce_res = {}};
  middle.bias.constant = -0.5;
  if (!emitter.core().features.activation_number_bias)
    middle.bias = {.tile = TileMath(emitter, x.partitions, 1).filled(DType::float32, -0.5)};
  emitter.emit(middle);
  const Tile bent = pair(fresh(), off, AluOp::subtract, 0.25, AluOp::multiply, steep);
  pair(to, bent, AluOp::multiply, -3 * curve * factor, AluOp::add, share);
}

}  // namespace trainyard::compiler
