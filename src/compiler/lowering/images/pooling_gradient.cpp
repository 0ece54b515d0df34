#include "compiler/lowering/images/pooling_gradient.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/images/pooling.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/scalar_tensor_tensor.h"

namespace trainyard::compiler {

namespace {

using graph::OpKind;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

// Whether the first of equal elements is chosen, the largest or the smallest.
std::optional<AluOp> choice_of(const graph::Region& region) {
  if (region.ops.size() != 2 || region.ops[0].kind != OpKind::compare ||
      region.ops[0].operands != region.arguments || region.ops[1].operands != region.ops[0].results)
    return std::nullopt;
  const graph::Op& compare = region.ops[0];
  if (compare.find("compare_type") != nullptr && compare.text("compare_type") == "TOTALORDER")
    return std::nullopt;
  const std::string& direction = compare.text("comparison_direction");
  if (direction == "GE") return AluOp::maximum;
  if (direction == "LE") return AluOp::minimum;
  return std::nullopt;
}

class PoolingGradient {
 public:
  // The image and what is given: [images, height, width, channels].
  PoolingGradient(Segment& segment, const Strided& image, const Strided& given,
                  const Slides& slides, AluOp choice)
      : emitter_(segment.emitter()),
        image_(image),
        slides_(slides),
        choice_(choice),
        still_{
            .along = {{{.windows = slides.along[0].windows}, {.windows = slides.along[1].windows}}},
            .order = slides.order},
        values_(segment, image_, slides_),
        given_(segment, given, still_),
        parts_(chunks_of(image_, slides_, image_.dims[0].size,
                         numerics::size_in_bytes(image_.dtype), false)) {}

  [[nodiscard]] bool is_one_part() const { return parts_.size() == 1; }

  void into(Sink& sink) {
    for (std::int64_t block = 0; block < values_.blocks(); ++block) {
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const bool goes_on =
            i + 1 < parts_.size() && parts_[i + 1].images.begin == parts_[i].images.begin;
        part(block, parts_[i], goes_on ? &parts_[i + 1] : nullptr, sink);
      }
    }
  }

 private:
  struct Rows {
    Tile tile;
    Span rows;
  };

  [[nodiscard]] std::int64_t width() const { return image_.dims[2].size; }
  [[nodiscard]] std::int64_t taps() const { return slides_.along[0].taps * slides_.along[1].taps; }

  // Rows of the result from one on; what windows of the next part add to is left to it.
  void part(std::int64_t block, const ImagePart& windows, const ImagePart* next, Sink& sink) {
    const std::int64_t height = image_.dims[1].size, channels = values_.channels(block);
    const auto read = [&](const ImagePart& by) {
      return read_by(slides_.along[0], height, by.rows);
    };
    const std::int64_t end = next ? std::max(done_, read(*next).begin) : height;
    const Span rows{done_, next ? std::max(end, read(windows).end) : height};
    const std::int64_t size = windows.images.size() * rows.size() * width();
    const Rows result{emitter_.sbuf(image_.dtype, channels, size), rows};
    emitter_.emit(isa::Memset{.dst = result.tile, .value = 0});
    if (rest_)
      TileMath(emitter_, channels, rest_->free_elements())
          .copy(compiler::part(result.tile, 0, channels, 0, rest_->free_elements()), *rest_);
    const std::size_t before = emitter_.instructions();
    add(block, windows, result);
    emitter_.spread_engines_from(before);
    const std::int64_t done = windows.images.size() * (end - rows.begin) * width();
    sink.put(compiler::part(result.tile, 0, channels, 0, done),
             {block * emitter_.core().array.rows, channels,
              windows.images.begin * height * width() + rows.begin * width(), done});
    rest_.reset();
    done_ = next ? end : 0;
    if (done < size) rest_ = compiler::part(result.tile, 0, channels, done, size - done);
  }

  void add(std::int64_t block, const ImagePart& windows, const Rows& result) {
    const TileMath all(emitter_, values_.channels(block), windows.size());
    const Tile chosen = all.fresh(image_.dtype), code = all.fresh(DType::bfloat16);
    pool_part(emitter_, values_, image_, slides_, choice_, block, windows, chosen);
    emitter_.emit(isa::Memset{.dst = code, .value = 0});
    // The first tap that is chosen has the largest code.
    for_each_tap(
        windows, [&](std::int64_t y, std::int64_t x, double number, const ImagePart& some) {
          const TileMath math(emitter_, values_.channels(block), some.size());
          const Tile equal =
              math.tensor(math.fresh(DType::bfloat16), values_.tap(block, y, x, windows, some),
                          AluOp::equal, part_of(chosen, windows, some));
          const Tile place = part_of(code, windows, some);
          combine(place, equal, AluOp::multiply, number, AluOp::maximum, place);
        });
    for_each_tap(windows,
                 [&](std::int64_t y, std::int64_t x, double number, const ImagePart& some) {
                   const TileMath math(emitter_, values_.channels(block), some.size());
                   const Tile own = math.fresh(image_.dtype);
                   combine(own, part_of(code, windows, some), AluOp::equal, number, AluOp::multiply,
                           given_.tap(block, 0, 0, windows, some));
                   const Tile place = place_of(result, windows, y, x, some);
                   math.tensor(place, place, AluOp::add, own);
                 });
  }

