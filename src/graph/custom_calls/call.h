// A custom call of AWS's compiler as its expansion sees it, and the words that the texts of
// expansions are written with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/attribute.h"
#include "graph/type.h"

namespace trainyard::graph::custom_calls {

struct Call {
  std::string target{};
  std::string config{};     // backend_config, without quotes around it
  Dictionary attributes{};  // mhlo.attributes, of XLA's own calls
  std::vector<Type> operands{};
  std::vector<Type> results{};

  [[nodiscard]] bool has_counts(std::size_t operand_count, std::size_t result_count) const {
    return operands.size() == operand_count && results.size() == result_count;
  }
  // The configuration as a dimension of the first operand; none where it is not one.
  [[nodiscard]] std::optional<std::size_t> dimension() const;
};

// Names in a text and what stands for them, {"$T", "tensor<4xf32>"}; of two that begin alike the
// longer one is meant.
using Words = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] std::string filled(std::string_view text, Words words);

[[nodiscard]] std::string tensor(std::vector<std::int64_t> shape, ElementType element);
[[nodiscard]] std::string without(const Type& type, std::size_t dimension, ElementType element);
[[nodiscard]] std::string dimensions_but(const Type& type, std::size_t dimension);  // "0, 2"

// What a call means: a module in StableHLO whose function @"$NAME" it calls, or what does not fit.
// The names of its other functions begin with $NAME.
struct Expansion {
  std::string text{};
  std::string problem{};  // not empty: the call is refused
};
inline Expansion meaning(std::string_view text, Words words) {
  return {.text = filled(text, std::move(words)), .problem = {}};
}
inline Expansion misfit(std::string problem) { return {.text = {}, .problem = std::move(problem)}; }

[[nodiscard]] Expansion erf(const Call& call);
// An operation of XLA that StableHLO lacks and that has one operand, "mhlo.acosh".
[[nodiscard]] Expansion one_of_xla(const Call& call);
[[nodiscard]] Expansion tangent_of_xla(const Call& call);
[[nodiscard]] Expansion gelu(const Call& call);
[[nodiscard]] Expansion gelu_tanh(const Call& call);
[[nodiscard]] Expansion silu(const Call& call);
[[nodiscard]] Expansion gelu_derivative(const Call& call);
[[nodiscard]] Expansion silu_derivative(const Call& call);

[[nodiscard]] Expansion softmax(const Call& call);
[[nodiscard]] Expansion softmax_gradient(const Call& call);
[[nodiscard]] Expansion rms_norm(const Call& call);

[[nodiscard]] Expansion argmax(const Call& call);
[[nodiscard]] Expansion argmin(const Call& call);
[[nodiscard]] Expansion top_k(const Call& call);
[[nodiscard]] Expansion top_k_of_xla(const Call& call);  // "mhlo.topk"

[[nodiscard]] Expansion quantize_mx(const Call& call);
[[nodiscard]] Expansion block_scaled_dot(const Call& call);

[[nodiscard]] Expansion resize_nearest(const Call& call);
[[nodiscard]] Expansion resize_nearest_gradient(const Call& call);
[[nodiscard]] Expansion resize_bilinear(const Call& call);

}  // namespace trainyard::graph::custom_calls
