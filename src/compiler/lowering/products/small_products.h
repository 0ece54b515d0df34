// Many small products of matrices, as attention has them: a batch is a few columns of one wide tile
// whose partitions are the rows that all batches have.
#pragma once

#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// True where each product takes one instruction, and several of them share a bank of PSUM.
[[nodiscard]] bool are_small(const Product& product, const machine::Core& core);

// Computes the group's root; the sink's rows are those of one product, its columns the batches'.
void compute_small_products(Segment& segment, Group& group, Sink& sink);

}  // namespace trainyard::compiler
