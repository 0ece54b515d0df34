#include "isa/semantics/dma.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "isa/core/run_time_index.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/scatter.h"
#include "isa/semantics/transpose_bits.h"

namespace trainyard::isa::dma {

namespace {

// A region as rows that are moved one by one: the partitions of an on-chip tile, the outermost
// dimension of an HBM one.
class Rows {
 public:
  Rows(const Tile& tile, Execution& execution) : tile_(tile), execution_(execution) {
    if (tile.dynamic != 0) {
      how_ = &execution.program.dynamics[tile.dynamic - 1];
      index_end_ = index_end(tile, execution.program);
    }
    if (!lie_in_pieces()) return;
    first_ = place(tile, execution, 0);
    if (tile.on_chip()) {
      step_ = tile.partitions > 1 ? place(tile, execution, 1) - first_ : 0;
    } else if (tile.rank > 0) {
      step_ = (gathers() ? how_->stride : tile.dims[0].step) * tile.element_bytes();
    }
  }

  [[nodiscard]] std::int64_t count() const {
    if (tile_.on_chip()) return tile_.partitions;
    return tile_.rank == 0 ? 1 : tile_.dims[0].count;
  }
  [[nodiscard]] std::size_t row_bytes() const {
    return static_cast<std::size_t>(tile_.bytes() / count());
  }

  // Whether each row lies in one piece, so that piece() finds it without a tile of its own.
  [[nodiscard]] bool are_pieces() const { return first_ != nullptr; }
  // Null when the run-time address is out of bounds and may be skipped.
  [[nodiscard]] std::byte* piece(std::int64_t r, OobMode oob) const {
    if (!gathers()) return first_ + r * step_;
    const std::optional<std::int64_t> index = bounded_index(r, oob);
    return index ? first_ + *index * step_ : nullptr;
  }

  // Between row r and dense bits; false where it is skipped.
  bool read(std::int64_t r, OobMode oob, std::byte* out) const {
    if (are_pieces()) {
      const std::byte* const from = piece(r, oob);
      if (from != nullptr) std::memcpy(out, from, row_bytes());
      return from != nullptr;
    }
    const std::optional<Tile> one = row(r, oob);
    if (one) load_bits(*one, execution_, 0, out);
    return one.has_value();
  }
  void write(std::int64_t r, OobMode oob, const std::byte* in) const {
    if (are_pieces()) {
      std::byte* const to = piece(r, oob);
      if (to != nullptr) std::memcpy(to, in, row_bytes());
    } else if (const std::optional<Tile> one = row(r, oob)) {
      store_bits(*one, execution_, 0, in);
    }
  }

  // Row r as a tile of its own; nothing when the run-time address is out of bounds and may be
  // skipped.
  [[nodiscard]] std::optional<Tile> row(std::int64_t r, OobMode oob) const {
    if (is_left_out()) return std::nullopt;
    Tile one = tile_;
    if (tile_.on_chip()) {
      one.partition_start = static_cast<std::uint16_t>(tile_.partition_start + r);
      one.partitions = 1;
      return one;
    }
    if (tile_.rank > 0) {
      std::int64_t step = std::int64_t{tile_.dims[0].step} * r;
      if (gathers()) {
        const std::optional<std::int64_t> index = bounded_index(r, oob);
        if (!index) return std::nullopt;
        step = *index * how_->stride;
      }
      one.offset += step * tile_.element_bytes();
      for (std::size_t d = 1; d < tile_.rank; ++d) one.dims[d - 1] = tile_.dims[d];
      --one.rank;
    }
    one.dynamic = 0;
    return one;
  }

  [[nodiscard]] bool gathers() const {
    return how_ != nullptr && how_->kind == DynamicAddress::Kind::vector_offset;
  }
  // The list runs down the partitions of the index tile, column after column.
  [[nodiscard]] std::int64_t index(std::int64_t r) const {
    const Tile& list = how_->index;
    return index_value(list, execution_, static_cast<int>(r % list.partitions),
                       r / list.partitions);
  }

