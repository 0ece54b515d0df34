#include "compiler/lowering/products/product_blocks.h"

#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/layout.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

using isa::Tile;

namespace {

// What one transfer brings: large ones cost less, small ones let the products begin.
constexpr std::int64_t transfer_bytes_max = 1024 * 1024;
// Of a row that a transfer brings as it lies: packets of 1,024 bytes take an eighth longer.
constexpr std::int64_t run_bytes_max = 4096;
// Of a row that a transfer turns: packets of 512 bytes or less take up to twice as long, longer
// rows let products begin later.
constexpr std::int64_t turned_bytes_max = 2048;

}  // namespace

isa::DType array_format(isa::DType dtype) {
  const bool is_integer = dtype == isa::DType::int8 || dtype == isa::DType::uint8;
  return is_integer ? isa::DType::bfloat16 : dtype;
}

Blocks::Blocks(Segment& segment, const Strided& value, std::size_t batches, std::size_t free)
    : segment_(segment),
      emitter_(segment.emitter()),
      value_(value),
      format_(array_format(value.dtype)),
      batches_(batches) {
  const std::span<const Extent> dims(value_.dims);
  free_ = merged(dims.subspan(batches, free));
  depth_ = merged(dims.subspan(batches + free));
  // Rows of consecutive depth are turned on their way or on chip: as they lie, a transfer would
  // fetch single elements.
  const bool depth_is_dense = !depth_.empty() && depth_.back().step == 1;
  const bool free_is_dense = !free_.empty() && free_.back().step == 1;
  turns_ = depth_is_dense && !free_is_dense;
}

void Blocks::choose(std::int64_t batch) {
  const std::span<const Extent> dims(value_.dims);
  offset_ =
      value_.offset + pieces(dims.first(batches_), batch, batch + 1, isa::rank_max).front().offset;
  forget();
}

Tile Blocks::block(std::int64_t block, std::int64_t first, std::int64_t count) {
  const auto key = std::pair{block, first};
  if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  const Window window{block * rows_max(), rows_of(block), first, count};
  if (const auto here = segment_.residents().find(by_depth(), window)) return *here;
  const bool turns = turns_ || row(first, std::min(rows_max(), count), block).has_value();
  if (is_turned_by_transfers()) {
    load_turned(block, first, count);
  } else if (turns) {
    turn(block, first, count);
  } else {
    load_blocks(block, first, count);
  }
  return kept_.at(key);
}

std::int64_t Blocks::step(Blocks& left, Blocks& right, std::int64_t block, const Window& window) {
  if (!left.is_paired() || block + 1 >= left.blocks()) return 1;
  const bool both = left.apart(block, window.row, window.rows).has_value() &&
                    right.apart(block, window.column, window.columns).has_value();
  return both ? 2 : 1;
}

std::optional<std::int64_t> Blocks::apart(std::int64_t block, std::int64_t first,
                                          std::int64_t count) {
  const Tile a = this->block(block, first, count), b = this->block(block + 1, first, count);
  Tile moved = b;
  moved.offset = a.offset;
  const bool is_row = a.rank == 1 && a.dims[0].step == 1;
  if (moved != a || !is_row || b.offset <= a.offset) return std::nullopt;
  return (b.offset - a.offset) / a.element_bytes();
}

Tile Blocks::blocks_at(std::int64_t block, std::int64_t count_of_blocks, std::int64_t first,
                       std::int64_t count) {
  Tile tile = this->block(block, first, count);
  if (count_of_blocks == 1) return tile;
  tile.rank = 2;
  tile.dims[1] = tile.dims[0];
  tile.dims[0] = {static_cast<std::int32_t>(apart(block, first, count).value()), 2};
  return tile;
}

void Blocks::keep(std::int64_t block, std::int64_t blocks, std::int64_t first, std::int64_t count,
                  std::int64_t together, const Tile& tile) {
  for (std::int64_t i = 0; i < blocks; ++i) {
    for (std::int64_t at = 0; at < together; at += count) {
      kept_.emplace(
          std::pair{block + i, first + at},
          part(tile, 0, tile.partitions, i * together + at, std::min(count, together - at)));
    }
  }
}

