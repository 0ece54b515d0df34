// dma_copy: elements moved by the DMA engines between HBM and SBUF in any combination, cast when
// the dtypes differ; rows may be gathered or scattered by an index list.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/transfer.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct DmaCopy {
  Tile dst{}, src{};
  std::int32_t priority = no_integer;  // None: the machine's default
  OobMode oob_mode = OobMode::error;
  DgeMode dge_mode = DgeMode::unknown;
};

template <>
struct Definition<DmaCopy> {
  static constexpr std::string_view mnemonic = "dma_copy";
  static constexpr std::string_view summary =
      "dst = src between HBM and SBUF, cast through fp32 when the dtypes differ";
  static constexpr EngineSet engines{Engine::sync, Engine::scalar, Engine::gpsimd, Engine::vector,
                                     Engine::tensor};
  static constexpr Engine engine = Engine::any;
  static constexpr auto operands = std::tuple{
      writes("dst", &DmaCopy::dst, "HBM or SBUF region"),
      reads("src", &DmaCopy::src, "HBM or SBUF region with as many elements"),
      as(Role::priority,
         immediate("priority", &DmaCopy::priority, "0 (highest) to 3, gen4 only", "None")),
      immediate("oob_mode", &DmaCopy::oob_mode, "what an out-of-bounds run-time index does",
                "oob_mode.error"),
      immediate("dge_mode", &DmaCopy::dge_mode, "who generates the descriptors",
                "dge_mode.unknown"),
  };
  static constexpr auto constraints = std::to_array<Constraint<DmaCopy>>({
      {"dma_copy.c1", "dst and src are in HBM or SBUF",
       [](const auto& op, const auto&) { return dma::reachable(op.dst) && dma::reachable(op.src); },
       "copy PSUM to SBUF with tensor_copy first"},
      {"dma_copy.c2", "dst and src have the same number of elements",
       [](const auto& op, const auto&) { return op.dst.elements() == op.src.elements(); },
       fixes::same_sizes},
      {"dma_copy.c3", "packed MX dtypes are not cast",
       [](const auto& op, const auto&) {
         return op.dst.dtype == op.src.dtype ||
                (!numerics::is_packed(op.dst.dtype) && !numerics::is_packed(op.src.dtype));
       },
       "view both sides as the same dtype"},
      {"dma_copy.c4", "hardware descriptor generation does not cast",
       [](const auto& op, const auto&) {
         return can_cast(op.dge_mode) || op.dst.dtype == op.src.dtype;
       },
       "use dge_mode.swdge, or cast on an engine"},
      {"dma_copy.c5", "hardware descriptor generation needs NeuronCore-v3",
       [](const auto& op, const auto& core) {
         return op.dge_mode != DgeMode::hwdge || core.features.hardware_dge;
       },
       "leave dge_mode out"},
      // The DGE reference says that this needs NeuronCore-v3; AWS's tests of the first generation
      // (test_nki_nl_load_store_indirect.py) gather on every core.
      {"dma_copy.c6", "only software descriptor generation gathers or scatters rows",
       [](const auto& op, const auto&, const Site& site) {
         return can_gather(op.dge_mode) ||
                !(rules::gathers_rows(op.dst, site) || rules::gathers_rows(op.src, site));
       },
       "use dge_mode.swdge, or leave dge_mode out"},
      {"dma_copy.c7", "descriptors made before the run (dge_mode.none) have no run-time address",
       [](const auto& op, const auto&) {
         return op.dge_mode != DgeMode::none || (op.dst.dynamic == 0 && op.src.dynamic == 0);
       },
       "leave dge_mode out"},
      {"dma_copy.c8", "vector_offset holds one uint32 or int32 for each row of the pattern",
       [](const auto& op, const auto&, const Site& site) {
         return dma::index_fits(op.dst, site) && dma::index_fits(op.src, site);
       },
       "give the index tile the shape [P, 1], P being the pattern's first count"},
      {"dma_copy.c9", "priority needs NeuronCore-v4",
       [](const auto& op, const auto& core) {
         return !dma::has_priority(op.priority) || core.features.dma_priority;
       },
       "leave priority out"},
      {"dma_copy.c10", "priority is 0, 1, 2 or 3",
       [](const auto& op, const auto& core) {
         return !core.features.dma_priority || dma::is_priority(op.priority, core);
       },
       fixes::priority},
      {"dma_copy.c11", "Sync or Scalar issue hardware-generated descriptors, GpSimd software ones",
       [](const auto& op, const auto&, const Site& site) {
         return dma::issuer_fits(op.dge_mode, site.engine);
       },
       "leave the engine out"},
  });
  static constexpr Source source = {"nki.isa.dma_copy, NKI 0.6; DMA engines: NKI DMA overview"};

  static Access access(const DmaCopy& op, std::size_t operand) {
    if (operand == 0) return dma::access_of_dst(op.src, op.oob_mode);
    return operand == 1 ? Access::read : Access::none;
  }
  static Activity activity(const DmaCopy&) { return {}; }
  static void execute(const DmaCopy& op, Execution& e) {
    dma::copy(op.dst, op.src, op.oob_mode, e);
  }

  static constexpr Traits<DmaCopy> traits{
      .kind = Kind::dma,
      .spread = Spread::moves,
      .copies =
          [](const DmaCopy& op) {
            return Copied{op.dst, op.src};
          },
      .access = access,
      // Sync and Scalar command the hardware that makes descriptors; else the machine chooses.
      .nameable = {"dma_copy.engine",
                   "engine is sync or scalar, and given only with dge_mode.hwdge",
                   [](const DmaCopy& op) {
                     return op.dge_mode == DgeMode::hwdge ? EngineSet{Engine::sync, Engine::scalar}
                                                          : EngineSet{};
                   },
                   "leave the engine out, or pass dge_mode=dge_mode.hwdge"},
  };
};

}  // namespace trainyard::isa
