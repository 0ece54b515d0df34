// dma_transpose: a 2-, 3- or 4-dimensional region transposed by the DMA engines on its way to SBUF.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/transfer.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct DmaTranspose {
  Tile dst{}, src{};
  IntList axes{};
  std::int32_t priority = no_integer;  // None: the machine's default
  DgeMode dge_mode = DgeMode::unknown;
  OobMode oob_mode = OobMode::error;
};

template <>
struct Definition<DmaTranspose> {
  static constexpr std::string_view mnemonic = "dma_transpose";
  static constexpr std::string_view summary =
      "dst = src with its first and last dimension swapped: axes (1, 0), (2, 1, 0), (3, 1, 2, 0)";
  static constexpr EngineSet engines{Engine::sync, Engine::scalar, Engine::gpsimd, Engine::vector,
                                     Engine::tensor};
  static constexpr Engine engine = Engine::any;
  static constexpr auto operands = std::tuple{
      writes("dst", &DmaTranspose::dst,
             "SBUF or HBM region with the shape of the transposed source"),
      reads("src", &DmaTranspose::src, "HBM or SBUF region of 2, 3 or 4 dimensions"),
      immediate("axes", &DmaTranspose::axes, "dimension i of dst is dimension axes[i] of src",
                "None"),
      as(Role::priority,
         immediate("priority", &DmaTranspose::priority, "0 (highest) to 3, gen4 only", "None")),
      immediate("dge_mode", &DmaTranspose::dge_mode, "who generates the descriptors",
                "dge_mode.unknown"),
      immediate("oob_mode", &DmaTranspose::oob_mode, "what an out-of-bounds run-time index does",
                "oob_mode.error"),
  };

 private:
  static constexpr std::array<std::array<std::int32_t, 4>, 5> permutations{
      {{}, {}, {1, 0}, {2, 1, 0}, {3, 1, 2, 0}}};
  static bool has_rank(std::size_t rank) { return rank >= 2 && rank < permutations.size(); }
  static std::span<const std::int32_t> axes_of(std::size_t rank) {
    return {permutations[rank].data(), rank};
  }
  static bool axes_fit(const DmaTranspose& op) {
    const std::size_t rank = dma::shape_of(op.src).rank;
    if (!has_rank(rank)) return false;
    return op.axes.count == 0 || std::ranges::equal(op.axes.span(), axes_of(rank));
  }
  static bool shapes_fit(const DmaTranspose& op) {
    const dma::Shape from = dma::shape_of(op.src), to = dma::shape_of(op.dst);
    if (!has_rank(from.rank)) return true;  // broken by the rule on axes
    if (to.rank != from.rank) return false;
    for (std::size_t d = 0; d < to.rank; ++d) {
      const auto axis = static_cast<std::size_t>(axes_of(from.rank)[d]);
      if (to.extents[d] != from.extents[axis]) return false;
    }
    return true;
  }
  static std::int64_t rows(const DmaTranspose& op) { return dma::shape_of(op.src).extents[0]; }
  static std::int64_t from_end(const DmaTranspose& op, std::size_t back) {
    const dma::Shape shape = dma::shape_of(op.src);
    return back <= shape.rank ? shape.extents[shape.rank - back] : 1;
  }
  static bool has_run_time_address(const DmaTranspose& op) {
    return op.src.dynamic != 0 || op.dst.dynamic != 0;
  }
  static bool hardware(const DmaTranspose& op) { return op.dge_mode == DgeMode::hwdge; }
  static bool gathers(const DmaTranspose& op, const Site& site) {
    return rules::gathers_rows(op.src, site);
  }
  static const Tile& index(const DmaTranspose& op, const Site& site) {
    return rules::dynamic(op.src, site)->index;
  }

  // Sizes that the descriptor generators' transposes share. Source: nki.isa.dma_transpose.
  static constexpr std::int64_t last_max = 128;
  static constexpr std::int64_t row_group = 16;