// Of an argument whose address is in a register: by hardware, or loads would wait behind the stores
// that GpSimd issues.
isa::DgeMode Blocks::dge_mode_of_load() const {
  const bool is_argument = emitter_.tensor(value_.tensor).role != isa::TensorRole::internal;
  const bool by_hardware =
      emitter_.is_moved(value_.tensor) && is_argument && emitter_.core().features.hardware_dge;
  return by_hardware ? isa::DgeMode::hwdge : isa::DgeMode::unknown;
}

std::int64_t Blocks::loaded_with(std::int64_t first, std::int64_t count) const {
  const std::int64_t size = numerics::size_in_bytes(value_.dtype);
  const std::int64_t most = std::min(run_bytes_max / size, together_max_);
  const std::int64_t windows = std::max(std::int64_t{1}, most / count);
  const std::int64_t together = std::min(windows * count, end_ - first);
  const bool is_run = together > count && pieces(free_, first, first + together, 2).size() == 1;
  return is_run ? together : count;
}

void Blocks::load_blocks(std::int64_t block, std::int64_t first, std::int64_t count) {
  segment_.residents().write_back(value_.tensor);
  const std::int64_t rows = rows_of(block), together = loaded_with(first, count);
  const auto columns = pieces(free_, first, first + together, 2);
  const std::int64_t bytes = rows * together * numerics::size_in_bytes(value_.dtype);
  const bool is_regular = depth_.size() == 1 && columns.size() == 1;
  std::int64_t blocks = is_regular ? alike(block, transfer_bytes_max / bytes) : 1;
  if (is_paired() && blocks > 1) blocks -= blocks % 2;
  const Tile tile = emitter_.sbuf(value_.dtype, rows, blocks * together);
  if (is_regular) {
    const Extent depth = depth_[0];
    std::vector<Extent> dims{{rows, depth.step}, {blocks, depth.step * rows}};
    dims.insert(dims.end(), columns[0].dims.begin(), columns[0].dims.end());
    const std::int64_t offset = offset_ + block * rows_max() * depth.step + columns[0].offset;
    emitter_.emit(isa::DmaCopy{.dst = tile,
                               .src = hbm_tile(value_.tensor, value_.dtype, offset, dims),
                               .dge_mode = dge_mode_of_load()},
                  issuer_of_load(emitter_, value_.tensor));
  } else {
    load(emitter_, by_depth(), {block * rows_max(), rows, first, together}, tile);
  }
  keep(block, blocks, first, count, together, cast(tile));
}

// Measured on 24 shapes of products, 128 to 28,672 to a side, in either format: no slower than the
// array by more than 1 %, up to 1.5 times as fast. An address in a register asks for descriptors
// from GpSimd, which takes longer than the array.
bool Blocks::is_turned_by_transfers() const {
  const std::int64_t size = numerics::size_in_bytes(value_.dtype);
  return turns_ && emitter_.variation().loads_turned && format_ == value_.dtype &&
         (size == 2 || size == 4) && free_.size() == 1 && depth_.size() == 1 &&
         !emitter_.is_moved(value_.tensor) && !segment_.residents().columns(value_.tensor);
}

void Blocks::load_turned(std::int64_t block, std::int64_t first, std::int64_t count) {
  const std::int64_t rows = rows_of(block), size = numerics::size_in_bytes(value_.dtype);
  const std::int64_t most = std::min(turned_bytes_max, transfer_bytes_max / count) / (rows * size);
  const std::int64_t blocks = alike(block, most), step = free_[0].step;
  const auto dim = [](std::int64_t by, std::int64_t elements) {
    return isa::Dim{static_cast<std::int32_t>(by), static_cast<std::int32_t>(elements)};
  };
  const Tile tile = emitter_.sbuf(value_.dtype, rows, blocks * count);
  Tile to = tile;
  to.rank = 2;
  to.dims = {dim(count, blocks), dim(1, count)};
  Tile from{.space = isa::Space::hbm, .dtype = value_.dtype, .tensor = value_.tensor};
  from.offset = (offset_ + block * rows_max() + first * step) * size;
  from.rank = 3;
  from.dims = {dim(step, count), dim(rows_max(), blocks), dim(1, rows)};
  emitter_.emit(isa::DmaTranspose{.dst = to, .src = from});
  keep(block, blocks, first, count, count, tile);
}

