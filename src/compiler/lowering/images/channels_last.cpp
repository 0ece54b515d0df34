#include "compiler/lowering/images/channels_last.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "compiler/lowering/products/image_strips.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/values/window.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

// Of a partition, the rows that are stored at a time.
constexpr std::int64_t rows_bytes_max = std::int64_t{28} * 1024;

// Of a partition, what the rows take that are turned at a time, of all channels.
constexpr std::int64_t strips_bytes_max = std::int64_t{128} * 1024;

// Fewer rows of pixels leave most of a transpose empty.
constexpr std::int64_t lines_min = 16;
// Of a row, where there are fewer rows.
constexpr std::int64_t row_pixels_min = 64;

bool lies_so(const Strided& image) {
  const auto& dims = image.dims;
  return (dims[3].size == 1 || dims[3].step == 1) &&
         (dims[2].size == 1 || dims[2].step == dims[3].size);
}

// Whether an image has few rows, as those of one dimension do: pixels of a row go to the
// partitions.
bool has_few_lines(const Strided& image) {
  return image.dims[0].size * image.dims[1].size < lines_min;
}

bool is_by_channels(const Strided& image) {
  const auto& dims = image.dims;
  return dims[3].size > 1 && std::abs(dims[3].step) > std::abs(dims[2].step);
}

class Turned {
 public:
  Turned(Segment& segment, const Strided& image)
      : emitter_(segment.emitter()),
        image_(image),
        slides_(whole(image)),
        strips_(segment, image_, slides_),
        result_(dense(emitter_.hbm(image.dtype, image.shape()), image.dtype, image.shape())) {}

  Strided make() {
    const std::int64_t partitions = emitter_.core().sbuf.partitions;
    const std::int64_t batch = size(0), height = size(1), width = size(2);
    const std::int64_t together =
        std::clamp(partitions / height, std::int64_t{1}, images_together(batch, image_bytes()));
    const std::int64_t row_bytes = width * bytes() * strips_.blocks();
    const std::int64_t most = std::clamp(strips_bytes_max / row_bytes, std::int64_t{1}, partitions);
    const std::int64_t rows =
        base::ceil_div(height, base::ceil_div(height, std::min(height, most)));
    const std::int64_t columns =
        std::clamp(rows_bytes_max / (size(3) * bytes()), std::int64_t{1}, width);
    for (std::int64_t image = 0; image < batch; image += together) {
      for (std::int64_t row = 0; row < height; row += rows) {
        for (std::int64_t column = 0; column < width; column += columns) {
          turn({{image, std::min(batch, image + together)},
                {row, std::min(height, row + rows)},
                {column, std::min(width, column + columns)}});
        }
      }
    }
    return result_;
  }

 private:
  static Slides whole(const Strided& image) {
    Slides slides;
    slides.along[0].windows = image.dims[1].size;
    slides.along[1].windows = image.dims[2].size;
    return slides;
  }
  [[nodiscard]] std::int64_t size(std::size_t dim) const { return image_.dims[dim].size; }
  [[nodiscard]] std::int64_t bytes() const { return numerics::size_in_bytes(image_.dtype); }
  [[nodiscard]] std::int64_t image_bytes() const { return size(1) * size(2) * bytes(); }

  void turn(const ImagePart& part) {
    const std::int64_t lines = part.images.size() * part.rows.size(), channels = size(3);
    const Tile all = emitter_.sbuf(image_.dtype, lines, part.columns.size() * channels);
    const std::size_t before = emitter_.instructions();
    std::int64_t first = 0;
    for (std::int64_t block = 0; block < strips_.blocks(); ++block) {
      turn_block(part, block, first, all);
      first += strips_.channels(block);
    }
    emitter_.spread_engines_from(before);
    const auto& to = result_.dims;
    store(emitter_, all,
          {result_.tensor,
           result_.dtype,
           part.images.begin * to[0].step + part.rows.begin * to[1].step +
               part.columns.begin * to[2].step,
           {{part.images.size(), to[0].step}, {part.rows.size(), to[1].step}},
           {{part.columns.size() * channels, 1}}},
          {0, lines, 0, part.columns.size() * channels});
  }

  void turn_block(const ImagePart& part, std::int64_t block, std::int64_t first, const Tile& all) {
    const std::int64_t count = strips_.channels(block);
    const std::int64_t at_once =
        std::max(std::int64_t{1}, emitter_.core().psum.bank_size.value / (count * bytes()));
    const ImagePart rows{part.images, part.rows, {0, size(2)}};
    for (std::int64_t column = part.columns.begin; column < part.columns.end; column += at_once) {
      const std::int64_t some = std::min(at_once, part.columns.end - column);
      const Tile turned = emitter_.psum(image_.dtype, all.partitions, some * count);
      for (std::int64_t i = 0; i < some; ++i) {
        const ImagePart one{part.images, part.rows, {column + i, column + i + 1}};
        emitter_.emit(
            isa::NcTranspose{.dst = compiler::part(turned, 0, all.partitions, i * count, count),
                             .data = strips_.tap(block, 0, 0, rows, one)});
      }
      const std::array<Extent, 2> walk{{{some, size(3)}, {count, 1}}};
      TileMath(emitter_, all.partitions, some * count)
          .copy(walked(all, merged(walk), (column - part.columns.begin) * size(3) + first), turned);
    }
  }

  Emitter& emitter_;
  Strided image_;
  Slides slides_;
  ImageStrips strips_;
  Strided result_;
};

}  // namespace

bool has_channels_last(const Emitter& emitter, const Strided& image) {
  const bool turns = image.dtype == DType::float32 || image.dtype == DType::bfloat16 ||
                     image.dtype == DType::float16;
  if (!is_by_channels(image)) return true;
  if (!turns || !emitter.core().features.tensor_transpose_exact) return false;
  if (has_few_lines(image)) return image.dims[2].size >= row_pixels_min && image.dims[2].step == 1;
  return image.dims[2].size * numerics::size_in_bytes(image.dtype) <= strip_bytes_max;
}

Strided channels_last(Segment& segment, const Strided& image) {
  if (is_by_channels(image) && !has_few_lines(image)) return Turned(segment, image).make();
  segment.residents().write_back(image.tensor);
  if (lies_so(image)) return image;
  const Strided place =
      dense(segment.emitter().hbm(image.dtype, image.shape()), image.dtype, image.shape());
  copy(segment.emitter(), image, place);
  return place;
}

}  // namespace trainyard::compiler
