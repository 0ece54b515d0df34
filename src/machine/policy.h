// Undocumented behaviour of a core's arithmetic and memories as named choices, so that a result can
// say on which choice it leaned and be repeated with another.
#pragma once

#include <cstdint>

namespace trainyard::machine {

enum class Denormals : std::uint8_t { keep, flush };
enum class Saturation : std::uint8_t { saturate, infinity };
enum class MxScaleRule : std::uint8_t {
  nki_0_5,
  ocp
};  // the ocp rule is the one of NKI before 0.5
enum class Rounding : std::uint8_t { nearest_even, stochastic };
enum class IntegerRounding : std::uint8_t { nearest_even, toward_zero };
// What the searches of eight values do with absent and repeated ones, by release of NKI.
enum class SearchRule : std::uint8_t { nki_0_6, nki_0_5 };
enum class DmaArbitration : std::uint8_t {
  round_robin,
  strict_priority,
  weighted,  // traffic classes with shares: dma.class_share_0 to 3
};
enum class PsumCollision : std::uint8_t { serialise, fault };
// What an SBUF tensor holds before it is written.
enum class Unwritten : std::uint8_t {
  stale,  // what lay at its address
  zero,   // nothing, as though no other tensor had been there
};
// What bfloat16 and FP8 tensors hold.
enum class LowPrecision : std::uint8_t {
  stored,   // what their format can
  float32,  // float32 values beside the stored ones: no cast between floats rounds
};
enum class ActivationAccuracy : std::uint8_t { exact, documented_tables };

struct Policy {
  Denormals denormals = Denormals::keep;
  std::int64_t canonical_nan = 0;              // FP32 bits
  std::int64_t accumulator_mantissa_bits = 0;  // of the tensor engine's running sum
  bool mx_products_exact =
      false;  // the four products of a PE are summed exactly, then rounded once
  MxScaleRule mx_scale_rule = MxScaleRule::nki_0_5;
  Saturation quantize_overflow = Saturation::saturate;
  Saturation cast_overflow =
      Saturation::infinity;  // casts to float8_e4m3 and float8_e5m2 outside quantize_mx
  Rounding cast_rounding = Rounding::nearest_even;  // of engines' results, integers aside
  Rounding psum_rounding = Rounding::nearest_even;
  IntegerRounding integer_rounding = IntegerRounding::nearest_even;
  SearchRule search_rule = SearchRule::nki_0_6;
  bool nan_to_integer_zero = false;
  bool fp4_exact_in_fp8 = false;  // MXFP4 enters the array as its exact values
  std::int64_t stochastic_rounding_seed = 0;
  bool xorwow_marsaglia = false;  // seeding by splitmix32(seed, lane) into Marsaglia's xorwow
  ActivationAccuracy activation = ActivationAccuracy::exact;
  bool loadable_vector_tables = false;  // "loadable DVE" effects
  DmaArbitration dma_arbitration = DmaArbitration::round_robin;
  PsumCollision psum_collision = PsumCollision::serialise;
  Unwritten unwritten = Unwritten::stale;
  LowPrecision low_precision = LowPrecision::stored;
};

}  // namespace trainyard::machine