// Vector and Scalar share the casts, each as it gets ready.
Tile Blocks::cast(const Tile& loaded) {
  if (format_ == value_.dtype) return loaded;
  const TileMath math(emitter_, loaded.partitions, loaded.free_elements());
  const isa::TensorCopy op{.dst = math.fresh(format_), .src = loaded};
  const machine::Core& core = emitter_.core();
  const auto takes = [&](isa::Engine engine, const base::Clock& clock) {
    return clock(isa::Definition<isa::TensorCopy>::cycles(op, engine, core).occupancy);
  };
  const base::Ticks vector = casts_on_vector_ + takes(isa::Engine::vector, core.vector.clock);
  const base::Ticks scalar = casts_on_scalar_ + takes(isa::Engine::scalar, core.scalar.clock);
  const bool is_vectors = vector <= scalar;
  (is_vectors ? casts_on_vector_ : casts_on_scalar_) = is_vectors ? vector : scalar;
  emitter_.emit(op, is_vectors ? isa::Engine::vector : isa::Engine::scalar);
  return op.dst;
}

Tile Blocks::loaded_row(std::int64_t first, std::int64_t count, std::int64_t block) {
  if (const auto here = row(first, count, block)) return *here;
  const std::int64_t chunk = block * rows_max() / tile_columns;  // as wide as tiles are
  const std::int64_t begin = chunk * tile_columns;
  const auto [entry, is_new] = rows_.try_emplace(std::pair{first, chunk});
  if (is_new) {
    const Window wanted{first, count, begin, std::min(tile_columns, depth() - begin)};
    entry->second = emitter_.sbuf(value_.dtype, wanted.rows, wanted.columns);
    segment_.residents().write_back(value_.tensor);
    load(emitter_, by_free(), wanted, entry->second);
    entry->second = cast(entry->second);
  }
  return part(entry->second, 0, count, block * rows_max() - begin, rows_of(block));
}

void Blocks::turn(std::int64_t block, std::int64_t first, std::int64_t count) {
  const std::int64_t bank = emitter_.core().psum.bank_size.value / 4;
  const std::int64_t at_once = alike(block, bank / count), rows = rows_of(block);
  const std::int64_t blocks =
      is_paired() ? alike(block, std::max<std::int64_t>(at_once, 2)) : at_once;
  const Tile all = emitter_.sbuf(format_, rows, blocks * count);
  for (std::int64_t begin = 0; begin < blocks; begin += at_once) {
    const std::int64_t some_blocks = std::min(at_once, blocks - begin);
    const Tile turned = cells(rows, some_blocks * count);
    for (std::int64_t i = 0; i < some_blocks; ++i) {
      for (std::int64_t at = 0; at < count; at += rows_max()) {
        const std::int64_t some = std::min(rows_max(), count - at);
        emitter_.emit(isa::NcTranspose{.dst = part(turned, 0, rows, i * count + at, some),
                                       .data = loaded_row(first + at, some, block + begin + i)});
      }
    }
    TileMath(emitter_, rows, some_blocks * count)
        .copy(part(all, 0, rows, begin * count, some_blocks * count), turned);
  }
  keep(block, blocks, first, count, count, all);
}

Tile Blocks::cells(std::int64_t rows, std::int64_t elements) const {
  if (numerics::size_in_bytes(format_) > 1) return emitter_.psum(format_, rows, elements);
  Tile wide = emitter_.psum(format_, rows, 2 * elements);
  wide.dims[0] = {2, static_cast<std::int32_t>(elements)};
  return wide;
}

std::optional<Tile> columns_of(const Tile& block, std::int64_t columns, std::int64_t first,
                               std::int64_t count) {
  const isa::Dim along = block.dims.at(block.rank - 1U);
  if (along.count != columns) return std::nullopt;
  Tile some = block;
  some.offset += first * along.step * block.element_bytes();
  some.dims.at(block.rank - 1U).count = static_cast<std::int32_t>(count);
  return some;
}

}  // namespace trainyard::compiler
