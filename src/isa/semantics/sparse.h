// M:N structured sparsity: of every N elements along the contraction at most M are not zero, and
// only those are stored, each with a 4-bit tag that says where in its group of N it stood. Source:
// neuron-core-v4 page (the patterns); Trainium2 architecture guide, page source (shapes and tags).
// Which partition and slice of moving a tag names is not published: here the dense rows of moving
// are numbered partition by partition, and the slices of a partition one after the other (assumed).
#pragma once

#include "isa/semantics/execution.h"
#include "isa/semantics/matmul.h"

namespace trainyard::isa::sparse {

// At most `kept` of every `of` elements are stored.
struct Pattern {
  std::int64_t kept = 0, of = 0;
  // Dense elements for each one stored: the slices of moving in each partition.
  [[nodiscard]] std::int64_t ratio() const { return of / kept; }
};

inline constexpr int tag_bits = 4;
inline constexpr int tags_per_word = 4;  // of uint16, the first tag in the lowest bits

// The seven patterns of NeuronCore-v3 and v4.
[[nodiscard]] bool is_published(const Pattern& pattern);

struct Operands {
  const Tile& stationary;
  const Tile& tags;
  const Tile& moving;
};
// dst (+)= transpose(stationary, expanded) x moving: for every output one fp32 chain down the
// partitions of stationary, as of nc_matmul. Throws Fault undefined_behavior where a tag does not
// fit the pattern.
void multiply(const Tile& dst, const Operands& operands, const Pattern& pattern, bool accumulate,
              Execution& execution);

}  // namespace trainyard::isa::sparse
