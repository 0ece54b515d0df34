// QuantizeMX. Sources: AWS Neuron SDK, error pages NCC_EVRF036 to 042, 057 and 058 (operand,
// configuration, types); OCP Microscaling Formats 1.0, 6.3 (the conversion).
#include "graph/custom_calls/mx.h"

namespace trainyard::graph::custom_calls {

namespace {

// All dimensions but that part, then it.
Dimensions part_last(std::size_t rank, std::size_t dimension) {
  Dimensions order = but_part(rank + 1, dimension);
  order.push_back(dimension + 1);
  return order;
}

std::string quantize_text(const Type& x, const Type& scale, std::size_t dimension,
                          const Format& format) {
  constexpr ElementType wide = ElementType::f32, word = ElementType::s32;
  const Shape blocks = with_parts(x.shape, dimension, mx_block);
  const Shape scales = divided(x.shape, dimension, mx_block);
  const Dimensions kept = but_part(blocks.size(), dimension);
  const bool as_bytes = scale.element == ElementType::u8;
  return filled(
      R"(func.func @"$NAME"(%x: $X) -> ($PACKED, $SCALE) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %exponent_bits = stablehlo.constant dense<23> : $WORDS
  %largest_exponent = stablehlo.constant dense<$EMAX> : $WORDS
  %none = stablehlo.constant dense<0> : $WORDS
  %not_a_number = stablehlo.constant dense<255> : $WORDS
  %one_over = stablehlo.constant dense<254> : $WORDS
  %limit = stablehlo.constant dense<$LARGEST> : $BLOCKS
  %minus_limit = stablehlo.constant dense<-$LARGEST> : $BLOCKS
  %wide = stablehlo.convert %x : ($X) -> $WIDE
  %blocks = stablehlo.reshape %wide : ($WIDE) -> $BLOCKS
  %magnitudes = stablehlo.abs %blocks : $BLOCKS
  %largest = stablehlo.reduce(%magnitudes init: %zero) applies stablehlo.maximum across dimensions = [$INNER] : ($BLOCKS, tensor<f32>) -> $LARGEST_ONES
  %bits = stablehlo.bitcast_convert %largest : ($LARGEST_ONES) -> $WORDS
  %exponents = stablehlo.shift_right_logical %bits, %exponent_bits : $WORDS
  %lowered = stablehlo.subtract %exponents, %largest_exponent : $WORDS
  %biased = stablehlo.maximum %lowered, %none : $WORDS
  %is_special = stablehlo.compare EQ, %exponents, %not_a_number, SIGNED : ($WORDS, $WORDS) -> $TRUTHS
  %codes = stablehlo.select %is_special, %not_a_number, %biased : $TRUTHS, $WORDS
  %inverse_exponents = stablehlo.subtract %one_over, %biased : $WORDS
  %inverse_bits = stablehlo.shift_left %inverse_exponents, %exponent_bits : $WORDS
  %inverses = stablehlo.bitcast_convert %inverse_bits : ($WORDS) -> $LARGEST_ONES
  %factors = stablehlo.broadcast_in_dim %inverses, dims = [$KEPT] : ($LARGEST_ONES) -> $BLOCKS
  %scaled = stablehlo.multiply %blocks, %factors : $BLOCKS
  %within = stablehlo.clamp %minus_limit, %scaled, %limit : $BLOCKS
  %elements = stablehlo.convert %within : ($BLOCKS) -> $ELEMENTS
  %groups = stablehlo.reshape %elements : ($ELEMENTS) -> $GROUPS
  %turned = stablehlo.transpose %groups, dims = [$TURN] : ($GROUPS) -> $TURNED
  %packed = stablehlo.bitcast_convert %turned : ($TURNED) -> $PACKED
  %bytes = stablehlo.convert %codes : ($WORDS) -> $BYTES
  %scales = stablehlo.$AS_SCALE %bytes : ($BYTES) -> $SCALE
  return %packed, %scales : $PACKED, $SCALE
}
)",
      {{"$EMAX", std::to_string(format.largest_exponent)},
       {"$LARGEST_ONES", tensor(scales, wide)},
       {"$LARGEST", std::string(format.largest)},
       {"$X", to_string(x)},
       {"$WIDE", tensor(x.shape, wide)},
       {"$BLOCKS", tensor(blocks, wide)},
       {"$INNER", std::to_string(dimension + 1)},
       {"$WORDS", tensor(scales, word)},
       {"$TRUTHS", tensor(scales, ElementType::pred)},
       {"$KEPT", listed(kept)},
       {"$ELEMENTS", tensor(blocks, format.type)},
       {"$GROUPS", tensor(with_parts(x.shape, dimension, mx_pack), format.type)},
       {"$TURNED", tensor(with_last(divided(x.shape, dimension, mx_pack), mx_pack), format.type)},
       {"$TURN", listed(part_last(x.shape.size(), dimension))},
       {"$PACKED", tensor(divided(x.shape, dimension, mx_pack), ElementType::u32)},
       {"$BYTES", tensor(scales, ElementType::u8)},
       {"$SCALE", to_string(scale)},
       {"$AS_SCALE", as_bytes ? "convert" : "bitcast_convert"}});
}

}  // namespace

Expansion quantize_mx(const Call& call) {
  const json config = json::parse(call.config, nullptr, false);
  if (!config.is_object()) return misfit("NCC_EVRF036: a backend_config that is not a JSON object");
  if (call.operands.size() != 1) return misfit("NCC_EVRF037: not one operand");
  if (call.results.size() != 2) return misfit("NCC_EVRF057: not two results");
  const Type &x = call.operands[0], &packed = call.results[0], &scale = call.results[1];
  const auto rank = static_cast<std::int64_t>(x.shape.size());
  const json given = config.value("dim", json(0));
  std::int64_t dimension = given.is_number_integer() ? given.get<std::int64_t>() : rank;
  if (dimension < 0) dimension += rank;
  if (dimension < 0 || dimension >= rank || dimension < rank - 2)
    return misfit("NCC_EVRF038: a dim that is neither the last dimension nor the one before it");
  if (config.value("block_size", json(mx_block)) != json(mx_block))
    return misfit("NCC_EVRF039: a block_size other than 32");
  if (config.value("scale_method", json("EMAX")) != json("EMAX"))
    return misfit("NCC_EVRF040: a scale_method but EMAX");
  const Format* const format = format_of(config, "dtype", "");
  if (format == nullptr)
    return misfit("NCC_EVRF042: a dtype that is neither float8_e5m2 nor float8_e4m3fn");
  if (x.element != ElementType::bf16 && x.element != ElementType::f16)
    return misfit("NCC_EVRF041: an input that is neither bfloat16 nor float16");
  const auto at = static_cast<std::size_t>(dimension);
  if (x.shape[at] % mx_pack != 0)
    return misfit("NCC_EVRF058: a dimension that does not divide into words of four elements");
  if (x.shape[at] % mx_block != 0)
    return misfit("a dimension that does not divide into blocks of 32");
  if (packed.element != ElementType::u32 || packed.shape != divided(x.shape, at, mx_pack) ||
      !is_scale(scale) || scale.shape != divided(x.shape, at, mx_block))
    return misfit(
        "NCC_EVRF042: results that are not ui32 of a fourth, and bytes of a 32nd, of the "
        "dimension");
  return {.text = quantize_text(x, scale, at, *format), .problem = {}};
}

}  // namespace trainyard::graph::custom_calls
