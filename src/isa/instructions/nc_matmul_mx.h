// nc_matmul_mx: the Tensor engine's product of MXFP8 and MXFP4 matrices with their block scales.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/matmul.h"
#include "isa/semantics/mx.h"

namespace trainyard::isa {

struct NcMatmulMx {
  Tile dst{}, stationary{}, moving{}, stationary_scale{}, moving_scale{};
  IntPair tile_position{}, tile_size{};
  Accumulate accumulate = Accumulate::automatic;

  [[nodiscard]] bool tiled() const { return tile_position.count == 2 && tile_size.count == 2; }
};

template <>
struct Definition<NcMatmulMx> {
  static constexpr std::string_view mnemonic = "nc_matmul_mx";
  static constexpr std::string_view summary =
      "dst (+)= transpose(stationary x scale) x (moving x scale); K is 4 x partitions";
  static constexpr EngineSet engines{Engine::tensor};
  static constexpr Engine engine = Engine::tensor;
  static constexpr auto operands = std::tuple{
      as(Role::sum,
         indirectable(writes("dst", &NcMatmulMx::dst, "PSUM tile of float32 or bfloat16, [M, N]"))),
      as(Role::stationary, indirectable(reads("stationary", &NcMatmulMx::stationary,
                                              "SBUF tile of a packed FP8 or FP4 dtype, [P, M]"))),
      as(Role::moving, indirectable(reads("moving", &NcMatmulMx::moving,
                                          "SBUF tile of a packed FP8 or FP4 dtype, [P, N]"))),
      as(Role::stationary_scale,
         indirectable(with_own_start_rule(
             reads("stationary_scale", &NcMatmulMx::stationary_scale,
                   "SBUF tile of float8_e8m0fnu or uint8, laid out as quantize_mx does")))),
      as(Role::moving_scale,
         indirectable(with_own_start_rule(
             reads("moving_scale", &NcMatmulMx::moving_scale, "as stationary_scale, for moving")))),
      immediate("tile_position", &NcMatmulMx::tile_position,
                "(row, 0): where the used rows of the array start", "None"),
      immediate("tile_size", &NcMatmulMx::tile_size, "(rows, 128) of the used part of the array",
                "None"),
      immediate("accumulate", &NcMatmulMx::accumulate,
                "True adds to dst, False overwrites it, None adds where an earlier instruction of "
                "the program has written",
                "None"),
  };

