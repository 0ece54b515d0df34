// The casts of graph::apply one by one, and what they share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/class_formats.h"
#include "graph/module.h"

namespace trainyard::graph {

inline constexpr std::int64_t mx_block = 32;  // elements that share a scale

[[nodiscard]] bool is_float32(const Type& type);  // of a tensor

// Whether a format has fewer bits than another; TF32 lies in 32 of them and has 19.
[[nodiscard]] bool is_narrower(ElementType format, ElementType than);

// Adds a conversion to `ops`, and gives what it makes.
[[nodiscard]] ValueId converted(Function& function, std::vector<Op>& ops, ValueId value,
                                ElementType element, LocationId location);

// The formats by class that an operation is annotated with, or null.
[[nodiscard]] const std::string* annotation_of(const Op& op);

// Whether the program itself says in which formats the product is computed.
[[nodiscard]] bool has_algorithm(const Op& op);
// Operands get the formats of dot_general's `algorithm`, where it is one product of each two
// numbers. What takes several products to come near float32 is computed in float32.
void cast_by_algorithm(Module& module);

// Operands get the formats of their classes: `formats`, and on top what an operation's annotation
// says. Of each class that has a format by `formats`, what became of its members.
std::vector<ClassUse> cast_by_class(Module& module, const ClassFormats& formats);

// An optimiser's state lies in memory in the format of its class; what follows reads it as memory
// holds it. How many arguments are such state, and how many got the format.
ClassUse store_optimizer_state(Module& module, const ClassFormats& formats);

// The dimension that an operand of dot_general is summed over.
[[nodiscard]] std::string_view contracted(std::size_t side);
// Two operands of 16 bits or more that are summed over one dimension, which divides into groups.
[[nodiscard]] bool sums_over_groups(const Function& function, const Op& op, std::int64_t group);
// Two matrices of whole blocks; an even number of rows and of columns, as the machine takes them.
[[nodiscard]] bool fits_mx_blocks(const Function& function, const Op& op);
// Makes the product a composite, whose decomposition goes to `made`.
void quantise(const Function& function, Op& op, std::vector<Function>& made);
// A product with weights that are stored before the first run.
[[nodiscard]] bool fits_storage(const Function& function, const Op& op, std::size_t side,
                                const OperandFormat& format);
void store_weights(const Function& function, Op& op, std::size_t side, const OperandFormat& format,
                   std::vector<Function>& made);
// All that fit.
void quantise_products(Module& module);

}  // namespace trainyard::graph
