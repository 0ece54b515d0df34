// What passes that leave out instructions share: who writes what, and taking instructions away.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::compiler {

// Instructions between two uses, at most, for them to be in neighbouring turns of a short loop.
inline constexpr std::uint32_t inner_turn = 32;

// No branch, no meeting of cores and no explicit edge: an iteration of a loop runs all of its body.
[[nodiscard]] bool is_rewritable(const isa::Program& program);

// How many instructions write each tensor.
[[nodiscard]] std::vector<std::uint32_t> writers(const isa::Program& program);

// The first instruction in the text that touches each tensor. Where it is the one that fills it,
// nothing sees what an earlier iteration left.
[[nodiscard]] std::vector<std::uint32_t> first_uses(const isa::Program& program);

// Whether an SBUF tile is the whole of a tensor that the compiler places and that one instruction
// alone, of those counted in `written`, writes.
[[nodiscard]] bool is_written_whole(const isa::Program& program, const isa::Tile& dst,
                                    const std::vector<std::uint32_t>& written);

// Whether two tiles lie at the same place of tensors of the same shape and dtype.
[[nodiscard]] bool lie_alike(const isa::Program& program, const isa::Tile& a, const isa::Tile& b);

// Takes the `dropped` instructions of a program away; whoever used tensor t uses
// instead[t], or what that one's entry names.
void drop(isa::Program& program, const std::vector<bool>& dropped,
          std::vector<isa::TensorId> instead);

}  // namespace trainyard::compiler
