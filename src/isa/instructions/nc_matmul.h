// nc_matmul: the Tensor engine's matrix product, with its FP8 double-row, row- and column-tiled and
// bit-exact transpose modes.
#pragma once

#include <algorithm>

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/matmul.h"

namespace trainyard::isa {

struct NcMatmul {
  Tile dst{}, stationary{}, moving{};
  bool is_stationary_onezero = false, is_moving_onezero = false;
  bool is_transpose = false;
  Accumulate accumulate = Accumulate::automatic;
  IntPair tile_position{}, tile_size{};
  MatmulPerfMode perf_mode = MatmulPerfMode::none;

  [[nodiscard]] bool double_row() const { return perf_mode == MatmulPerfMode::double_row; }
  // Columns of the array (stationary) or of PSUM (moving) that an operand fills.
  [[nodiscard]] std::int64_t columns(const Tile& operand) const {
    return operand.free_elements() / (double_row() ? 2 : 1);
  }
  // A transpose that moves bits; on a core without that mode is_transpose is only a label.
  [[nodiscard]] bool moves_bits(const machine::Core& core) const {
    return is_transpose && core.features.tensor_transpose_exact;
  }
  [[nodiscard]] bool tiled() const { return tile_position.count == 2 && tile_size.count == 2; }
  [[nodiscard]] ArrayTile array_tile(const machine::Core& core) const {
    return matmul::array_tile(tile_position, tile_size, core);
  }
};

template <>
struct Definition<NcMatmul> {
  static constexpr std::string_view mnemonic = "nc_matmul";
  static constexpr std::string_view summary = "dst (+)= transpose(stationary) x moving, in fp32";
  static constexpr EngineSet engines{Engine::tensor};
  static constexpr Engine engine = Engine::tensor;
  static constexpr auto operands = std::tuple{
      as(Role::sum, indirectable(writes("dst", &NcMatmul::dst, "PSUM tile, [M, N]"))),
      as(Role::stationary, indirectable(reads("stationary", &NcMatmul::stationary,
                                              "SBUF tile, [K, M]; [K, 2, M] in double-row mode"))),
      as(Role::moving, indirectable(reads("moving", &NcMatmul::moving,
                                          "SBUF tile, [K, N]; [K, 2, N] in double-row mode"))),
      immediate("is_stationary_onezero", &NcMatmul::is_stationary_onezero,
                "stationary holds only 0 and 1; doubles the speed of fp32", "False"),
      immediate("is_moving_onezero", &NcMatmul::is_moving_onezero,
                "moving holds only 0 and 1; doubles the speed of fp32", "False"),
      immediate("is_transpose", &NcMatmul::is_transpose,
                "moving is an identity: move stationary's bits (gen3 and later)", "False"),
      immediate("accumulate", &NcMatmul::accumulate,
                "True adds to dst, False overwrites it, None adds where an earlier instruction of "
                "the program has written",
                "None"),
      immediate("tile_position", &NcMatmul::tile_position,
                "(row, column) at which the used part of the array starts", "()"),
      immediate("tile_size", &NcMatmul::tile_size, "(rows, columns) of the used part of the array",
                "()"),
      immediate("perf_mode", &NcMatmul::perf_mode, "double_row: two FP8 rows a partition",
                "matmul_perf_mode.none"),
  };

