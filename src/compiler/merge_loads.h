// Pass: a tile that is loaded again, from memory that nobody writes, is kept on chip instead where
// there is room for it.
#pragma once

#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Drops loads of whole SBUF tensors that an earlier load has filled alike, and lets their readers
// use the earlier tensor. Tiles that are loaded again and again for more than half of the
// program are kept, as those that every iteration of the outermost loop loads: by the bytes that
// profiles count, AWS's compiler keeps these (NKIBench), and by the published times not those that
// only a long inner loop repeats (matrix multiplication tutorial, autocomp), but those that a short
// one does (trainium-kernel-fusion). The loads of one source
// line that wait about as long for their next use are kept together or not at all, shortest waits
// first. Programs with branches, meetings or explicit edges stay as they are.
void merge_loads(isa::Program& program, const machine::Core& core);

}  // namespace trainyard::compiler
