// Weights of a convolution whose taps lie beside each other in memory, as PyTorch has them: a
// transfer for one tap would fetch single elements, so they are loaded as they lie, for all taps.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

class TapWeights {
 public:
  // `kernel`: [features, taps y, taps x, channels].
  [[nodiscard]] static bool fits(const Strided& kernel, const machine::Core& core);

  TapWeights(Segment& segment, const Strided& kernel);

  // [channels of that block, features first ... first + count] of one tap.
  [[nodiscard]] isa::Tile block(std::int64_t y, std::int64_t x, std::int64_t block,
                                std::int64_t first, std::int64_t count);
  void forget() { kept_.clear(); }

 private:
  [[nodiscard]] std::int64_t taps() const { return kernel_.dims[1].size * kernel_.dims[2].size; }
  // Where in memory a tap stands among those of one feature and channel.
  [[nodiscard]] std::int64_t place_of(std::int64_t y, std::int64_t x) const;
  // Of all taps, by the order of their places.
  void load_block(std::int64_t block, std::int64_t first, std::int64_t count);

  Segment& segment_;
  const Strided kernel_;
  std::int64_t lowest_ = 0;  // the first place, from the first tap on
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, isa::Tile> kept_;
};

}  // namespace trainyard::compiler
