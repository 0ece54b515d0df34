// Attention as frameworks write it: softmax(scale * queries keys, masked) values, also with a bias
// or a cap of the scores, found in a tensor program and made one operation. It chooses no
// instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/patterns/diagonal_mask.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Operands: queries, keys, values, and a limit where the shape has one. Where a gradient needs them
// there are two more results in float32: of each query the logarithm of the sum of its scores'
// exponentials, [outer..., queries], and the result before it is rounded, [outer..., queries,
// columns].
inline constexpr std::string_view attention_name = "trainyard.attention";
[[nodiscard]] bool is_attention(const graph::Op& op);

// The scores have dimensions [outer..., queries, keys]. The lists say which dimension of an operand
// or of the result each is; repeats (-1): the operand has it not.
struct AttentionShape {
  static constexpr std::int64_t repeats = -1;
  std::vector<std::int64_t> outer{};        // sizes
  std::vector<std::int64_t> query_dims{};   // outer..., query, depth
  std::vector<std::int64_t> key_dims{};     // outer..., key, depth
  std::vector<std::int64_t> value_dims{};   // outer..., key, column
  std::vector<std::int64_t> result_dims{};  // outer..., query, column
  std::int64_t queries = 0, keys = 0, depth = 0, columns = 0;
  [[nodiscard]] std::int64_t batches() const;  // of all outer dimensions
  double scale = 1;
  std::optional<DiagonalMask> mask{};
  // The scores are scale * tanh(inner * queries keys).
  std::optional<double> inner{};
  // A value with the scores' dimensions: what is added to them (a bias), or whether they are kept.
  enum class Limit : std::uint8_t { none, bias, mask };
  Limit limit = Limit::none;
  double masked = 0;                       // instead of a score that a mask does not keep
  std::vector<std::int64_t> limit_dims{};  // outer..., query, key
  [[nodiscard]] bool is_plain() const { return limit == Limit::none && !inner; }
  graph::ElementType weights{};  // of the softmax, as the values are multiplied with it
  std::vector<graph::LocationId> locations{};  // of its operations
};
[[nodiscard]] AttentionShape attention_shape(const graph::Op& op);

// Fewer queries leave partitions idle: batches share them then (attention_few.h).
inline constexpr std::int64_t queries_min = 64;
[[nodiscard]] inline bool are_few(const AttentionShape& shape) {
  return shape.queries < queries_min;
}

// Makes one composite of each attention whose scores and probabilities nobody else reads, and that
// fits the machine.
void recognize_attention(graph::Module& module, const machine::Core& core);

}  // namespace trainyard::compiler
