// Tensors as MX blocks hold them.
#include <array>
#include <cstring>

#include "graph/evaluate/evaluator.h"
#include "graph/precision.h"
#include "graph/values.h"
#include "numerics/mx.h"

namespace trainyard::graph {

namespace {

constexpr std::size_t rows = numerics::mx_block_partitions, pack = numerics::mx_pack;
constexpr std::size_t block_elements = rows * pack;

// How a block_elements is made: on the machine by quantize_mx, or before, as OCP says.
struct Format {
  numerics::DType words = numerics::DType::float8_e4m3fn_x4;
  numerics::MxQuantizeRule rule{};
};
Format format_of(const Op& op) {
  if (op.find("format") == nullptr) return {};
  const bool is_fp4 = operand_format(op.text("format")).element == ElementType::f4e2m1fn;
  return {.words = is_fp4 ? numerics::DType::float4_e2m1fn_x4 : numerics::DType::float8_e4m3fn_x4,
          .rule = {.scale = numerics::MxScale::ocp}};
}

struct Block {
  std::array<std::byte, rows * sizeof(std::uint32_t)> words{};  // one after the other
  std::uint8_t scale = 0;
};

Block quantised(const std::array<float, block_elements>& values, const Format& format) {
  Block made;
  std::uint8_t* const scale = &made.scale;
  numerics::quantize_mx(
      {reinterpret_cast<const std::byte*>(values.data()),
       static_cast<std::ptrdiff_t>(pack * sizeof(float)), numerics::DType::float32},
      rows, pack,
      {made.words.data(), static_cast<std::ptrdiff_t>(numerics::size_in_bytes(format.words)),
       format.words},
      {&scale, 1}, format.rule);
  return made;
}

void round_block(std::array<float, block_elements>& values, const Format& format) {
  const Block made = quantised(values, format);
  const std::uint8_t* const scale = &made.scale;
  numerics::dequantize_mx(
      {made.words.data(), static_cast<std::ptrdiff_t>(numerics::size_in_bytes(format.words)),
       format.words},
      {&scale, 1}, rows, pack, values.data(), pack);
}

// Calls `action` with the place of each block_elements's first number.
template <typename F>
void for_each_block(std::size_t elements, std::size_t size, std::size_t step, F&& action) {
  for (std::size_t outer = 0; outer < elements; outer += size * step) {
    for (std::size_t at = 0; at < size * step; at += block_elements * step) {
      for (std::size_t inner = 0; inner < step; ++inner) action(outer + at + inner);
    }
  }
}

}  // namespace

Value mx_rounded(const Evaluation& e) {
  const Format format = format_of(e.op);
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  const Shape& shape = e.operand(0).shape();
  std::vector<float> all = numbers<float>(e.operand(0));
  const auto step = static_cast<std::size_t>(row_major_steps(shape).at(dimension));
  const auto size = static_cast<std::size_t>(shape[dimension]);
  e.require(size % block_elements == 0, "whole blocks of 32");
  if (e.operand(0).type.element == ElementType::f32 && e.op.find("format") == nullptr) {
    for (float& value : all)
      value = static_cast<float>(
          float_value(ElementType::bf16, float_pattern(ElementType::bf16, value)));
  }
  std::array<float, block_elements> values{};
  for_each_block(all.size(), size, step, [&](std::size_t first) {
    for (std::size_t i = 0; i < block_elements; ++i) values[i] = all[first + i * step];
    round_block(values, format);
    for (std::size_t i = 0; i < block_elements; ++i) all[first + i * step] = values[i];
  });
  return tensor_of(e.result(), all);
}

std::vector<Value> mx_words(const Evaluation& e) {
  const Format format = format_of(e.op);
  const Shape& shape = e.operand(0).shape();
  e.require(shape.size() == 2 && static_cast<std::size_t>(shape[0]) % block_elements == 0,
            "a matrix of whole blocks of 32");
  const std::vector<float> all = numbers<float>(e.operand(0));
  const auto columns = static_cast<std::size_t>(shape[1]);
  const auto bytes = static_cast<std::size_t>(numerics::size_in_bytes(format.words));
  Content words(all.size() / pack * bytes), scales(all.size() / block_elements);
  std::array<float, block_elements> values{};
  for_each_block(all.size(), static_cast<std::size_t>(shape[0]), columns, [&](std::size_t first) {
    for (std::size_t i = 0; i < block_elements; ++i) values[i] = all[first + i * columns];
    const Block made = quantised(values, format);
    const std::size_t row = first / columns, column = first % columns;
    for (std::size_t i = 0; i < rows; ++i)
      std::memcpy(words.data() + ((row / pack + i) * columns + column) * bytes,
                  made.words.data() + i * bytes, bytes);
    scales[row / block_elements * columns + column] = static_cast<std::byte>(made.scale);
  });
  return {make_value(e.results.at(0), std::move(words)),
          make_value(e.results.at(1), std::move(scales))};
}

}  // namespace trainyard::graph