 public:
  static constexpr auto constraints = std::to_array<Constraint<DmaTranspose>>({
      // The stub says SBUF; the migration guide to NKI 0.4 writes to nl.shared_hbm.
      {"dma_transpose.c1", "dst is in SBUF or HBM, and its rows are not scattered",
       [](const auto& op, const auto&, const Site& site) {
         return dma::reachable(op.dst) && !rules::gathers_rows(op.dst, site);
       },
       "transpose to SBUF and copy from there"},
      {"dma_transpose.c2", "src is in HBM or SBUF",
       [](const auto& op, const auto&) { return dma::reachable(op.src); },
       "use nc_transpose for PSUM"},
      {"dma_transpose.c3", "dst has src's dtype",
       [](const auto& op, const auto&) { return op.dst.dtype == op.src.dtype; },
       "cast before or after with tensor_copy"},
      {"dma_transpose.c4",
       "src has 2, 3 or 4 dimensions and axes is (1, 0), (2, 1, 0) or (3, 1, 2, 0)",
       [](const auto& op, const auto&) { return axes_fit(op); }, "leave axes out, or reshape src"},
      {"dma_transpose.c5", "dst has exactly the shape of the transposed source",
       [](const auto& op, const auto&) { return shapes_fit(op); },
       "declare dst with src's shape in the order of axes"},
      {"dma_transpose.c6", "elements have 2 or 4 bytes",
       [](const auto& op, const auto&) {
         return op.src.element_bytes() == 2 || op.src.element_bytes() == 4;
       },
       "view pairs of bytes as a 16-bit dtype"},
      // none is in the DGE reference, not in the stub; nki-library 2.29 passes it.
      {"dma_transpose.c7",
       "dge_mode is unknown, none or hwdge, with a run-time offset unknown, swdge or hwdge, and "
       "unknown or swdge when rows are gathered",
       [](const auto& op, const auto&, const Site& site) {
         if (op.dge_mode == DgeMode::unknown) return true;
         if (gathers(op, site)) return can_gather(op.dge_mode);
         return op.dge_mode == DgeMode::hwdge ||
                op.dge_mode == (has_run_time_address(op) ? DgeMode::swdge : DgeMode::none);
       },
       "leave dge_mode out"},
      {"dma_transpose.c8", "hardware descriptor generation needs NeuronCore-v3",
       [](const auto& op, const auto& core) { return !hardware(op) || core.features.hardware_dge; },
       "leave dge_mode out"},
      {"dma_transpose.c9", "with hwdge src has 16 rows, or in 3 or 4 dimensions 1, 2, 4 or 8",
       [](const auto& op, const auto&) {
         if (!hardware(op) || rows(op) == row_group) return true;
         return dma::shape_of(op.src).rank > 2 && rows(op) < row_group && row_group % rows(op) == 0;
       },
       "split the rows, or leave dge_mode out"},
      {"dma_transpose.c10",
       "with hwdge the rows times the second-last dimension of a 3- or 4-dimensional src are a "
       "multiple of 16",
       [](const auto& op, const auto&) {
         return !hardware(op) || dma::shape_of(op.src).rank < 3 ||
                rows(op) * from_end(op, 2) % row_group == 0;
       },
       "leave dge_mode out"},
      {"dma_transpose.c11", "with hwdge or gathered rows the last dimension of src is at most 128",
       [](const auto& op, const auto&, const Site& site) {
         return (!hardware(op) && !gathers(op, site)) || from_end(op, 1) <= last_max;
       },
       "split the last dimension"},
      {"dma_transpose.c12", "with hwdge or gathered rows elements have 2 bytes",
       [](const auto& op, const auto&, const Site& site) {
         return (!hardware(op) && !gathers(op, site)) || op.src.element_bytes() != 4;
       },
       "leave dge_mode out, or use a 16-bit dtype"},
      {"dma_transpose.c13", "the DMA engines gather and transpose in one (gen3 and later)",
       [](const auto& op, const auto& core, const Site& site) {
         return !gathers(op, site) || core.features.dma_gather_transpose;
       },
       "gather with dma_copy first"},
      {"dma_transpose.c14", "gathered rows are a multiple of 16",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || rows(op) % row_group == 0;
       },
       "pad the index list"},
      {"dma_transpose.c15", "one of the middle dimensions of a gathered 4-dimensional src is 1",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || dma::shape_of(op.src).rank != 4 || from_end(op, 2) == 1 ||
                from_end(op, 3) == 1;
       },
       "transpose each entry of one of them with an instruction of its own"},
      {"dma_transpose.c16",
       "the index tile has 16 to 128 partitions, a multiple of 16; 128 when it has several columns",
       [](const auto& op, const auto&, const Site& site) {
         if (!gathers(op, site)) return true;
         const Tile& list = index(op, site);
         return list.partitions >= row_group && list.partitions % row_group == 0 &&
                list.partitions <= last_max &&
                (list.free_elements() == 1 || list.partitions == last_max);
       },
       "shape the index tile [P, 1] with P a multiple of 16, or [128, n]"},
      {"dma_transpose.c17", "the index tile has an entry for every row",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || index(op, site).elements() >= rows(op);
       },
       "give the index tile an entry for every row"},
      {"dma_transpose.c18", "the index tile is uint32",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || index(op, site).dtype == DType::uint32;
       },
       fixes::uint32},
      {"dma_transpose.c19", "oob_mode.skip belongs to a src with a run-time address",
       [](const auto& op, const auto&) {
         return op.oob_mode == OobMode::error || op.src.dynamic != 0;
       },
       "leave oob_mode out"},
      {"dma_transpose.c20", "priority needs NeuronCore-v4",
       [](const auto& op,
          const auto&
              core) { return !dma::has_priority(op.priority) || core.features.dma_priority; },
       "leave priority out"},
      {"dma_transpose.c21", "priority is 0, 1, 2 or 3",
       [](const auto& op,
          const auto&
              core) { return !core.features.dma_priority || dma::is_priority(op.priority, core); },
       fixes::priority},
      {"dma_transpose.c22",
       "Sync or Scalar issue hardware-generated descriptors, GpSimd software ones",
       [](const auto& op, const auto&, const Site& site) {
         return dma::issuer_fits(op.dge_mode, site.engine);
       },
       "leave the engine out"},
  });
  static constexpr Source source = {
      "nki.isa.dma_transpose, NKI 0.6; DGE reference; Trainium2 architecture guide, DMA transpose"};

  static Access access(const DmaTranspose& op, std::size_t operand) {
    if (operand == 0) return dma::access_of_dst(op.src, op.oob_mode);
    return operand == 1 ? Access::read : Access::none;
  }
  static Activity activity(const DmaTranspose&) { return {}; }
  static void execute(const DmaTranspose& op, Execution& e) {
    dma::transpose(op.dst, op.src, axes_of(dma::shape_of(op.src).rank), op.oob_mode, e);
  }

  static constexpr Traits<DmaTranspose> traits{
      .kind = Kind::dma,
      .engine_parameter = EngineParameter::absent,
      .earlier = {"dst", "padded(dst, src)"},
      .spread = Spread::moves,
      .transfer = TransferKind::transpose,
      .access = access,
  };
};

}  // namespace trainyard::isa
