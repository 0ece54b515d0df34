// Formats of products' operands by what the operands are to a model, as --precision and the
// annotations of trainyard.precision write them: "weights=mxfp8,gradients=fp8_e5m2".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/type.h"

namespace trainyard::graph {

enum class TensorClass : std::uint8_t {
  weights,
  activations,
  gradients,
  kv_cache,
  optimizer_state
};
inline constexpr std::size_t tensor_class_count = 5;
[[nodiscard]] std::string_view name(TensorClass tensor_class);

struct OperandFormat {
  enum class Scale : std::uint8_t {
    none,
    tensor,  // the largest magnitude of the tensor becomes the format's largest number
    blocks,  // MX: a power of two for each 32 neighbours along the contraction
  };
  ElementType element = ElementType::bf16;
  Scale scale = Scale::none;
  // Of weights: made before the first run, so that memory holds what the array takes.
  bool is_stored = false;
  // Likewise: of each `of` neighbours along the contraction the largest `kept` magnitudes remain.
  // Source of the patterns: NeuronCore-v4, structured sparsity.
  struct Sparsity {
    std::int64_t kept = 1, of = 1;
    friend bool operator==(const Sparsity&, const Sparsity&) = default;
  } sparsity{};
  [[nodiscard]] bool is_sparse() const { return sparsity.of > 1; }
  friend bool operator==(const OperandFormat&, const OperandFormat&) = default;
};
[[nodiscard]] std::string_view name(const OperandFormat& format);  // "fp8_e4m3_scaled"
// The format of that name, which has one.
[[nodiscard]] const OperandFormat& operand_format(std::string_view name);

// Of each class its format, or none: as it is typed.
struct ClassFormats {
  std::array<std::optional<OperandFormat>, tensor_class_count> of{};

  [[nodiscard]] const std::optional<OperandFormat>& operator[](TensorClass tensor_class) const {
    return of[static_cast<std::size_t>(tensor_class)];
  }
  [[nodiscard]] bool empty() const;
  friend bool operator==(const ClassFormats&, const ClassFormats&) = default;
};

// Reads "CLASS=FORMAT,..." on top of `base`; "as-typed" takes a format away. Throws InputError
// "precision.formats" that names `place`.
[[nodiscard]] ClassFormats read_class_formats(std::string_view text, std::string_view place,
                                              const ClassFormats& base = {});
[[nodiscard]] std::string to_string(const ClassFormats& formats);  // as read; empty: none

// How many operands of a program's products a class has, of optimizer_state how many arguments, and
// how many got its format.
struct ClassUse {
  TensorClass tensor_class{};
  OperandFormat format{};
  std::int64_t operands = 0, formatted = 0;
};

}  // namespace trainyard::graph