 private:
  // Its offset was out of bounds when the instruction was issued, and is skipped (resolve()).
  [[nodiscard]] bool is_left_out() const { return how_ != nullptr && !gathers(); }
  [[nodiscard]] bool lie_in_pieces() const {
    if (is_left_out()) return false;
    if (tile_.on_chip()) return tile_.dynamic == 0 && tile_.contiguous();
    if (tile_.rank == 0) return !gathers();
    Tile row = tile_;
    for (std::size_t d = 1; d < tile_.rank; ++d) row.dims[d - 1] = tile_.dims[d];
    --row.rank;
    return row.contiguous();
  }
  [[nodiscard]] std::optional<std::int64_t> bounded_index(std::int64_t r, OobMode oob) const {
    const std::int64_t at = index(r);
    if (at >= 0 && at < index_end_) return at;
    if (oob == OobMode::skip) return std::nullopt;
    throw base::Fault(base::FaultCategory::out_of_bounds,
                      {"dma.oob", "a gathered or scattered row lies inside its tensor", "",
                       fmt::format("row index {} (entry {}) for {} rows", at, r, index_end_),
                       "correct the index data, or pass oob_mode=oob_mode.skip to drop such rows"});
  }

  const Tile& tile_;
  Execution& execution_;
  const DynamicAddress* how_ = nullptr;
  std::int64_t index_end_ = 0;
  std::byte* first_ = nullptr;  // of rows that are pieces, the first one, or that of index 0
  std::int64_t step_ = 0;       // and bytes from one to the next
};

std::size_t row_bytes(const Tile& row) {
  return static_cast<std::size_t>(row.free_elements() * row.element_bytes());
}

void copy_row(const Tile& dst, const Tile& src, Execution& execution) {
  const std::byte* from = bits(src, execution, 0, execution.raw[0]);
  if (dst.dtype == src.dtype) return store_bits(dst, execution, 0, from);
  const auto n = static_cast<std::size_t>(src.free_elements());
  execution.raw[1].resize(row_bytes(dst));
  convert_moved(src.dtype, from, dst.dtype, execution.raw[1].data(), n, execution);
  store_bits(dst, execution, 0, execution.raw[1].data());
}

void copy_pieces(const Rows& to, const Rows& from, OobMode oob) {
  const std::size_t bytes = from.row_bytes();
  for (std::int64_t r = 0; r < to.count(); ++r) {
    const std::byte* const source = from.piece(r, oob);
    std::byte* const target = to.piece(r, oob);
    if (source != nullptr && target != nullptr) std::memcpy(target, source, bytes);
  }
}

// Regions whose rows differ in length: through one dense buffer, which starts as dst's content
// where rows may be missing.
void copy_reshaped(const Tile& dst, const Tile& src, OobMode oob, Execution& execution) {
  const Elements from = load(src, oob, execution);
  const auto rows = from.row_present.size();
  const bool complete = std::all_of(from.row_present.begin(), from.row_present.end(),
                                    [](bool present) { return present; });
  std::vector<std::byte> to(static_cast<std::size_t>(dst.bytes()));
  if (!complete) to = load(dst, oob, execution).bytes;
  const std::size_t elements = static_cast<std::size_t>(src.elements()) / rows;
  for (std::size_t r = 0; r < rows; ++r) {
    if (!from.row_present[r]) continue;
    convert_moved(src.dtype, from.bytes.data() + r * (from.bytes.size() / rows), dst.dtype,
                  to.data() + r * (to.size() / rows), elements, execution);
  }
  store(dst, to.data(), oob, execution);
}

}  // namespace

Shape shape_of(const Tile& tile) {
  Shape shape;
  if (tile.on_chip()) shape.extents[shape.rank++] = tile.partitions;
  for (const Dim& dim : tile.free()) shape.extents[shape.rank++] = dim.count;
  return shape;
}

Elements load(const Tile& tile, OobMode oob, Execution& execution) {
  const Rows rows(tile, execution);
  Elements elements{std::vector<std::byte>(static_cast<std::size_t>(tile.bytes())),
                    std::vector<bool>(static_cast<std::size_t>(rows.count()))};
  if (tile.space == Space::hbm && tile.dynamic == 0) {  // all rows in one walk
    elements.row_present.assign(elements.row_present.size(), true);
    load_bits(tile, execution, 0, elements.bytes.data());
    return elements;
  }
  for (std::size_t r = 0; r < elements.row_present.size(); ++r) {
    elements.row_present[r] =
        rows.read(static_cast<std::int64_t>(r), oob, elements.bytes.data() + r * rows.row_bytes());
  }
  return elements;
}

void store(const Tile& tile, const std::byte* bytes, OobMode oob, Execution& execution) {
  const Rows rows(tile, execution);
  for (std::int64_t r = 0; r < rows.count(); ++r)
    rows.write(r, oob, bytes + static_cast<std::size_t>(r) * rows.row_bytes());
}

void for_each_row(const Tile& tile, Execution& execution,
                  const std::function<void(const Tile&)>& f) {
  const Rows rows(tile, execution);
  for (std::int64_t r = 0; r < rows.count(); ++r) {
    if (const std::optional<Tile> row = rows.row(r, OobMode::skip)) f(*row);
  }
}

void copy(const Tile& dst, const Tile& src, OobMode oob, Execution& execution) {
  const Rows to(dst, execution), from(src, execution);
  if (to.count() != from.count()) return copy_reshaped(dst, src, oob, execution);
  if (dst.dtype == src.dtype && to.are_pieces() && from.are_pieces())
    return copy_pieces(to, from, oob);
  for (std::int64_t r = 0; r < to.count(); ++r) {
    const std::optional<Tile> source = from.row(r, oob);
    const std::optional<Tile> target = to.row(r, oob);
    if (source && target) copy_row(*target, *source, execution);
  }
}

namespace {

// Element steps of a dense array, slowest first.
Shape dense_steps(std::span<const std::int64_t> extents) {
  Shape steps;
  steps.rank = extents.size();
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    steps.extents[d] = step;
    step *= extents[d];
  }
  return steps;
}

// Writes the elements of src to `out` in dst's order. Elements of rows that are absent stay as they
// are.
template <typename Word>
void permute(const Elements& src, const Shape& shape, std::span<const std::int32_t> axes,
             bool complete, std::byte* out) {
  const Shape from_steps = dense_steps(shape.span());
  Shape extents, steps;
  for (const std::int32_t axis : axes) {
    extents.extents[extents.rank++] = shape.extents[static_cast<std::size_t>(axis)];
    steps.extents[steps.rank++] = from_steps.extents[static_cast<std::size_t>(axis)];
  }
  const std::int64_t row = from_steps.extents[0];
  const std::size_t last = extents.rank - 1;
  const std::int64_t many = extents.extents[last], step = steps.extents[last];
  std::array<std::int64_t, rank_max + 1> at{};
  std::int64_t first = 0;  // of a run of elements in dst's order
  const std::byte* const end = out + src.bytes.size();
  while (out < end) {
    for (std::int64_t i = 0, from = first; i < many; ++i, from += step, out += sizeof(Word)) {
      if (complete || src.row_present[static_cast<std::size_t>(from / row)])
        std::memcpy(out, src.bytes.data() + static_cast<std::size_t>(from) * sizeof(Word),
                    sizeof(Word));
    }
    for (std::size_t d = last; d-- > 0;) {
      first += steps.extents[d];
      if (++at[d] < extents.extents[d]) break;
      first -= steps.extents[d] * extents.extents[d];
      at[d] = 0;
    }
  }
}

}  // namespace

