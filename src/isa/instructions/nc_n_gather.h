// nc_n_gather: elements of each row picked by an index list of its own.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/gather.h"

namespace trainyard::isa {

struct NcNGather {
  Tile dst, data, indices;
};

template <>
struct Definition<NcNGather> {
  static constexpr std::string_view mnemonic = "nc_n_gather";
  static constexpr std::string_view summary = "dst[p, i] = data[p] flattened, at indices[p, i]";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<NcNGather> traits{
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &NcNGather::dst, "SBUF tile of data's dtype, as large as indices"),
      reads("data", &NcNGather::data, "SBUF tile, [P, ...]"),
      deciding(reads("indices", &NcNGather::indices, "uint32 SBUF tile, [P, ...]")),
  };
  static constexpr auto constraints = std::to_array<Constraint<NcNGather>>({
      {"nc_n_gather.c1", "dst, data and indices are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.data, op.indices); },
       fixes::to_sbuf},
      {"nc_n_gather.c2", "dst, data and indices have the same number of partitions",
       [](const auto& op, const auto&) {
         return rules::same_partitions(op.dst, op.data) &&
                rules::same_partitions(op.dst, op.indices);
       },
       fixes::same_sizes},
      {"nc_n_gather.c3", "dst has as many elements per partition as indices",
       [](const auto& op, const auto&) { return rules::same_elements(op.dst, op.indices); },
       fixes::same_sizes},
      {"nc_n_gather.c4", "indices is uint32",
       [](const auto& op, const auto&) { return rules::dtype_in(op.indices, {DType::uint32}); },
       "declare indices as uint32, or cast it with tensor_copy first"},
      {"nc_n_gather.c5", "dst has the dtype of data",
       [](const auto& op, const auto&) { return op.dst.dtype == op.data.dtype; },
       "cast with tensor_copy"},
  });
  static constexpr Source source = {"nki.isa.nc_n_gather, NKI 0.6"};

  static Timing cycles(const NcNGather& op, Engine, const machine::Core& core) {
    return cost::gather(op.dst, core);
  }
  static Activity activity(const NcNGather& op) { return {.elements = op.dst.elements()}; }
  static void execute(const NcNGather& op, Execution& e) {
    gather::rows(op.dst, op.data, op.indices, e);
  }
};

}  // namespace trainyard::isa