 private:
  // Both tiles of a pair are gathered with the same index, or neither is.
  static bool same_index(const Tile& data, const Tile& scale, const Site& site) {
    const DynamicAddress* a = rules::dynamic(data, site);
    const DynamicAddress* b = rules::dynamic(scale, site);
    const bool gathered = rules::indirect(data, site);
    if (gathered != rules::indirect(scale, site)) return false;
    return !gathered || (a->index == b->index && a->stride == b->stride);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<NcMatmulMx>>({
      {"nc_matmul_mx.c1", "the core has the MX formats (gen4)",
       [](const auto&, const auto& core) { return core.features.mx; },
       "dequantise and use nc_matmul"},
      {"nc_matmul_mx.c2", "the operands and their scales are in SBUF",
       [](const auto& op, const auto&) {
         return op.stationary.space == Space::sbuf && op.moving.space == Space::sbuf &&
                op.stationary_scale.space == Space::sbuf && op.moving_scale.space == Space::sbuf;
       },
       fixes::to_sbuf},
      {"nc_matmul_mx.c3", "dst is in PSUM",
       [](const auto& op, const auto&) { return op.dst.space == Space::psum; },
       "allocate dst with buffer=nl.psum and copy it to SBUF afterwards"},
      {"nc_matmul_mx.c4",
       "stationary and moving are float8_e4m3fn_x4, float8_e5m2_x4 or float4_e2m1fn_x4",
       [](const auto& op, const auto&) {
         return numerics::is_packed(op.stationary.dtype) && numerics::is_packed(op.moving.dtype);
       },
       "quantise with quantize_mx, or view packed bytes as an x4 dtype"},
      {"nc_matmul_mx.c5", "the scales are float8_e8m0fnu or uint8",
       [](const auto& op, const auto&) {
         return mx::is_scale_dtype(op.stationary_scale.dtype) &&
                mx::is_scale_dtype(op.moving_scale.dtype);
       },
       "pass the scales that quantize_mx writes, or view their bytes as uint8"},
      {"nc_matmul_mx.c6", "dst is float32 or bfloat16",
       [](const auto& op, const auto&) {
         return op.dst.dtype == DType::float32 || op.dst.dtype == DType::bfloat16;
       },
       fixes::float32_sum},
      {"nc_matmul_mx.c7", "stationary and moving have the same number of partitions",
       [](const auto& op, const auto&) { return rules::same_partitions(op.stationary, op.moving); },
       fixes::slice_longer},
      {"nc_matmul_mx.c8",
       "the partitions are a multiple of 32, at most 128 or the rows of tile_size",
       [](const auto& op, const auto& core) {
         return mx::whole_quadrants(op.stationary, core) &&
                op.stationary.partitions <=
                    matmul::array_tile(op.tile_position, op.tile_size, core).rows;
       },
       "pad with zeros to whole quadrants"},
      {"nc_matmul_mx.c9", "the free size of stationary is even and at most 128",
       [](const auto& op, const auto& core) {
         return op.stationary.free_elements() % 2 == 0 &&
                op.stationary.free_elements() <= core.array.stationary_free_max;
       },
       "pad an odd size, and split a larger one over several instructions"},
      {"nc_matmul_mx.c10", "dst has one partition for each column of stationary",
       [](const auto& op, const auto&) {
         return op.dst.partitions == op.stationary.free_elements();
       },
       fixes::partition_a_column},
      {"nc_matmul_mx.c11", "dst has one element in each partition for each column of moving",
       [](const auto& op, const auto&) {
         return op.dst.free_elements() == op.moving.free_elements();
       },
       fixes::element_a_column},
      {"nc_matmul_mx.c12", "moving has at most 4096 columns for a float32 dst, 8192 for bfloat16",
       [](const auto& op, const auto& core) {
         return op.moving.free_elements() <= (op.dst.dtype == DType::bfloat16
                                                  ? core.array.moving_free_max_bf16
                                                  : core.array.moving_free_max_fp32);
       },
       "split the columns over several matmuls"},
      {"nc_matmul_mx.c13",
       "a scale tile has its operand's free size and holds its blocks: P/8 partitions up to 32, "
       "else "
       "4 in every quadrant",
       [](const auto& op, const auto&) {
         const auto fits = [](const Tile& scale, const Tile& data) {
           return scale.free_elements() == data.free_elements() &&
                  mx::holds_scales(scale, data.partitions);
         };
         return fits(op.stationary_scale, op.stationary) && fits(op.moving_scale, op.moving);
       },
       "allocate [P, F] scale tiles when P > 32"},
      {"nc_matmul_mx.c14",
       "a scale tile starts 0, 4, 8 or 12 partitions into its operand's quadrant",
       [](const auto& op, const auto& core, const Site& site) {
         return mx::starts_well(op.stationary_scale, op.stationary, core, site) &&
                mx::starts_well(op.moving_scale, op.moving, core, site);
       },
       "slice the scale tile from partition 0, 4, 8 or 12"},
      {"nc_matmul_mx.c15", "tile_position and tile_size are given both or not at all",
       [](const auto& op, const auto&) { return op.tile_position.count == op.tile_size.count; },
       "pass both; the whole array is (0, 0) and (128, 128)"},
      {"nc_matmul_mx.c16", "tile_size is (32, 128), (64, 128) or (128, 128): only rows are tiled",
       [](const auto& op, const auto& core) {
         return !op.tiled() || (op.tile_size.items[1] == core.array.columns &&
                                matmul::is_tile_size(op.tile_size.items[0],
                                                     core.array.tile_rows_min, core.array.rows));
       },
       "pass one of these, or leave tile_size and tile_position out"},
      {"nc_matmul_mx.c17",
       "tile_position is (row, 0) with row a multiple of tile_size's rows, inside the array",
       [](const auto& op, const auto& core) {
         return !op.tiled() || op.tile_size.items[0] <= 0 ||
                (op.tile_position.items[1] == 0 &&
                 matmul::is_tile_start(op.tile_position.items[0], op.tile_size.items[0],
                                       core.array.rows));
       },
       "pass a multiple of tile_size[0] as tile_position[0], and 0 as tile_position[1]"},
      {"nc_matmul_mx.c18",
       "an operand and its scale are both .indirect() with the same index, or neither is",
       [](const auto& op, const auto&, const Site& site) {
         return same_index(op.stationary, op.stationary_scale, site) &&
                same_index(op.moving, op.moving_scale, site);
       },
       "index both with the same tile, or copy the gathered one with tensor_copy first"},
      {"nc_matmul_mx.c19", ".indirect() views use the array from row 0",
       [](const auto& op, const auto&, const Site& site) {
         return matmul::indirect_from_origin(op, site);
       },
       "leave tile_position out"},
      {"nc_matmul_mx.c20",
       "the index of an .indirect() dst starts on the same partition as stationary",
       [](const auto& op, const auto&, const Site& site) {
         return matmul::dst_index_beside_stationary(op, site);
       },
       "place the index on stationary's partitions"},
  });
  static constexpr Source source = {
      "nki.isa.nc_matmul_mx, NKI 0.6; Trainium3 architecture guide, quad MXFP8/MXFP4"};

  static Passes passes(const NcMatmulMx& op, const machine::Core& core) {
    Passes result = cost::passes(op.stationary.free_elements(), op.moving.free_elements(), mx::pack,
                                 core.array.macs_mx, 1, core);
    result.overhead += core.array.mx_overhead;
    if (op.tiled()) result.part = matmul::array_tile(op.tile_position, op.tile_size, core);
    return result;
  }
  static Timing cycles(const NcMatmulMx& op, Engine, const machine::Core& core) {
    return cost::matmul(passes(op, core), core);
  }
  static Activity activity(const NcMatmulMx& op) {
    return {.mac_format = op.stationary.dtype,
            .macs = op.stationary.elements() * mx::pack * op.moving.free_elements()};
  }
  static Access access(const NcMatmulMx& op, std::size_t operand) {
    if (operand != 0) return Access::read;
    return op.accumulate == Accumulate::overwrite ? Access::write : Access::update;
  }
  static int parts(const NcMatmulMx& op, std::size_t operand, std::span<Tile, parts_max> out) {
    if (operand == 3) return mx::scale_parts(op.stationary_scale, op.stationary.partitions, out);
    if (operand == 4) return mx::scale_parts(op.moving_scale, op.moving.partitions, out);
    return 0;
  }
  static void execute(const NcMatmulMx& op, Execution& e) {
    base::check(op.accumulate != Accumulate::automatic, "accumulation is resolved before it runs");
    matmul::Result result(op.dst, e);
    mx::multiply({op.stationary, op.stationary_scale}, {op.moving, op.moving_scale}, result,
                 matmul::extents(op.dst, op.stationary), op.accumulate == Accumulate::add, e);
    result.store();
  }

  static constexpr Traits<NcMatmulMx> traits{
      .spread = Spread::products,
      .access = access,
      .parts = parts,
      .passes = passes,
  };
};

}  // namespace trainyard::isa