void transpose(const Tile& dst, const Tile& src, std::span<const std::int32_t> axes, OobMode oob,
               Execution& execution) {
  const Elements from = load(src, oob, execution);
  const bool complete = std::all_of(from.row_present.begin(), from.row_present.end(),
                                    [](bool present) { return present; });
  std::vector<std::byte> to(from.bytes.size());
  if (!complete) to = load(dst, oob, execution).bytes;
  const Shape shape = shape_of(src);
  if (shape.rank == 2 && complete) {
    const std::int64_t rows = shape.extents[0], columns = shape.extents[1];
    const std::int64_t width = src.element_bytes();
    transpose_bits(from.bytes.data(), columns * width, to.data(), rows * width, rows, columns,
                   width);
    return store(dst, to.data(), oob, execution);
  }
  switch (src.element_bytes()) {
    case 1: permute<std::uint8_t>(from, shape, axes, complete, to.data()); break;
    case 2: permute<std::uint16_t>(from, shape, axes, complete, to.data()); break;
    case 4: permute<std::uint32_t>(from, shape, axes, complete, to.data()); break;
    default: permute<std::uint64_t>(from, shape, axes, complete, to.data()); break;
  }
  store(dst, to.data(), oob, execution);
}

void sum(const Tile& dst, std::span<const Tile> srcs, OobMode oob, Execution& execution) {
  const auto n = static_cast<std::size_t>(dst.elements());
  std::vector<float> total(n), term(n);
  std::vector<bool> present;
  for (std::size_t s = 0; s < srcs.size(); ++s) {
    const Elements source = load(srcs[s], oob, execution);
    numerics::widen(srcs[s].dtype, source.bytes.data(), term.data(), n);
    for (std::size_t i = 0; i < n; ++i) total[i] = s == 0 ? term[i] : total[i] + term[i];
    if (source.row_present.size() > present.size()) present.resize(source.row_present.size(), true);
    for (std::size_t r = 0; r < source.row_present.size(); ++r)
      present[r] = present[r] && source.row_present[r];
  }
  std::vector<std::byte> result(static_cast<std::size_t>(dst.bytes()));
  convert_moved(DType::float32, reinterpret_cast<const std::byte*>(total.data()), dst.dtype,
                result.data(), n, execution);
  if (std::find(present.begin(), present.end(), false) != present.end()) {
    const std::vector<std::byte> old = load(dst, oob, execution).bytes;
    const std::size_t bytes = result.size() / present.size();
    for (std::size_t r = 0; r < present.size(); ++r) {
      if (!present[r]) std::memcpy(result.data() + r * bytes, old.data() + r * bytes, bytes);
    }
  }
  store(dst, result.data(), oob, execution);
}

std::vector<std::int64_t> row_indices(const Tile& tile, Execution& execution) {
  const Rows rows(tile, execution);
  if (!rows.gathers()) return {};
  std::vector<std::int64_t> list(static_cast<std::size_t>(rows.count()));
  const std::int64_t end = index_end(tile, execution.program);
  for (std::size_t r = 0; r < list.size(); ++r) {
    const std::int64_t at = rows.index(static_cast<std::int64_t>(r));
    list[r] = at < end ? std::max<std::int64_t>(at, -1) : -1;
  }
  return list;
}

void check_unique(const Tile& tile, Execution& execution) {
  std::vector<std::int64_t> seen = row_indices(tile, execution);
  std::erase(seen, -1);
  std::sort(seen.begin(), seen.end());
  const auto twice = std::adjacent_find(seen.begin(), seen.end());
  if (twice == seen.end()) return;
  throw base::Fault(base::FaultCategory::undefined_behavior,
                    {"dma.unique", "the row indices of a read-modify-write are unique", "",
                     fmt::format("row {} appears more than once", *twice),
                     "combine equal rows before the transfer"});
}

}  // namespace trainyard::isa::dma
