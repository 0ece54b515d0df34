// nc_stream_shuffle: rows moved between the partitions of a quadrant.
#pragma once

#include <cstring>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct NcStreamShuffle {
  Tile dst, src;
  IntList shuffle_mask;
};

template <>
struct Definition<NcStreamShuffle> {
  static constexpr std::int32_t unmodified = 255;  // this mask value leaves a row as it is

  static constexpr std::string_view mnemonic = "nc_stream_shuffle";
  static constexpr std::string_view summary =
      "dst row i of each 32-partition quadrant = src row shuffle_mask[i] of the same quadrant";
  static constexpr EngineSet engines{Engine::vector};
  static constexpr Engine engine = Engine::vector;
  static constexpr auto operands = std::tuple{
      writes("dst", &NcStreamShuffle::dst, "SBUF or PSUM tile"),
      reads("src", &NcStreamShuffle::src, "SBUF or PSUM tile of dst's dtype and row size"),
      immediate("shuffle_mask", &NcStreamShuffle::shuffle_mask,
                "32 row numbers; 255 leaves the row unmodified"),
  };

 private:
  static bool entries_exist(const NcStreamShuffle& op, std::int64_t quadrant) {
    for (std::int64_t p = 0; p < op.dst.partitions; ++p) {
      const std::int64_t i = p % quadrant;
      if (i >= op.shuffle_mask.count) continue;
      const std::int32_t from = op.shuffle_mask.items[static_cast<std::size_t>(i)];
      if (from == unmodified) continue;
      if (from < 0 || from >= quadrant || p - i + from >= op.src.partitions) return false;
    }
    return true;
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<NcStreamShuffle>>({
      {"nc_stream_shuffle.c1", "dst and src are on chip",
       [](const auto& op, const auto&) { return rules::on_chip(op.dst, op.src); },
       "load HBM data with dma_copy first"},
      {"nc_stream_shuffle.c2", "dst and src have the same dtype",
       [](const auto& op, const auto&) { return op.dst.dtype == op.src.dtype; },
       "cast with tensor_copy first"},
      {"nc_stream_shuffle.c3", "dst and src have the same number of elements per partition",
       [](const auto& op, const auto&) { return rules::same_elements(op.dst, op.src); },
       fixes::same_sizes},
      {"nc_stream_shuffle.c4", "shuffle_mask has one entry for each partition of a quadrant",
       [](const auto& op, const auto& core) {
         return std::int64_t{op.shuffle_mask.count} == core.sbuf.quadrant;
       },
       "pass an entry for each; 255 leaves a row as it is"},
      {"nc_stream_shuffle.c5",
       "each entry of shuffle_mask that dst uses is 255 or the number of a row of src",
       [](const auto& op, const auto& core) { return entries_exist(op, core.sbuf.quadrant); },
       "make src as tall as the rows that the mask names"},
      {"nc_stream_shuffle.c6",
       "dst and src start at partition 0 when the taller one has more than 64 partitions, at 0 or "
       "64 for 33 to 64, at the start of a quadrant for up to 32",
       [](const auto& op, const auto& core, const Site& site) {
         const std::int64_t quadrant = core.sbuf.quadrant;
         const int rows = std::max(op.dst.partitions, op.src.partitions);
         const std::int64_t multiple = rows > 2 * quadrant ? 4 * quadrant
                                       : rows > quadrant   ? 2 * quadrant
                                                           : quadrant;
         return rules::first_partition(op.dst, site) % multiple == 0 &&
                rules::first_partition(op.src, site) % multiple == 0;
       },
       "move the tiles, or copy the rows with dma_copy, which has no such rule"},
  });
  static constexpr Source source = {"nki.isa.nc_stream_shuffle, NKI 0.6"};

  // Rows that the mask leaves alone keep their old content.
  static Access access(const NcStreamShuffle& op, std::size_t operand) {
    if (operand == 1) return Access::read;
    if (operand > 1) return Access::none;
    const auto mask = op.shuffle_mask.span();
    return std::find(mask.begin(), mask.end(), unmodified) == mask.end() ? Access::write
                                                                         : Access::write_some;
  }
  static Timing cycles(const NcStreamShuffle& op, Engine, const machine::Core& core) {
    return cost::vector(op.dst, op.src, core.vector_rates.shuffle, core);
  }
  static Activity activity(const NcStreamShuffle& op) { return {.elements = op.dst.elements()}; }
  // A quadrant is read before it is written: dst may be src.
  static void execute(const NcStreamShuffle& op, Execution& e) {
    const auto bytes = static_cast<std::size_t>(op.src.free_elements() * op.src.element_bytes());
    const auto quadrant = static_cast<int>(op.shuffle_mask.count);
    std::vector<std::byte>& rows = e.raw[0];
    rows.resize(bytes * static_cast<std::size_t>(quadrant));
    for (int first = 0; first < op.dst.partitions; first += quadrant) {
      for (int i = 0; i < quadrant && first + i < op.src.partitions; ++i)
        load_bits(op.src, e, first + i, rows.data() + static_cast<std::size_t>(i) * bytes);
      for (int i = 0; i < quadrant && first + i < op.dst.partitions; ++i) {
        const std::int32_t from = op.shuffle_mask.items[static_cast<std::size_t>(i)];
        if (from == unmodified) continue;
        store_bits(op.dst, e, first + i, rows.data() + static_cast<std::size_t>(from) * bytes);
      }
    }
  }

  static constexpr Traits<NcStreamShuffle> traits{
      .spread = Spread::moves,
      .moves_values = true,
      .reads_first = true,
      .access = access,
  };
};

}  // namespace trainyard::isa
