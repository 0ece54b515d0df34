// Images on chip with channels on the partitions, as windows that slide over them read them: where
// they lie already, or else loaded, as many rows and images at a time as a tile may hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// [begin, end), perhaps only every so many from the first on.
struct Span {
  std::int64_t begin = 0, end = 0, step = 1;
  [[nodiscard]] std::int64_t size() const { return base::ceil_div(end - begin, step); }
  [[nodiscard]] bool holds(const Span& other) const {
    return begin <= other.begin && other.end <= end;
  }
};

// How many windows it is until the same taps meet elements again: of an image whose elements lie
// apart, each tap meets those of one phase.
[[nodiscard]] std::int64_t phases(const Slides::Along& along);
// The windows among some whose tap meets one of `size` elements.
[[nodiscard]] Span inside(const Slides::Along& along, std::int64_t tap, std::int64_t size,
                          Span windows);
// The elements that windows read.
[[nodiscard]] Span read_by(const Slides::Along& along, std::int64_t size, Span windows);
// The taps that lie within `size` elements for all windows.
[[nodiscard]] std::vector<std::int64_t> full_taps(const Slides::Along& along, std::int64_t size);

// Windows of some images.
struct ImagePart {
  Span images, rows, columns;
  [[nodiscard]] std::int64_t size() const { return images.size() * rows.size() * columns.size(); }
  [[nodiscard]] bool holds(const ImagePart& other) const {
    return images.holds(other.images) && rows.holds(other.rows) && columns.holds(other.columns);
  }
};

// Of a partition, what one strip of an image takes.
inline constexpr std::int64_t strip_bytes_max = std::int64_t{13} * 1024;
// The same where the strips of all channels are read together, as features do that are not in
// groups: so many times `rows` of them, the partitions.
[[nodiscard]] std::int64_t strip_bytes_of(std::int64_t channels, std::int64_t groups,
                                          std::int64_t rows);
// Images of so many bytes a partition that lie in one tile; all of them, or a power of two, so that
// groups of larger images never cross those of smaller ones.
[[nodiscard]] std::int64_t images_together(std::int64_t batch, std::int64_t bytes,
                                           std::int64_t bytes_max = strip_bytes_max);

// What is computed of a result in one tile: whole images where they stay on chip, as much as one
// strip of the image gives where they do not.
[[nodiscard]] std::vector<ImagePart> chunks_of(const Strided& image, const Slides& slides,
                                               std::int64_t batch, std::int64_t bytes, bool stays,
                                               std::int64_t bytes_max = strip_bytes_max);

class ImageStrips {
 public:
  // [batch, height, width, channels].
  ImageStrips(Segment& segment, const Strided& image, const Slides& slides,
              std::int64_t bytes_max = strip_bytes_max)
      : segment_(segment), image_(image), slides_(slides), bytes_max_(bytes_max) {}

  [[nodiscard]] std::int64_t blocks() const;
  // Channels of a block.
  [[nodiscard]] std::int64_t channels(std::int64_t block) const;
  // What one tap reads of a block of channels for some windows: those of a part whose tap lies
  // within the image.
  [[nodiscard]] isa::Tile tap(std::int64_t block, std::int64_t y, std::int64_t x,
                              const ImagePart& part, const ImagePart& some);

  // Rows of the image, as one tap reads them along the width: `some`: rows and windows.
  [[nodiscard]] isa::Tile rows(std::int64_t block, std::int64_t x, const ImagePart& part,
                               const ImagePart& some);

 private:
  // Every so many rows from one on, and windows of a tap.
  struct Reach {
    Span images;
    std::int64_t row = 0, rows = 0, row_stride = 1;
    std::int64_t column = 0, columns = 0, column_stride = 1;
  };
  [[nodiscard]] isa::Tile view(std::int64_t block, const ImagePart& part, const Reach& reach);
  struct Strip {
    Span images, rows;
    std::vector<bool> is_known;
    std::vector<std::optional<isa::Tile>> tiles;  // nothing where a resident has it
  };

  const std::optional<isa::Tile>& tile_of(std::int64_t block, const ImagePart& part);
  [[nodiscard]] Strip strip_from(const ImagePart& part, Span rows) const;
  [[nodiscard]] std::optional<isa::Tile> loaded(std::int64_t block);
  [[nodiscard]] std::int64_t rows_max() const;

  Segment& segment_;
  Strided image_;
  const Slides& slides_;
  std::int64_t bytes_max_;
  Strip strip_{};
};

}  // namespace trainyard::compiler
