// The operations of StableHLO; what each is stands in its record (graph/ops). Source: StableHLO
// specification 1.20, "Ops".
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace trainyard::graph {

enum class OpKind : std::uint8_t {
  abs,
  add,
  after_all,
  all_gather,
  all_reduce,
  all_to_all,
  and_,
  async_done,
  async_start,
  atan2,
  batch_norm_grad,
  batch_norm_inference,
  batch_norm_training,
  bitcast_convert,
  broadcast,
  broadcast_in_dim,
  call,
  case_,
  cbrt,
  ceil,
  cholesky,
  clamp,
  collective_broadcast,
  collective_permute,
  collective_reduce,
  compare,
  complex,
  composite,
  concatenate,
  constant,
  convert,
  convolution,
  cosine,
  count_leading_zeros,
  create_token,
  cross_replica_sum,
  custom_call,
  divide,
  dot,
  dot_general,
  dynamic_broadcast_in_dim,
  dynamic_conv,
  dynamic_gather,
  dynamic_iota,
  dynamic_pad,
  dynamic_reshape,
  dynamic_slice,
  dynamic_update_slice,
  einsum,
  exponential,
  exponential_minus_one,
  fft,
  floor,
  gather,
  get_dimension_size,
  get_tuple_element,
  if_,
  imag,
  infeed,
  iota,
  is_finite,
  log,
  log_plus_one,
  logistic,
  map,
  maximum,
  minimum,
  multiply,
  negate,
  not_,
  optimization_barrier,
  or_,
  outfeed,
  pad,
  partition_id,
  popcnt,
  power,
  real,
  real_dynamic_slice,
  recv,
  reduce,
  reduce_precision,
  reduce_scatter,
  reduce_window,
  remainder,
  replica_id,
  reshape,
  return_,
  reverse,
  rng,
  rng_bit_generator,
  round_nearest_afz,
  round_nearest_even,
  rsqrt,
  scatter,
  select,
  select_and_scatter,
  send,
  set_dimension_size,
  shift_left,
  shift_right_arithmetic,
  shift_right_logical,
  sign,
  sine,
  slice,
  sort,
  sqrt,
  subtract,
  tan,
  tanh,
  torch_index_select,
  transpose,
  triangular_solve,
  tuple,
  unary_einsum,
  uniform_dequantize,
  uniform_quantize,
  while_,
  xor_,
};
inline constexpr int op_kind_count = static_cast<int>(OpKind::xor_) + 1;

// What passes ask of an operation without knowing which it is.
enum class Trait : std::uint8_t {
  elementwise,  // an element of the result comes of those in the same place
  fold,         // of two values, in any order: what reductions apply
  idempotent,   // a fold that may take a value twice
  bitwise,
  choice,          // an operand of the same place, signs and formats apart
  transcendental,  // computed to an accuracy, not exactly
  rounding,        // to an integer
  step,            // a small change of an operand may be a large one of the result
  move,            // elements of the result are elements of the operands
  arrange,         // a move of one operand, to places that are known
  created,         // of no operand
  product,         // sums of products
  collective,
  control,       // regions say what happens
  host,          // exchanges values with the host
  keeps_format,  // the formats of its operands are part of its meaning
};
class Traits {
 public:
  constexpr Traits() = default;
  constexpr Traits(std::initializer_list<Trait> traits) {
    for (const Trait trait : traits) bits_ |= 1U << static_cast<unsigned>(trait);
  }
  [[nodiscard]] constexpr bool has(Trait trait) const {
    return (bits_ >> static_cast<unsigned>(trait) & 1U) != 0;
  }

 private:
  std::uint32_t bits_ = 0;
};

[[nodiscard]] bool is(OpKind kind, Trait trait);
[[nodiscard]] std::string_view name(OpKind kind);  // "dot_general"
[[nodiscard]] std::optional<OpKind> op_kind_from_name(std::string_view name);

}  // namespace trainyard::graph
