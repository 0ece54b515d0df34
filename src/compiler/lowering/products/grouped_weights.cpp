#include "compiler/lowering/products/grouped_weights.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

using isa::DType;
using isa::Tile;

bool GroupedWeights::fits(const Product& product, const machine::Core& core) {
  const std::int64_t size = product.left.dims[3].size;
  const DType dtype = product.left.dtype;
  const bool is_real =
      dtype == DType::float32 || dtype == DType::bfloat16 || dtype == DType::float16;
  return is_real && product.left.dims[0].size == product.right.dims[3].size &&
         product.slides->groups * size == product.right.dims[3].size &&
         core.array.rows == core.array.stationary_free_max && core.array.rows % size == 0;
}

GroupedWeights::GroupedWeights(Segment& segment, const Product& product)
    : segment_(segment), kernel_(product.left) {}

Tile GroupedWeights::block(std::int64_t y, std::int64_t x, std::int64_t block) {
  const auto [place, is_new] = kept_.try_emplace({y, x, block});
  if (!is_new) return place->second;
  Emitter& emitter = segment_.emitter();
  const auto& [features, down, across, channels] =
      std::tie(kernel_.dims[0], kernel_.dims[1], kernel_.dims[2], kernel_.dims[3]);
  const std::int64_t first = block * emitter.core().array.rows;
  const std::int64_t size = std::min(emitter.core().array.rows, features.size - first);
  if (channels.size == 1) return place->second = diagonal(y * across.size + x, first, size);
  const Matrix matrix{kernel_.tensor,
                      kernel_.dtype,
                      kernel_.offset + y * down.step + x * across.step + first * features.step,
                      {{size / channels.size, 0}, channels},
                      {{size, features.step}}};
  segment_.residents().write_back(kernel_.tensor);
  const TileMath math(emitter, size, size);
  const Tile alike = math.fresh(kernel_.dtype);  // in each group the features of all
  load(emitter, matrix, {0, size, 0, size}, alike);
  return place->second =
             math.tensor(math.fresh(kernel_.dtype), alike, numerics::AluOp::multiply, mask(size));
}

Tile GroupedWeights::diagonal(std::int64_t tap, std::int64_t first, std::int64_t size) {
  Emitter& emitter = segment_.emitter();
  const Extent &features = kernel_.dims[0], &down = kernel_.dims[1], &across = kernel_.dims[2];
  const auto [entry, is_new] = rows_.try_emplace(first);
  if (is_new) {
    const std::int64_t taps = down.size * across.size;
    const TileMath math(emitter, size, taps);
    Tile rows = math.fresh(kernel_.dtype);
    segment_.residents().write_back(kernel_.tensor);
    load(emitter,
         {kernel_.tensor,
          kernel_.dtype,
          kernel_.offset + first * features.step,
          {{size, features.step}},
          {down, across}},
         {0, size, 0, taps}, rows);
    if (rows.dtype != DType::float32) rows = math.copy(math.fresh(DType::float32), rows);
    entry->second = rows;
  }
  const TileMath math(emitter, size, size);
  return math.column(math.fresh(kernel_.dtype), mask(size), numerics::AluOp::multiply,
                     part(entry->second, 0, size, tap, 1));
}

Tile GroupedWeights::mask(std::int64_t size) {
  Emitter& emitter = segment_.emitter();
  const std::int64_t all = emitter.core().array.rows, group = kernel_.dims[3].size;
  if (!mask_) {
    std::vector<float> ones(static_cast<std::size_t>(all * all));
    for (std::int64_t i = 0; i < all; ++i) {
      for (std::int64_t k = i / group * group; k < (i / group + 1) * group; ++k)
        ones[static_cast<std::size_t>(i * all + k)] = 1;
    }
    std::vector<std::byte> content(ones.size() * sizeof(float));
    std::memcpy(content.data(), ones.data(), content.size());
    const std::array<std::int64_t, 2> shape{all, all};
    const isa::TensorId constant = emitter.constant(DType::float32, shape, std::move(content));
    mask_ = emitter.sbuf(DType::float32, all, all);
    load(emitter, {constant, DType::float32, 0, {{all, all}}, {{all, 1}}}, {0, all, 0, all},
         *mask_);
  }
  return part(*mask_, 0, size, 0, size);
}

}  // namespace trainyard::compiler
