#include "compiler/lowering/tiles/tile_math.h"

#include "isa/instructions/activation.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/select_reduce.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_copy_predicated.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using isa::DType;

isa::Scalar number(double value) { return {.constant = value}; }

}  // namespace

isa::Tile TileMath::filled(DType dtype, double value) const {
  const isa::Tile column = emitter_.sbuf(dtype, partitions_, 1);
  emitter_.emit(isa::Memset{.dst = column, .value = value});
  return repeated(column, elements_);
}

isa::Tile TileMath::tensor(isa::Tile dst, const isa::Tile& a, AluOp op, const isa::Tile& b,
                           isa::Engine engine) const {
  const bool both_psum = a.space == isa::Space::psum && b.space == isa::Space::psum;
  const isa::Tile other = both_psum ? copy(fresh(b.dtype), b) : b;  // one of them at most
  emitter_.emit(isa::TensorTensor{.dst = dst, .data1 = a, .data2 = other, .op = op}, engine);
  return dst;
}

isa::Tile TileMath::scalar(isa::Tile dst, const isa::Tile& a, AluOp op, double value,
                           bool reverse) const {
  emitter_.emit(isa::TensorScalar{
      .dst = dst, .data = a, .op0 = op, .operand0 = number(value), .reverse0 = reverse});
  return dst;
}

isa::Tile TileMath::column(isa::Tile dst, const isa::Tile& a, AluOp op, const isa::Tile& column,
                           bool reverse) const {
  isa::Tile one = column;
  one.rank = 1;
  one.dims[0] = {1, 1};
  emitter_.emit(isa::TensorScalar{
      .dst = dst, .data = a, .op0 = op, .operand0 = {.tile = one}, .reverse0 = reverse});
  return dst;
}

isa::Tile TileMath::scalar2(isa::Tile dst, const isa::Tile& a, AluOp op0, double first, AluOp op1,
                            double second) const {
  emitter_.emit(isa::TensorScalar{.dst = dst,
                                  .data = a,
                                  .op0 = op0,
                                  .operand0 = number(first),
                                  .op1 = op1,
                                  .operand1 = number(second)});
  return dst;
}

isa::Tile TileMath::apply(isa::Tile dst, Function function, const isa::Tile& a,
                          double scale) const {
  emitter_.emit(isa::Activation{
      .dst = dst, .op = function, .data = a, .bias = {}, .scale = number(scale), .reduce_res = {}});
  return dst;
}

isa::Tile TileMath::copy(isa::Tile dst, const isa::Tile& a, isa::Engine engine) const {
  emitter_.emit(isa::TensorCopy{.dst = dst, .src = a}, engine);
  return dst;
}

// Scalar has it among its operators, at the rate of copies, where Vector's own instruction takes
// eight cycles an element: of a few elements the latter is as quick, and its result sooner there.
isa::Tile TileMath::reciprocal(isa::Tile dst, const isa::Tile& a) const {
  constexpr std::int64_t elements_min = 128;
  if (emitter_.core().features.scalar_tensor_ops && dst.free_elements() >= elements_min) {
    isa::TensorScalar made;
    made.dst = dst;
    made.data = a;
    made.op0 = AluOp::reciprocal;
    emitter_.emit(made, isa::Engine::scalar);
  } else {
    emitter_.emit(isa::Reciprocal{.dst = dst, .data = a});
  }
  return dst;
}

isa::Tile TileMath::put(isa::Tile dst, const isa::Tile& a, const isa::Tile& mask) const {
  emitter_.emit(isa::TensorCopyPredicated{.dst = dst, .src = {.tile = a}, .predicate = mask});
  return dst;
}

isa::Tile TileMath::put(isa::Tile dst, const isa::Tile& a, const isa::Tile& mask, double elsewhere,
                        bool reverse) const {
  emitter_.emit(isa::SelectReduce{.dst = dst,
                                  .predicate = mask,
                                  .on_true = a,
                                  .on_false = number(elsewhere),
                                  .reduce_res = {},
                                  .reverse_pred = reverse});
  return dst;
}

isa::Tile TileMath::total_order(const isa::Tile& a) const {
  isa::Tile bits = copy(f32(), a);
  bits.dtype = DType::int32;
  const isa::Tile sign = scalar(fresh(DType::int32), bits, AluOp::right_shift, 31);
  const isa::Tile others =
      tensor(fresh(DType::int32), sign, AluOp::multiply, filled(DType::int32, 0x7FFFFFFF));
  return tensor(fresh(DType::int32), bits, AluOp::bitwise_xor, others);
}

// The cast to int32 rounds halves to even. From 2^23 on a float32 has no fraction, and int32 may
// not hold it.
isa::Tile TileMath::rounded(const isa::Tile& a) const {
  const isa::Tile result = copy(f32(), a);
  const isa::Tile nearest = copy(f32(), copy(fresh(DType::int32), a));
  const isa::Tile small = scalar(f32(), apply(f32(), Function::abs, a), AluOp::less, 0x1p23);
  return put(result, nearest, copy(fresh(DType::uint8), small));
}

isa::Tile TileMath::floor(const isa::Tile& a) const {
  const isa::Tile nearest = rounded(a);
  return tensor(f32(), nearest, AluOp::subtract, tensor(f32(), nearest, AluOp::greater, a));
}

isa::Tile TileMath::ceil(const isa::Tile& a) const {
  const isa::Tile nearest = rounded(a);
  return tensor(f32(), nearest, AluOp::add, tensor(f32(), nearest, AluOp::less, a));
}

isa::Tile TileMath::truncated(const isa::Tile& a) const {
  const isa::Tile size = floor(apply(f32(), Function::abs, a));
  return tensor(f32(), size, AluOp::multiply, apply(f32(), Function::sign, a));
}

// 2 t / (1 - t) with t = tanh(a / 2) keeps its digits near 0; exp(a) - 1 from 1 on, where t
// nears 1.
isa::Tile TileMath::exponential_minus_one(const isa::Tile& a) const {
  const isa::Tile t = apply(f32(), Function::tanh, a, 0.5);
  const isa::Tile rest = scalar2(f32(), t, AluOp::multiply, -1, AluOp::add, 1);
  const isa::Tile near =
      tensor(f32(), scalar(f32(), t, AluOp::multiply, 2), AluOp::multiply, reciprocal(f32(), rest));
  const isa::Tile result = scalar(f32(), apply(f32(), Function::exp, a), AluOp::subtract, 1);
  return put(result, near, scalar(fresh(DType::uint8), a, AluOp::less, 1));
}

// log(u) a / (u - 1) with u = 1 + a makes up for what the sum lost; a where the sum lost all of it,
// log(u) where it lost nothing that counts.
isa::Tile TileMath::log_plus_one(const isa::Tile& any) const {
  const isa::Tile a = any.dtype == DType::float32 ? any : copy(f32(), any);
  const isa::Tile u = scalar(f32(), a, AluOp::add, 1);
  const isa::Tile result = apply(f32(), Function::log, u);
  const isa::Tile lost = scalar(f32(), u, AluOp::subtract, 1);
  const isa::Tile near = tensor(f32(), tensor(f32(), result, AluOp::multiply, a), AluOp::multiply,
                                reciprocal(f32(), lost));
  const isa::Tile small =
      scalar(fresh(DType::uint8), apply(f32(), Function::abs, a), AluOp::less, 0.5);
  put(result, near, small);
  return put(result, a, scalar(fresh(DType::uint8), lost, AluOp::equal, 0));
}

}  // namespace trainyard::compiler
