// Images of few channels: the taps of a kernel side by side on the partitions, so that a product
// takes many of them at once. Rows of windows are loaded to partitions, with the rows of the image
// that they read, and the tensor engine turns what the windows of one column read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/products/product_blocks.h"

namespace trainyard::compiler {

class PackedImage {
 public:
  [[nodiscard]] static bool fits(const Product& product, const machine::Core& core);

  PackedImage(Segment& segment, const Product& product);

  // Blocks of taps.
  [[nodiscard]] std::size_t blocks() const { return kernels_.size(); }
  // [taps, features].
  [[nodiscard]] isa::Tile weights(std::size_t block, Span features);
  void forget_weights();
  // Rows of windows that are packed together, at most.
  [[nodiscard]] std::int64_t rows_max() const { return emitter_.core().array.rows; }
  // What windows of one image read, [taps, rows x columns]; `rows`: those that are packed with
  // them.
  [[nodiscard]] isa::Tile pixels(std::size_t block, const ImagePart& windows, Span rows);

 private:
  [[nodiscard]] isa::Tile loaded(std::int64_t image, Span rows);
  [[nodiscard]] isa::Tile turned(const isa::Tile& raw, Span taps);
  [[nodiscard]] Span taps_of(std::size_t block) const;
  // Of a row of the image, with its border, on a partition.
  [[nodiscard]] std::int64_t width() const;
  [[nodiscard]] bool channels_last() const;
  [[nodiscard]] std::int64_t step() const { return channels_last() ? channels() : 1; }
  [[nodiscard]] std::int64_t channel_step() const { return channels_last() ? 1 : width(); }
  [[nodiscard]] std::int64_t channels() const { return image_.dims[3].size; }

  Segment& segment_;
  Emitter& emitter_;
  const Strided image_;
  const Slides slides_;
  std::int64_t taps_at_once_;  // along the height
  std::vector<Blocks> kernels_;
  struct Slab {
    std::int64_t image = -1;
    Span rows;
    std::vector<isa::Tile> tiles;  // by block
  } slab_;
};

}  // namespace trainyard::compiler
