// local_gather: elements picked by index lists that the 16 partitions of each GpSimd processor
// share.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/gather.h"

namespace trainyard::isa {

struct LocalGather {
  Tile dst, src_buffer, index;
  std::int32_t num_elem_per_idx = 1;
  std::int32_t num_valid_indices = no_integer;  // None: all of them
};

template <>
struct Definition<LocalGather> {
  static constexpr std::string_view mnemonic = "local_gather";
  static constexpr std::string_view summary =
      "dst[p] = the num_elem_per_idx elements of src_buffer[p] at each index of p's group of 16 "
      "partitions, whose lists are read partition first";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<LocalGather> traits{
      .spread = Spread::moves,
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &LocalGather::dst, "SBUF tile of src_buffer's dtype"),
      reads("src_buffer", &LocalGather::src_buffer, "SBUF tile, [P, ...]"),
      deciding(reads("index", &LocalGather::index, "uint16 SBUF tile, [P, k]: element offsets")),
      immediate("num_elem_per_idx", &LocalGather::num_elem_per_idx,
                "neighbouring elements at each index: 1, 2, 4, 8, 16 or 32", "1"),
      immediate("num_valid_indices", &LocalGather::num_valid_indices,
                "indices of each group that count", "None"),
  };

 private:
  static std::int64_t valid(const LocalGather& op, const machine::Core& core) {
    return op.num_valid_indices != no_integer ? op.num_valid_indices
                                              : op.index.free_elements() * gather::group(core);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<LocalGather>>({
      {"local_gather.c1", "dst, src_buffer and index are in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst, op.src_buffer, op.index); },
       fixes::to_sbuf},
      {"local_gather.c2",
       "dst, src_buffer and index have the same number of partitions, a multiple of 16",
       [](const auto& op, const auto& core) {
         return rules::same_partitions(op.src_buffer, op.index) &&
                rules::same_partitions(op.src_buffer, op.dst) &&
                op.index.partitions % gather::group(core) == 0;
       },
       fixes::whole_groups},
      {"local_gather.c3", "index is uint16",
       [](const auto& op, const auto&) { return rules::dtype_in(op.index, {DType::uint16}); },
       "declare index as uint16, or cast it with tensor_copy first"},
      {"local_gather.c4", "dst has the dtype of src_buffer",
       [](const auto& op, const auto&) { return op.dst.dtype == op.src_buffer.dtype; },
       "cast with tensor_copy"},
      {"local_gather.c5", "num_elem_per_idx is 1, 2, 4, 8, 16 or 32",
       [](const auto& op, const auto&) {
         const std::int32_t n = op.num_elem_per_idx;
         return n >= 1 && n <= 32 && (n & (n - 1)) == 0;
       },
       "pass a power of two up to 32"},
      {"local_gather.c6",
       "a group gathers by 1 to 4096 indices, and has them: num_valid_indices counts some of them",
       [](const auto& op, const auto& core) {
         const std::int64_t n = valid(op, core);
         return n >= 1 && n <= 4096 && n <= op.index.free_elements() * gather::group(core);
       },
       "gather in several instructions"},
      {"local_gather.c7", "dst has num_valid_indices * num_elem_per_idx elements per partition",
       [](const auto& op, const auto& core) {
         return op.dst.free_elements() == valid(op, core) * op.num_elem_per_idx;
       },
       "pass both numbers and size dst accordingly"},
  });
  static constexpr Source source = {"nki.isa.local_gather, NKI 0.6, and its NumPy test"};

  static Timing cycles(const LocalGather& op, Engine, const machine::Core& core) {
    return cost::local_gather(op.dst, valid(op, core), op.num_elem_per_idx, core);
  }
  static Activity activity(const LocalGather& op) { return {.elements = op.dst.elements()}; }
  static void execute(const LocalGather& op, Execution& e) {
    gather::local(op.dst, op.src_buffer, op.index, valid(op, e.machine), op.num_elem_per_idx, e);
  }
};

}  // namespace trainyard::isa