  template <typename F>
  void for_each_tap(const ImagePart& windows, const F& f) const {
    const auto& [down, across] = slides_.along;
    std::int64_t number = taps();
    for (std::int64_t y = 0; y < down.taps; ++y) {
      for (std::int64_t x = 0; x < across.taps; ++x, --number) {
        const ImagePart some{windows.images, inside(down, y, image_.dims[1].size, windows.rows),
                             inside(across, x, width(), windows.columns)};
        if (some.size() > 0) f(y, x, static_cast<double>(number), some);
      }
    }
  }

  void combine(const Tile& into, const Tile& data, AluOp first, double number, AluOp second,
               const Tile& other) {
    emitter_.emit(isa::ScalarTensorTensor{.dst = into,
                                          .data = data,
                                          .op0 = first,
                                          .operand0 = {.constant = number},
                                          .op1 = second,
                                          .operand1 = other});
  }

  // The elements of the result that a tap of some windows stands for.
  [[nodiscard]] Tile place_of(const Rows& result, const ImagePart& windows, std::int64_t y,
                              std::int64_t x, const ImagePart& some) const {
    const auto& [down, across] = slides_.along;
    const std::int64_t row = some.rows.begin * down.stride + y * down.dilation - down.low;
    const std::int64_t column =
        some.columns.begin * across.stride + x * across.dilation - across.low;
    const std::int64_t image = result.rows.size() * width();
    const std::array<Extent, 3> walk{{{some.images.size(), image},
                                      {some.rows.size(), width() * down.stride},
                                      {some.columns.size(), across.stride}}};
    return walked(result.tile, merged(walk),
                  (some.images.begin - windows.images.begin) * image +
                      (row - result.rows.begin) * width() + column);
  }

  Emitter& emitter_;
  const Strided image_;
  const Slides slides_;
  AluOp choice_;
  const Slides still_;
  ImageStrips values_, given_;
  std::vector<ImagePart> parts_;
  std::int64_t done_ = 0;     // rows of the result that are stored
  std::optional<Tile> rest_;  // behind them, what the next part adds to
};

void lower(Lowerer& lowerer, const graph::Op& op, const Strided& image, const Strided& given,
           const Slides& slides, AluOp choice) {
  Segment& segment = lowerer.segment();
  const graph::Type type = lowerer.type(op.results[0]);
  const Layout layout{.order = slides.order, .row_dims = 1};
  const Strided place =
      laid_out(segment.emitter().hbm(image.dtype, type.shape), image.dtype, layout, type.shape);
  const bool may_stay = PoolingGradient(segment, image, given, slides, choice).is_one_part();
  const std::int64_t parts =
      may_stay ? 1 : parts_on_partitions(segment.emitter(), std::array{image, given});
  PoolingGradient gradient(segment, in_parts(image, parts), in_parts(given, parts), slides, choice);
  Sink sink = in_rows(segment, place, image.dims[3].size * parts);
  if (may_stay) sink.keep_on_chip({});
  gradient.into(sink);
  lowerer.define(op.results[0], segment.add_view(type, place));
}

}  // namespace

bool pooling_gradient(Lowerer& lowerer, const graph::Op& op) {
  constexpr std::int64_t taps_max = 64;
  Segment& segment = lowerer.segment();
  Emitter& emitter = segment.emitter();
  const graph::Type type = lowerer.type(op.results[0]);
  const std::optional<AluOp> choice = choice_of(op.regions.at(0));
  const Node& initial = segment.node(lowerer.node(op.operands[2]));
  if (!choice || reduction_of(op.regions.at(1), type.element) != AluOp::add ||
      initial.kind != Node::Kind::number || initial.number != 0 || type.shape.size() != 4 ||
      !graph::is_float(type.element) || !emitter.variation().views_images)
    return false;
  const Strided image = segment.placed(lowerer.node(op.operands[0]));
  const Strided given = segment.placed(lowerer.node(op.operands[1]));
  const std::optional<Slides> slides =
      image_slides(emitter, sliding_of(op), image, lowerer.type(op.operands[1]).shape);
  if (!slides || slides->along[0].taps * slides->along[1].taps > taps_max) return false;
  const auto size = [&](std::size_t i) {
    return type.shape[static_cast<std::size_t>(slides->order[i])];
  };
  const std::int64_t row_bytes = size(3) * numerics::size_in_bytes(image.dtype);
  const Slides::Along& down = slides->along[0];
  if (((down.taps - 1) * down.dilation + down.stride) * row_bytes > strip_bytes_max) return false;
  emitter.at(op.location);
  lower(lowerer, op, canonical(image, *slides), canonical(given, *slides), *slides, *choice);
  return true;
}

}  // namespace trainyard::compiler
