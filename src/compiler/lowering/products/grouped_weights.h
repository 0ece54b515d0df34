// Weights of a convolution in groups as the array takes them: of a block of channels those of all
// groups at once, with zeros where a feature is of another group.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

class GroupedWeights {
 public:
  // Whether a group has as many features as channels, and blocks of the array are whole groups.
  [[nodiscard]] static bool fits(const Product& product, const machine::Core& core);

  GroupedWeights(Segment& segment, const Product& product);

  // [channels, features] of one tap.
  [[nodiscard]] isa::Tile block(std::int64_t y, std::int64_t x, std::int64_t block);
  void forget() {
    kept_.clear();
    rows_.clear();
  }

 private:
  // Of groups of one channel: the diagonal has a number a feature.
  [[nodiscard]] isa::Tile diagonal(std::int64_t tap, std::int64_t first, std::int64_t size);
  [[nodiscard]] isa::Tile mask(std::int64_t size);

  Segment& segment_;
  const Strided kernel_;  // [features, taps y, taps x, channels of a group]
  std::optional<isa::Tile> mask_;
  std::map<std::int64_t, isa::Tile> rows_;  // of features, by the first: all taps, in float32
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, isa::Tile> kept_;
};

}  // namespace trainyard::compiler
