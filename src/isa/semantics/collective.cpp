#include "isa/semantics/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/semantics/cast.h"
#include "numerics/alu.h"

namespace trainyard::isa::collective {

using numerics::AluOp;

namespace {

// They are ranks, and none is there twice.
bool are_distinct(std::vector<std::int32_t> ranks) {
  std::ranges::sort(ranks);
  return std::ranges::adjacent_find(ranks) == ranks.end() && (ranks.empty() || ranks[0] >= 0);
}

std::span<const std::int32_t> own_group(RankGroups groups, const Site& site) {
  return site.program.group_with(groups, site.runner->rank);
}

// How many chips the ranks of a group are on, of which each holds so many.
std::size_t chips_of(std::span<const std::int32_t> group, std::int32_t ranks_per_chip) {
  std::vector<std::int32_t> chips;
  for (const std::int32_t rank : group) chips.push_back(rank / ranks_per_chip);
  std::ranges::sort(chips);
  return static_cast<std::size_t>(std::ranges::unique(chips).begin() - chips.begin());
}

bool is_placed(const Site& site) {
  return site.runner && site.runner->cores > 0 && site.runner->ranks_per_chip > 0;
}

bool has_same_dims(std::span<const Dim> a, std::span<const Dim> b) {
  return std::ranges::equal(a, b, {}, &Dim::count, &Dim::count);
}

}  // namespace

bool are_groups(RankGroups groups, const Site& site) {
  if (groups.id == 0) return false;
  const IndexedRankLists& lists = site.program.rank_groups[groups.id - 1];
  if (!lists.are_disjoint() || lists.lowest() < 0) return false;
  if (!site.runner) return true;
  const bool all_run = site.runner->ranks == 0 || lists.highest() < site.runner->ranks;
  return all_run && !own_group(groups, site).empty();
}

bool are_pairs(RankGroups pairs, RankGroups groups, const Site& site) {
  std::vector<std::int32_t> sources, targets;
  for (const std::vector<std::int32_t>& pair : site.program.groups(pairs)) {
    if (pair.size() != 2) return false;
    const auto group = site.program.group_with(groups, pair[0]);
    if (group.empty() || site.program.group_with(groups, pair[1]).data() != group.data())
      return false;
    sources.push_back(pair[0]);
    targets.push_back(pair[1]);
  }
  return are_distinct(std::move(sources)) && are_distinct(std::move(targets));
}

bool is_reduction(AluOp op) {
  return op == AluOp::add || op == AluOp::minimum || op == AluOp::maximum;
}

bool is_reducible(const Tile& tile) {
  return !numerics::is_packed(tile.dtype) && tile.element_bytes() <= 4;
}

std::int32_t streams(const Site& site) {
  constexpr std::int32_t streams_a_core = 2;
  const std::int32_t cores = site.runner ? site.runner->cores : 0;
  return cores == 0 ? collective_channels
                    : std::min<std::int32_t>(streams_a_core * cores, collective_channels);
}

std::int32_t channels(RankGroups groups, const Site& site) {
  constexpr std::int32_t of_some = 2;
  if (!site.runner || site.runner->ranks == 0) return collective_channels;
  const auto group = static_cast<std::int32_t>(own_group(groups, site).size());
  return group == site.runner->ranks ? collective_channels : of_some;
}

bool may_gather_chunks(RankGroups groups, const Site& site) {
  if (!is_placed(site)) return true;
  const std::span<const std::int32_t> group = own_group(groups, site);
  return group.size() == 4 && site.runner->cores == 2 &&
         chips_of(group, site.runner->ranks_per_chip) == 1;
}

bool may_exchange_chunks(RankGroups groups, bool displaced, const Site& site) {
  if (!is_placed(site)) return true;
  const std::int32_t per_chip = site.runner->ranks_per_chip;
  const std::span<const std::int32_t> group = own_group(groups, site);
  if (group.empty()) return true;  // are_groups() refuses it
  if (site.runner->switched) {
    const std::size_t chips = chips_of(group, per_chip);
    const auto [first, last] = std::ranges::minmax(group);
    return site.runner->cores == 2 && chips > 1 &&
           group.size() == chips * static_cast<std::size_t>(per_chip) &&
           group.size() == static_cast<std::size_t>(last - first) + 1;
  }
  const auto same_place = [&](std::int32_t rank) { return rank % per_chip == group[0] % per_chip; };
  return !displaced || std::ranges::all_of(group, same_place);
}

bool grows(const Tile& dst, const Tile& src, std::int64_t times, std::int32_t dim) {
  if (!dst.on_chip()) {
    if (dim != 0 || dst.elements() != times * src.elements()) return false;
    // Of a view of more dimensions some are walked as one.
    if (dst.rank == rank_max || src.rank == rank_max) return true;
    const std::span<const Dim> to = dst.free(), from = src.free();
    if (to.size() != from.size()) return false;
    return to.empty() || has_same_dims(to.subspan(1), from.subspan(1));
  }
  if (dim == 0) return dst.partitions == times * src.partitions && rules::same_elements(dst, src);
  return rules::same_partitions(dst, src) && dst.free_elements() == times * src.free_elements();
}

std::size_t position(RankGroups groups, std::int32_t rank, const Execution& execution) {
  const std::span<const std::int32_t> ranks = group(groups, execution);
  return static_cast<std::size_t>(std::ranges::find(ranks, rank) - ranks.begin());
}

const Payload& sent_by(std::size_t position, std::size_t ranks, const Execution& execution) {
  const std::size_t cores = execution.received.size() / ranks;
  return execution.received[position * cores].bytes;
}

Payload content(const Tile& tile, Execution& execution) {
  return dma::load(tile, OobMode::error, execution).bytes;
}

void fill(const Tile& tile, const Payload& content, Execution& execution) {
  base::check(content.size() == static_cast<std::size_t>(tile.bytes()), "a result fills its tile");
  dma::store(tile, content.data(), OobMode::error, execution);
}

namespace {

// Combines element by element, in one arithmetic for all formats but 32-bit integers.
class Combination {
 public:
  Combination(AluOp op, DType dtype, SharedSum& sum) : op_(op), dtype_(dtype), sum_(sum) {}

