// Tensors as MX blocks hold them.
#include <array>

#include "graph/evaluate/evaluator.h"
#include "graph/values.h"
#include "numerics/mx.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t block = numerics::mx_block_partitions * numerics::mx_pack;

// A block of 32 numbers rounded to MXFP8, as quantize_mx does it.
void round_block(std::array<float, block>& values) {
  constexpr std::size_t rows = numerics::mx_block_partitions, pack = numerics::mx_pack;
  std::array<std::uint32_t, rows> words{};
  std::uint8_t scale = 0;
  std::uint8_t* const written = &scale;
  const std::uint8_t* const read = &scale;
  const numerics::ConstRows source{reinterpret_cast<const std::byte*>(values.data()),
                                   static_cast<std::ptrdiff_t>(pack * sizeof(float)),
                                   numerics::DType::float32};
  const numerics::Rows data{reinterpret_cast<std::byte*>(words.data()), sizeof(std::uint32_t),
                            numerics::DType::float8_e4m3fn_x4};
  numerics::quantize_mx(source, rows, pack, data, {&written, 1});
  numerics::dequantize_mx({data.data, data.stride, data.dtype}, {&read, 1}, rows, pack,
                          values.data(), pack);
}

}  // namespace

Value mx_rounded(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  const Shape& shape = e.operand(0).shape();
  std::vector<float> all = numbers<float>(e.operand(0));
  const auto step = static_cast<std::size_t>(row_major_steps(shape).at(dimension));
  const auto size = static_cast<std::size_t>(shape[dimension]);
  e.require(size % block == 0, "whole blocks of 32");
  if (e.operand(0).type.element == ElementType::f32) {
    for (float& value : all)
      value = static_cast<float>(
          float_value(ElementType::bf16, float_pattern(ElementType::bf16, value)));
  }
  std::array<float, block> values{};
  for (std::size_t outer = 0; outer < all.size(); outer += size * step) {
    for (std::size_t at = 0; at < size * step; at += block * step) {
      for (std::size_t inner = 0; inner < step; ++inner) {
        float* const first = all.data() + outer + at + inner;
        for (std::size_t i = 0; i < block; ++i) values[i] = first[i * step];
        round_block(values);
        for (std::size_t i = 0; i < block; ++i) first[i * step] = values[i];
      }
    }
  }
  return tensor_of(e.result(), all);
}

}  // namespace trainyard::graph