 private:
  static constexpr bool is_fp8(DType d) {
    return d == DType::float8_e4m3 || d == DType::float8_e4m3fn || d == DType::float8_e5m2;
  }
  static constexpr bool is_fp32_class(DType d) {
    return d == DType::float32 || d == DType::tfloat32;
  }
  static constexpr bool is_operand_dtype(DType d) {
    return is_fp8(d) || is_fp32_class(d) || d == DType::bfloat16 || d == DType::float16;
  }
  static constexpr bool either(const NcMatmul& op, DType d) {
    return op.stationary.dtype == d || op.moving.dtype == d;
  }
  static std::int64_t moving_max(const NcMatmul& op, const machine::Core& core) {
    return op.dst.element_bytes() == 2 ? core.array.moving_free_max_bf16
                                       : core.array.moving_free_max_fp32;
  }
  // A core whose matmul accepts no more columns than a bank holds cannot cross to the next bank.
  static bool stays_in_bank(const NcMatmul& op, const machine::Core& core) {
    const std::int64_t bank = core.psum.bank_size.value;
    if (core.array.moving_free_max_fp32 * 4 > bank) return true;
    return op.dst.low_byte() / bank == (op.dst.high_byte() - 1) / bank;
  }
  static bool transposed_dtype(const NcMatmul& op, const machine::Core& core) {
    if (!op.moves_bits(core) || op.dst.dtype == DType::float32) return true;
    if (op.dst.element_bytes() == 2 && !core.features.psum_16bit_transpose) return false;
    return op.dst.dtype == op.stationary.dtype ||
           (is_fp8(op.stationary.dtype) && op.dst.dtype == DType::uint16);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<NcMatmul>>({
      {"nc_matmul.c1", "stationary and moving are in SBUF",
       [](const auto& op, const auto&) {
         return op.stationary.space == Space::sbuf && op.moving.space == Space::sbuf;
       },
       "copy the operand to SBUF with tensor_copy, or load it with dma_copy"},
      {"nc_matmul.c2", "dst is in PSUM",
       [](const auto& op, const auto&) { return op.dst.space == Space::psum; },
       "allocate dst with buffer=nl.psum and copy it to SBUF afterwards"},
      {"nc_matmul.c3",
       "stationary and moving are float8_e4m3, float8_e4m3fn, float8_e5m2, bfloat16, float16, "
       "tfloat32 or float32",
       [](const auto& op, const auto&) {
         return is_operand_dtype(op.stationary.dtype) && is_operand_dtype(op.moving.dtype);
       },
       "cast with tensor_copy; packed MX types go to nc_matmul_mx"},
      {"nc_matmul.c4", "float8_e4m3fn operands need NeuronCore-v4",
       [](const auto& op, const auto& core) {
         return core.features.float8_e4m3fn || !either(op, DType::float8_e4m3fn);
       },
       "use float8_e4m3"},
      {"nc_matmul.c5", "float32 and tfloat32 meet only float32 and tfloat32",
       [](const auto& op, const auto&) {
         return is_fp32_class(op.stationary.dtype) == is_fp32_class(op.moving.dtype);
       },
       "cast one operand with tensor_copy"},
      {"nc_matmul.c6", "float8_e4m3 and float8_e4m3fn do not meet in one matmul",
       [](const auto& op, const auto&) {
         return !(either(op, DType::float8_e4m3) && either(op, DType::float8_e4m3fn));
       },
       "use one of the two formats for both operands"},
      {"nc_matmul.c7", "stationary and moving have the same number of partitions (K)",
       [](const auto& op, const auto&) { return rules::same_partitions(op.stationary, op.moving); },
       "slice the longer operand"},
      {"nc_matmul.c8", "K is at most the rows of the array, or of tile_size",
       [](const auto& op, const auto& core) {
         return op.stationary.partitions <= op.array_tile(core).rows;
       },
       "split the contraction and accumulate in PSUM"},
      {"nc_matmul.c9", "stationary has at most as many columns as the array, or as tile_size",
       [](const auto& op, const auto& core) {
         const std::int64_t columns = op.columns(op.stationary);
         return columns <= core.array.stationary_free_max && columns <= op.array_tile(core).columns;
       },
       "split the output rows over several matmuls"},
      {"nc_matmul.c10", "dst has one partition for each column of stationary",
       [](const auto& op, const auto&) { return op.dst.partitions == op.columns(op.stationary); },
       fixes::partition_a_column},
      {"nc_matmul.c11", "dst has one element in each partition for each column of moving",
       [](const auto& op, const auto&) { return op.dst.free_elements() == op.columns(op.moving); },
       fixes::element_a_column},
      {"nc_matmul.c12",
       "moving has at most as many columns as one matmul may write: 512 on gen2 and gen3, 4096 "
       "float32 or 8192 bfloat16 on gen4",
       [](const auto& op, const auto& core) {
         return op.columns(op.moving) <= moving_max(op, core);
       },
       "split the columns over several matmuls"},
      {"nc_matmul.c13", "dst is float32, or on gen4 bfloat16",
       [](const auto& op, const auto& core) {
         return op.moves_bits(core) || op.dst.dtype == DType::float32 ||
                (op.dst.dtype == DType::bfloat16 && core.features.psum_bf16);
       },
       "accumulate in float32 and cast when copying to SBUF"},
      {"nc_matmul.c14",
       "the dst of a transpose has stationary's dtype, or float32; uint16 also holds FP8",
       [](const auto& op, const auto& core) { return transposed_dtype(op, core); },
       "allocate dst with stationary's dtype"},
      {"nc_matmul.c15", "a transpose of FP8 writes 16-bit cells: an FP8 dst has a step of 2",
       [](const auto& op, const auto& core) {
         return !op.moves_bits(core) || !is_fp8(op.dst.dtype) || op.dst.free_elements() == 1 ||
                op.dst.inner_stride_bytes() == 2;
       },
       "allocate dst as [.., 2] and pass [.., 0]"},
      {"nc_matmul.c16", "a transpose overwrites: accumulate is not True",
       [](const auto& op, const auto&) {
         return !op.is_transpose || op.accumulate != Accumulate::add;
       },
       "pass accumulate=False, or leave it out"},
      {"nc_matmul.c17", "on gen2 and gen3 dst lies within one PSUM bank",
       [](const auto& op, const auto& core) { return stays_in_bank(op, core); },
       "write each bank with a matmul of its own"},
      {"nc_matmul.c18", "double-row mode needs NeuronCore-v3",
       [](const auto& op, const auto& core) {
         return !op.double_row() || core.features.double_row;
       },
       "leave perf_mode out"},
      {"nc_matmul.c19", "in double-row mode stationary and moving are FP8",
       [](const auto& op, const auto&) {
         return !op.double_row() || (is_fp8(op.stationary.dtype) && is_fp8(op.moving.dtype));
       },
       "cast both operands to FP8, or leave perf_mode out"},
      {"nc_matmul.c20", "in double-row mode the first free dimension of both operands is 2",
       [](const auto& op, const auto&) {
         const auto paired = [](const Tile& t) { return t.rank >= 1 && t.dims[0].count == 2; };
         return !op.double_row() || (paired(op.stationary) && paired(op.moving));
       },
       "shape the operands [K, 2, M] and [K, 2, N]"},
      {"nc_matmul.c21", "double-row mode is not combined with column tiling",
       [](const auto& op, const auto& core) {
         return !op.double_row() || op.array_tile(core).columns == core.array.columns;
       },
       "use all columns in tile_size"},
      {"nc_matmul.c22", "double-row mode is not combined with transpose mode",
       [](const auto& op, const auto&) { return !op.double_row() || !op.is_transpose; },
       "leave perf_mode out"},
      {"nc_matmul.c23", "tile_position and tile_size are given both or not at all",
       [](const auto& op, const auto&) { return op.tile_position.count == op.tile_size.count; },
       "pass both; the whole array is (0, 0) and (128, 128)"},
      {"nc_matmul.c24", "the rows of tile_size are 32 (gen3 and later), 64 or 128",
       [](const auto& op, const auto& core) {
         const std::int64_t least =
             core.features.row_tiling_32 ? core.array.tile_rows_min : core.array.rows / 2;
         return !op.tiled() || matmul::is_tile_size(op.tile_size.items[0], least, core.array.rows);
       },
       "pass one of these as tile_size[0], or leave tile_size and tile_position out"},
      {"nc_matmul.c25", "the columns of tile_size are 32 (gen3 and later), 64 or 128",
       [](const auto& op, const auto& core) {
         if (!op.tiled()) return true;
         const std::int64_t least =
             core.features.column_tiling ? core.array.tile_columns_min : core.array.columns;
         return matmul::is_tile_size(op.tile_size.items[1], least, core.array.columns);
       },
       "pass one of these as tile_size[1], or leave tile_size and tile_position out"},
      {"nc_matmul.c26", "the start row is a multiple of tile_size's rows, inside the array",
       [](const auto& op, const auto& core) {
         return !op.tiled() || op.tile_size.items[0] <= 0 ||
                matmul::is_tile_start(op.tile_position.items[0], op.tile_size.items[0],
                                      core.array.rows);
       },
       "pass a multiple of tile_size[0] as tile_position[0]"},
      {"nc_matmul.c27", "the start column is a multiple of tile_size's columns, inside the array",
       [](const auto& op, const auto& core) {
         return !op.tiled() || op.tile_size.items[1] <= 0 ||
                matmul::is_tile_start(op.tile_position.items[1], op.tile_size.items[1],
                                      core.array.columns);
       },
       "pass a multiple of tile_size[1] as tile_position[1]"},
      {"nc_matmul.c28", "an .indirect() operand, dst included, is a 16-bit float or FP8",
       [](const auto& op, const auto&, const Site& site) {
         const auto fits = [&](const Tile& t) {
           return !rules::indirect(t, site) || !is_fp32_class(t.dtype);
         };
         return fits(op.dst) && fits(op.stationary) && fits(op.moving);
       },
       "use bfloat16"},
      {"nc_matmul.c29", "the moving operand of a transpose is no .indirect() view",
       [](const auto& op, const auto&, const Site& site) {
         return !op.is_transpose || !rules::indirect(op.moving, site);
       },
       "gather moving with tensor_copy first"},
      {"nc_matmul.c30", ".indirect() views use the array from row 0 and column 0",
       [](const auto& op, const auto&, const Site& site) {
         return matmul::indirect_from_origin(op, site);
       },
       "leave tile_position out"},
      {"nc_matmul.c31",
       "the index of an .indirect() dst starts on the same partition as stationary",
       [](const auto& op, const auto&, const Site& site) {
         return matmul::dst_index_beside_stationary(op, site);
       },
       "place the index on stationary's partitions"},
  });
  static constexpr Source source = {
      "nki.isa.nc_matmul, NKI 0.6; Trainium2 architecture guide: double FP8, transpose"};

  // The bits of FP8 elements as words.
  static bool by_format(const NcMatmul& op, const machine::Core& core) {
    return op.moves_bits(core) && numerics::is_integer(op.dst.dtype);
  }
  static Spread spread(const NcMatmul& op) {
    return op.is_transpose ? Spread::moves : Spread::products;
  }
  static Passes passes(const NcMatmul& op, const machine::Core& core) {
    Passes result = rate_passes(op, core);
    result.transposes = op.moves_bits(core);
    if (op.tiled()) result.part = op.array_tile(core);
    return result;
  }
  static Timing cycles(const NcMatmul& op, Engine, const machine::Core& core) {
    return cost::matmul(passes(op, core), core);
  }

  // Operands of different widths run at the rate of the wider one.
  static Activity activity(const NcMatmul& op) {
    const bool wider = op.moving.element_bytes() > op.stationary.element_bytes();
    return {.mac_format = wider ? op.moving.dtype : op.stationary.dtype,
            .macs = op.stationary.elements() * op.columns(op.moving)};
  }

  static Access access(const NcMatmul& op, std::size_t operand) {
    if (operand != 0) return Access::read;
    return op.accumulate == Accumulate::overwrite || op.is_transpose ? Access::write
                                                                     : Access::update;
  }

  static void execute(const NcMatmul& op, Execution& e) {
    if (op.moves_bits(e.machine)) return transpose(op, e);
    base::check(op.accumulate != Accumulate::automatic, "accumulation is resolved before it runs");
    matmul::Result result(op.dst, e);
    (op.double_row() ? multiply_double_row : multiply)(op, result, e);
    result.store();
  }

  static constexpr Traits<NcMatmul> traits{
      .spread = spread,
      .moves_values = [](const NcMatmul& op) { return op.is_transpose; },
      .access = access,
      .by_format = by_format,
      .passes = passes,
  };

 private:
  static Passes rate_passes(const NcMatmul& op, const machine::Core& core) {
    const machine::PeArray& array = core.array;
    const std::int64_t loaded = op.columns(op.stationary), moved = op.columns(op.moving);
    if (op.double_row()) return cost::passes(loaded, moved, 2, array.macs_double_row, 1, core);
    if (!either(op, DType::float32))
      return cost::passes(loaded, moved, 1, array.macs_bf16, 1, core);
    if (op.moves_bits(core))
      return cost::passes(loaded, moved, 1, array.macs_fp32_transpose, array.fp32_transpose_passes,
                          core);
    const bool onezero = (op.is_stationary_onezero && op.stationary.dtype == DType::float32) ||
                         (op.is_moving_onezero && op.moving.dtype == DType::float32);
    return cost::passes(loaded, moved, 1, onezero ? array.macs_fp32_onezero : array.macs_fp32,
                        array.fp32_passes, core);
  }

  static void multiply(const NcMatmul& op, const matmul::Result& out, Execution& e) {
    const numerics::ConstRows stationary = matmul::rows(op.stationary, e, e.raw[0]);
    const numerics::ConstRows moving = matmul::rows(op.moving, e, e.raw[1]);
    matmul::multiply(stationary, moving, out, matmul::extents(op.dst, op.stationary),
                     op.accumulate == Accumulate::add, e);
  }

  static void multiply_double_row(const NcMatmul& op, const matmul::Result& out, Execution& e) {
    const matmul::RowPairs stationary = matmul::row_pairs(op.stationary, e, e.raw[0]);
    const matmul::RowPairs moving = matmul::row_pairs(op.moving, e, e.raw[1]);
    const matmul::Extents n = matmul::extents(op.dst, op.stationary);
    numerics::matmul_double_row(stationary.first, stationary.second, moving.first, moving.second,
                                out.rows(), n.K, n.M, n.N, op.accumulate == Accumulate::add,
                                e.matmul, out.rounding());
  }

  // In transpose mode a column of moving selects the one partition of stationary whose bits pass.
  static void transpose(const NcMatmul& op, Execution& e) {
    matmul::transpose(op.dst, op.stationary, matmul::selected_partitions(op.moving, e), e);
  }
};

}  // namespace trainyard::isa
