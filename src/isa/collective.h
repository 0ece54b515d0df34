// What the collectives share: their rules, what a rank sends, and how its result is made of what
// all of them sent. Elements count in row-major order, partitions first on chip. Who waits for whom
// is the runners' affair, and how long it takes that of fabric/.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "isa/cost.h"
#include "isa/definition.h"
#include "isa/dma.h"
#include "isa/execution.h"
#include "isa/program.h"
#include "isa/rules.h"

namespace trainyard::isa::collective {

using Bytes = std::vector<std::byte>;

// What the Definition of every collective has. An engine triggers it and goes on; GpSimd, so that
// the queues of ordinary loads and stores are not held up (assumed).
struct DefinitionDefaults : isa::DefinitionDefaults {
  static constexpr Kind kind = Kind::dma;
  static constexpr HiddenState hidden = HiddenState::peer;
  static constexpr EngineSet engines{Engine::sync, Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;

  static Timing cycles(const auto&, Engine engine, const machine::Core& core) {
    return cost::dma_issue(engine, core);
  }
  static Activity activity(const auto&) { return {}; }
};

// --- Rules ---

template <typename Op>
[[nodiscard]] bool in_one_memory(const Op& op) {
  return dma::reachable(op.src) && op.src.space == op.dst.space;
}
template <typename Op>
[[nodiscard]] bool in_hbm(const Op& op) {
  return op.src.space == Space::hbm && op.dst.space == Space::hbm;
}
// SBUF collectives work on two dimensions: partitions and one free dimension.
template <typename Op>
[[nodiscard]] bool is_flat(const Op& op) {
  const auto flat = [](const Tile& tile) {
    return !tile.on_chip() || rules::dimensions_at_most(tile, 1);
  };
  return flat(op.src) && flat(op.dst);
}
// The DMA rings of collectives are built when a program is loaded.
template <typename Op>
[[nodiscard]] bool has_fixed_addresses(const Op& op) {
  return op.src.dynamic == 0 && op.dst.dynamic == 0;
}
template <typename Op>
[[nodiscard]] bool has_priority(const Op& op, const machine::Core& core) {
  return !dma::has_priority(op.priority) ||
         (core.features.dma_priority && dma::is_priority(op.priority, core));
}
// No rank is there twice, and this one is among them.
[[nodiscard]] bool is_group(const RankList& group, std::int32_t rank);
// A rank of the group, or -1 for nobody.
[[nodiscard]] inline bool is_peer(const RankList& group, std::int32_t rank) {
  return rank == -1 || std::ranges::find(group.span(), rank) != group.span().end();
}
// The operators that collectives reduce with, and the formats that they can be applied to.
[[nodiscard]] bool is_reduction(numerics::AluOp op);
[[nodiscard]] bool is_reducible(const Tile& tile);
// dst is `times` src along dimension `dim`, counted from 0.
[[nodiscard]] bool grows(const Tile& dst, const Tile& src, std::int64_t times, std::int32_t dim);

// --- Meeting ---

// What two ranks of a group must have alike; empty when they do.
template <typename Op>
[[nodiscard]] std::string tile_mismatch(const Op& mine, const Op& other) {
  if (mine.src.dtype != other.src.dtype) return "they have different dtypes";
  if (mine.src.space != other.src.space) return "they work on different memories";
  if (mine.src.elements() != other.src.elements()) return "they give different numbers of elements";
  return {};
}
template <typename Op>
[[nodiscard]] Meeting meeting(const Op& op, CollectiveKind kind) {
  return {.encounter = Encounter::collective,
          .channel = collective_queue(0),
          .kind = kind,
          .ranks = op.group.span(),
          .bytes = {std::max(op.src.bytes(), op.dst.bytes())},
          .follows = op.follows};
}

// --- Values ---

// Where `rank` stands in its group.
[[nodiscard]] std::size_t position(const RankList& group, std::int32_t rank);
// What the rank at a position sent. The cores of a logical core that share the data send it alike.
[[nodiscard]] const Bytes& sent_by(std::size_t position, const RankList& group,
                                   const Execution& execution);
[[nodiscard]] Bytes content(const Tile& tile, Execution& execution);
void fill(const Tile& tile, const Bytes& content, Execution& execution);

// The bytes [begin, begin + size) of what all ranks sent, combined in the order of the group: in
// fp32 with one cast at the end, 32-bit integers as such.
[[nodiscard]] Bytes reduced(const RankList& group, numerics::AluOp op, DType dtype,
                            std::size_t begin, std::size_t size, Execution& execution);
// a op b by the same arithmetic.
[[nodiscard]] Bytes combined(const Bytes& a, const Bytes& b, numerics::AluOp op, DType dtype,
                             Execution& execution);
// Everybody's tile, side by side along dimension 0 or 1.
[[nodiscard]] Bytes gathered(const RankList& group, const Tile& dst, std::int32_t dim,
                             Execution& execution);

// --- Chunks whose lengths are known at run time ---

// A metadata tensor's rows as the instruction names them; recv_counts and recv_displs may be
// absent.
[[nodiscard]] bool is_metadata(const Tile& sends, const Tile& recv_counts, const Tile& recv_displs,
                               std::int64_t ranks);
[[nodiscard]] std::vector<std::uint32_t> words(const Tile& tile, Execution& execution);
// Element i of a metadata tensor as a tile.
[[nodiscard]] Tile word(const Tile& tile, std::int64_t i);

// [offset, offset + count) elements.
struct Chunk {
  std::int64_t offset = 0, count = 0;
};
// The chunks of src, each behind its length. Throws Fault "collective.bounds" for one outside.
[[nodiscard]] Bytes packed(const Tile& src, std::span<const Chunk> chunks, Execution& execution);
// The k-th of them.
[[nodiscard]] std::span<const std::byte> unpacked(const Bytes& sent, std::size_t k);
// Puts the `which`-th chunk that each rank sent into dst: at its displacement, or in a slot of its
// own; tells the lengths where somebody wants to know. Throws Fault "collective.bounds".
void receive_chunks(const Tile& dst, const Tile& counts, const Tile& displacements,
                    const RankList& group, std::size_t which, Execution& execution);

}  // namespace trainyard::isa::collective
