#include "compiler/lowering/sorts/compare_exchange.h"

#include <algorithm>
#include <limits>

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

// What one instruction compares: more would hold more flags on chip, fewer pay more starts.
constexpr std::int64_t pairs_max = 1024;
// From so many on GpSimd compares while Vector exchanges: it starts later, and takes one element a
// cycle of two tiles where Vector takes half of one.
constexpr std::int64_t pairs_on_gpsimd = 256;

isa::Engine comparing(std::int64_t pairs) {
  return pairs >= pairs_on_gpsimd ? isa::Engine::gpsimd : isa::Engine::any;
}

Tile at(const Tile& tile, const ColumnPairs& pairs, std::int64_t column) {
  Tile view = tile;
  view.offset += column * tile.element_bytes();
  view.rank = 3;
  std::ranges::copy(pairs.dims, view.dims.begin());
  return isa::simplified(view);
}

// Scalar copies, where it can, what Vector then writes over.
void exchange(const TileMath& math, const Tile& a, const Tile& b, const Tile& exchanged,
              isa::Engine copying) {
  const Tile before = math.copy(math.fresh(a.dtype), a, copying);
  math.put(a, b, exchanged);
  math.put(b, before, exchanged);
}

std::int32_t narrow(std::int64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

double last_key(DType dtype) {
  if (dtype == DType::int32) return std::numeric_limits<std::int32_t>::max();
  if (dtype == DType::uint32) return std::numeric_limits<std::uint32_t>::max();
  return std::numeric_limits<double>::infinity();
}

Tile comes_first(const TileMath& math, std::span<const Tile> a, std::span<const Tile> b) {
  const isa::Engine engine = comparing(a[0].free_elements());
  const auto flag = [&](const Tile& x, AluOp op, const Tile& y) {
    if (!is_word(x.dtype)) return math.tensor(math.fresh(DType::uint8), x, op, y, engine);
    const Tile answer = math.tensor(math.fresh(DType::int32), x, op, y);  // exact on GpSimd
    return math.copy(math.fresh(DType::uint8), answer);
  };
  const Tile tied =
      flag(flag(a[0], AluOp::equal, b[0]), AluOp::multiply, flag(b[1], AluOp::less, a[1]));
  return flag(flag(b[0], AluOp::less, a[0]), AluOp::maximum, tied);
}

void CompareExchange::sort(std::int64_t length, const Downwards& down) const {
  for (std::int64_t part = 1; part < length; part *= 2) {
    for (std::int64_t apart = part; apart >= 1; apart /= 2) {
      const bool first = apart == part;
      compare({.start = first ? 0 : apart,
               .dims = {{{narrow(2 * part), narrow(columns() / (2 * part))},
                         {narrow(2 * apart), narrow(first ? 1 : part / apart - 1)},
                         {1, narrow(apart)}}},
               .apart = apart},
              down);
    }
  }
}

void CompareExchange::round(std::int64_t apart, std::int64_t some, std::int64_t stride,
                            const Downwards& down) const {
  compare({.start = 0,
           .dims = {{{narrow(stride), narrow(columns() / stride)},
                     {narrow(2 * apart), narrow(some / (2 * apart))},
                     {1, narrow(apart)}}},
           .apart = apart},
          down);
}

CompareExchange CompareExchange::on_partitions(std::int64_t partitions) const {
  CompareExchange some = *this;
  for (Tile& tile : some.values_) tile = part(tile, 0, partitions, 0, tile.free_elements());
  return some;
}

void CompareExchange::compare(const ColumnPairs& pairs, const Downwards& down) const {
  std::int64_t count = 1;
  for (const isa::Dim& dim : pairs.dims) count *= dim.count;
  if (count > pairs_max) {
    const auto slowest = std::ranges::find_if(pairs.dims, [](auto& dim) { return dim.count > 1; });
    ColumnPairs front = pairs, back = pairs;
    const auto which = static_cast<std::size_t>(slowest - pairs.dims.begin());
    front.dims.at(which).count = slowest->count / 2;
    back.dims.at(which).count = slowest->count - slowest->count / 2;
    back.start += std::int64_t{slowest->step} * front.dims.at(which).count;
    compare(front, down);
    return compare(back, down);
  }
  std::vector<Tile> first, second;
  for (const Tile& value : values_) {
    first.push_back(at(value, pairs, pairs.start));
    second.push_back(at(value, pairs, pairs.start + pairs.apart));
  }
  const TileMath math(emitter_, values_.front().partitions, count);
  Tile exchanged = order_(math, first, second);
  if (down) {
    Tile turned = repeated(down, count);
    if (down.free_elements() > 1) {  // its columns are those of each stride
      ColumnPairs columns = pairs;
      columns.dims[0].step = 0;
      turned = at(down, columns, pairs.start % down.free_elements());
    }
    exchanged = math.tensor(math.fresh(DType::uint8), exchanged, AluOp::not_equal, turned,
                            comparing(count));
  }
  const bool scalar_copies = emitter_.core().features.scalar_copy;
  for (std::size_t i = 0; i < values_.size(); ++i)
    exchange(math, first[i], second[i], exchanged,
             scalar_copies ? isa::Engine::scalar : isa::Engine::any);
}

}  // namespace trainyard::compiler
