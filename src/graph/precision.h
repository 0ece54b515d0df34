// The casts that a compiler's user allows: float32 arithmetic in a smaller format. Source of the
// scopes and formats: AWS Neuron compiler, reference of neuronx-cc, --auto-cast, --auto-cast-type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/class_formats.h"
#include "graph/module.h"

namespace trainyard::graph {

struct Precision {
  enum class Cast : std::uint8_t {
    none,
    matmult,  // operands of matrix products and convolutions; sums stay float32
    all,      // whatever is computed in float32; arguments and results keep their types
  };
  // How the machine divides, which has no instruction for it; the evaluator divides as IEEE says.
  enum class Division : std::uint8_t {
    where_it_matters,  // quotients that are compared, rounded or returned are corrected
    fast,              // by the reciprocal alone
    exact,             // all are corrected
  };
  Division division = Division::where_it_matters;
  Cast cast = Cast::none;
  ElementType cast_type = ElementType::bf16;
  // Products of two matrices are computed in MXFP8: both operands are rounded to bfloat16 and
  // quantised in blocks of 32 along the dimension that is summed over. Those that do not divide
  // into such blocks, and batches of products, are cast as above.
  bool mxfp8_products = false;
  // Operands of products, and an optimiser's state, by what they are to the model.
  ClassFormats formats{};

  friend bool operator==(const Precision&, const Precision&) = default;
};

// The composite of such a product, of two operands; its decomposition has the dot_general. What it
// multiplies are composites too: an operand as its blocks hold it, in float32, by `dimension`.
inline constexpr std::string_view mx_product_name = "trainyard.mx_product";
inline constexpr std::string_view mx_rounded_name = "trainyard.mx_rounded";
// The composite of a product with weights that are stored in a "format" (OperandFormat's name);
// "side" is theirs of the two operands. In its decomposition they are rounded, or pruned along
// "dimension". What memory holds, of a matrix [K, columns] in the same format: words of four
// neighbours of a column and the scales of their blocks, or elements and tags.
inline constexpr std::string_view stored_product_name = "trainyard.stored_product";
inline constexpr std::string_view pruned_name = "trainyard.pruned";
inline constexpr std::string_view stored_name = "trainyard.stored";

// The composite of an argument or a result of main that memory holds in another format than the
// caller knows: its decomposition converts it.
inline constexpr std::string_view held_name = "trainyard.held";
[[nodiscard]] bool is_held(const Op& op);

// Whether the tensor engine's array computes it: products and convolutions.
[[nodiscard]] bool uses_the_array(OpKind kind);

[[nodiscard]] std::string key(const Precision& precision);  // another one for each other precision

// Of each class that has a format, what it has in the program.
[[nodiscard]] std::vector<ClassUse> class_uses(const Module& module, const Precision& precision);
// What to say of classes whose format nothing got; empty where there are none.
[[nodiscard]] std::string unused_in_words(const std::vector<ClassUse>& uses);

// An attribute of JAX's set_xla_metadata: formats of a product's operands by class.
inline constexpr std::string_view precision_annotation = "trainyard_precision";

// Writes the casts into the program. What reads bits, and what only float32 has (FFTs, solvers,
// kernels, random numbers), stays as it is.
void apply(Module& module, const Precision& precision);

}  // namespace trainyard::graph
