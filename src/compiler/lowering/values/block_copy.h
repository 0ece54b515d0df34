// Copies whose neighbours lie close together on both sides, but not the same ones.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/emit/emitter.h"
#include "compiler/lowering/values/tiled_copy.h"

namespace trainyard::compiler {

// Dimensions of a walk within which both sides have runs: what a partition takes, in runs of the
// source, permutes, and gives back in runs of the target. Patches of an image and pixels that are
// shuffled are such. `walk` is cut, so that the block fits.
struct CopyBlock {
  std::vector<Both> rows{}, block{};  // in the target's order
};
[[nodiscard]] std::optional<CopyBlock> copy_block(std::span<const Both> walk);

void copy_in_blocks(Emitter& emitter, const Strided& from, const Strided& to,
                    const CopyBlock& block);

}  // namespace trainyard::compiler
