// Layers that share blocks of the KV cache: all of a group see as far as each other, and a token
// leaves about as much in each group, so that any block can hold tokens of any group. A group whose
// layers have a window gives back what none of them sees any more.
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::serving {

// Layers that see as far as each other: `window` tokens, 0: all; and the elements that a token
// leaves in all of them.
struct CachedLayers {
  std::int32_t window = 0;
  double elements = 0;
};

struct Groups {
  std::vector<std::int32_t> windows = {};  // of each group, 0 first
  double elements = 0;                     // of a token in the blocks of one
};

// The largest groups that leave a tenth of the cache unused at most, or those that leave least;
// sixteen at most. Without layers, one group of no elements.
[[nodiscard]] Groups group_layers(const std::vector<CachedLayers>& layers);

// Of so many tokens, those that each group keeps, all groups together.
[[nodiscard]] double kept_tokens(const std::vector<std::int32_t>& windows, double tokens);

// The first of `block_tokens` tokens each that is read behind `computed` tokens.
[[nodiscard]] inline std::int32_t first_block_seen(std::int32_t window, std::int32_t computed,
                                                   std::int32_t block_tokens) {
  return window == 0 || computed < window ? 0 : (computed - window + 1) / block_tokens;
}

}  // namespace trainyard::serving