  void add(const std::byte* from, std::size_t bytes) {
    if (dtype_ == DType::int32 || dtype_ == DType::uint32) return add_integers(from, bytes);
    const std::size_t n = bytes / static_cast<std::size_t>(numerics::size_in_bytes(dtype_));
    next_.resize(n);
    numerics::widen(dtype_, from, next_.data(), n);
    if (first_) {
      sum_.floats = next_;
    } else {
      numerics::apply(op_, sum_.floats.data(), next_.data(), sum_.floats.data(), n);
    }
    first_ = false;
  }

 private:
  void add_integers(const std::byte* from, std::size_t bytes) {
    std::vector<std::int32_t> next(bytes / sizeof(std::int32_t));
    std::memcpy(next.data(), from, bytes);
    if (first_) {
      sum_.integers = std::move(next);
    } else {
      for (std::size_t i = 0; i < next.size(); ++i)
        sum_.integers[i] = one(sum_.integers[i], next[i]);
    }
    first_ = false;
  }
  [[nodiscard]] std::int32_t one(std::int32_t a, std::int32_t b) const {
    if (dtype_ == DType::int32) return numerics::apply_int32(op_, a, b);
    return static_cast<std::int32_t>(
        numerics::apply_uint32(op_, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)));
  }

  AluOp op_;
  DType dtype_;
  SharedSum& sum_;
  bool first_ = true;
  std::vector<float> next_;
};

Payload cast(const SharedSum& sum, DType dtype, Execution& execution) {
  if (!sum.integers.empty()) {
    Payload bytes(sum.integers.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), sum.integers.data(), bytes.size());
    return bytes;
  }
  Payload bytes(sum.floats.size() * static_cast<std::size_t>(numerics::size_in_bytes(dtype)));
  convert_moved(DType::float32, reinterpret_cast<const std::byte*>(sum.floats.data()), dtype,
                bytes.data(), sum.floats.size(), execution);
  return bytes;
}

[[noreturn]] void out_of_bounds(const std::string& found) {
  throw base::Fault(base::FaultCategory::out_of_bounds,
                    {"collective.bounds", "the chunks of a collective lie inside its tensors", "",
                     found, "correct the counts and displacements in the metadata tensor"});
}

// Puts a chunk at `offset` elements, where at most `room` elements may be written.
void place(std::span<const std::byte> chunk, std::int64_t offset, std::int64_t room,
           std::int64_t element, Payload& content) {
  const auto begin = static_cast<std::size_t>(offset * element);
  if (static_cast<std::int64_t>(chunk.size()) > room * element ||
      begin + chunk.size() > content.size()) {
    out_of_bounds(fmt::format("{} elements arrive for {} from {} on in a destination of {}",
                              static_cast<std::int64_t>(chunk.size()) / element, room, offset,
                              static_cast<std::int64_t>(content.size()) / element));
  }
  std::ranges::copy(chunk, content.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace

Payload reduced(RankGroups groups, AluOp op, DType dtype, std::size_t begin, std::size_t bytes,
                Execution& execution) {
  const SharedSum::Of of{op, dtype, begin, bytes};
  SharedSum own;
  SharedSum& sum = execution.shared_sum != nullptr ? *execution.shared_sum : own;
  if (sum.of != of) {
    sum = {.of = of};
    Combination combination(op, dtype, sum);
    const std::size_t ranks = size(groups, execution);
    for (std::size_t k = 0; k < ranks; ++k)
      combination.add(sent_by(k, ranks, execution).data() + begin, bytes);
  }
  return cast(sum, dtype, execution);
}

Payload combined(const Payload& a, const Payload& b, AluOp op, DType dtype, Execution& execution) {
  SharedSum sum;
  Combination combination(op, dtype, sum);
  combination.add(a.data(), a.size());
  combination.add(b.data(), b.size());
  return cast(sum, dtype, execution);
}

Payload gathered(RankGroups groups, const Tile& dst, std::int32_t dim, Execution& execution) {
  Payload result;
  result.reserve(static_cast<std::size_t>(dst.bytes()));
  const std::size_t rows = dim == 0 ? 1 : dst.partitions, ranks = size(groups, execution);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < ranks; ++k) {
      const Payload& sent = sent_by(k, ranks, execution);
      const std::size_t row = sent.size() / rows;
      const auto from = sent.begin() + static_cast<std::ptrdiff_t>(r * row);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(row));
    }
  }
  return result;
}

bool is_metadata(const Tile& sends, const Tile& recv_counts, const Tile& recv_displs,
                 std::int64_t ranks) {
  const auto rows = [&](const Tile& tile, std::int64_t count) {
    return tile.dtype == DType::uint32 && dma::reachable(tile) &&
           (!tile.on_chip() || tile.partitions == 1) && tile.elements() == count * ranks;
  };
  return rows(sends, 2) && (!recv_counts || rows(recv_counts, 1)) &&
         (!recv_displs || rows(recv_displs, 1));
}

std::vector<std::uint32_t> words(const Tile& tile, Execution& execution) {
  const Payload bytes = content(tile, execution);
  std::vector<std::uint32_t> result(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

Tile word(const Tile& tile, std::int64_t i) {
  Tile one = tile;
  for (std::size_t d = tile.rank; d-- > 0; i /= tile.dims[d].count)
    one.offset += i % tile.dims[d].count * tile.dims[d].step * tile.element_bytes();
  one.rank = 0;
  return one;
}

Payload packed(const Tile& src, std::span<const Chunk> chunks, Execution& execution) {
  const Payload all = content(src, execution);
  const std::int64_t element = src.element_bytes();
  Payload sent;
  for (const Chunk& chunk : chunks) {
    if (chunk.offset + chunk.count > src.elements()) {
      out_of_bounds(fmt::format("{} elements from {} on of a source of {}", chunk.count,
                                chunk.offset, src.elements()));
    }
    const std::int64_t bytes = chunk.count * element;
    const auto* length = reinterpret_cast<const std::byte*>(&bytes);
    sent.insert(sent.end(), length, length + sizeof(bytes));
    const auto from = all.begin() + chunk.offset * element;
    sent.insert(sent.end(), from, from + bytes);
  }
  return sent;
}

std::span<const std::byte> unpacked(const Payload& sent, std::size_t k) {
  std::size_t at = 0;
  for (;; --k) {
    std::int64_t bytes = 0;
    std::memcpy(&bytes, sent.data() + at, sizeof(bytes));
    at += sizeof(bytes);
    const auto size = static_cast<std::size_t>(bytes);
    if (k == 0) return std::span(sent).subspan(at, size);
    at += size;
  }
}

void receive_chunks(const Tile& dst, const Tile& counts, const Tile& displacements,
                    RankGroups groups, std::size_t which, Execution& execution) {
  const std::size_t ranks = size(groups, execution);
  const std::int64_t element = dst.element_bytes();
  const std::int64_t slot = dst.elements() / static_cast<std::int64_t>(ranks);
  std::vector<std::uint32_t> given, came;
  if (displacements) given = words(displacements, execution);
  Payload result = content(dst, execution);
  for (std::size_t k = 0; k < ranks; ++k) {
    const std::span<const std::byte> chunk = unpacked(sent_by(k, ranks, execution), which);
    if (displacements) {
      place(chunk, given[k], dst.elements() - given[k], element, result);
    } else {
      place(chunk, slot * static_cast<std::int64_t>(k), slot, element, result);
    }
    came.push_back(static_cast<std::uint32_t>(chunk.size() / static_cast<std::size_t>(element)));
  }
  fill(dst, result, execution);
  if (!counts) return;
  const auto* bytes = reinterpret_cast<const std::byte*>(came.data());
  fill(counts, Payload(bytes, bytes + came.size() * sizeof(std::uint32_t)), execution);
}

}  // namespace trainyard::isa::collective
