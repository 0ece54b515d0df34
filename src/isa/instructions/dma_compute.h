// dma_compute: tensors added element by element inside the DMA engines, and read-modify-write of
// gathered or scattered rows.
#pragma once

#include <algorithm>

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct DmaCompute {
  Tile dst{};
  TileList srcs{};
  numerics::AluOp reduce_op = numerics::AluOp::add;
  FloatList scales{};
  bool unique_indices = true;
  OobMode oob_mode = OobMode::error;
};

template <>
struct Definition<DmaCompute> {
  static constexpr std::string_view mnemonic = "dma_compute";
  static constexpr std::string_view summary =
      "dst = srcs[0] + srcs[1] + ..., in fp32, cast to dst's dtype";
  static constexpr EngineSet engines{Engine::sync, Engine::scalar, Engine::gpsimd, Engine::vector,
                                     Engine::tensor};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<DmaCompute> traits{
      .kind = Kind::dma,
      .engine_parameter = EngineParameter::absent,
      .spread = Spread::moves,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &DmaCompute::dst, "HBM or SBUF region"),
      reads("srcs", &DmaCompute::srcs, "up to 16 HBM or SBUF regions with as many elements"),
      immediate("reduce_op", &DmaCompute::reduce_op, "add"),
      immediate("scales", &DmaCompute::scales, "1.0 for each source, or None", "None"),
      immediate("unique_indices", &DmaCompute::unique_indices, "no row is scattered to twice",
                "True"),
      immediate("oob_mode", &DmaCompute::oob_mode, "what an out-of-bounds row index does",
                "oob_mode.error"),
  };

 private:
  static bool gathers(const DmaCompute& op, const Site& site) {
    return rules::gathers_rows(op.dst, site) ||
           std::ranges::any_of(op.srcs.span(),
                               [&](const Tile& t) { return rules::gathers_rows(t, site); });
  }
  // The same region, reached through the same index list.
  static bool same_place(const Tile& a, const Tile& b, const Site& site) {
    Tile plain_a = a, plain_b = b;
    plain_a.dynamic = plain_b.dynamic = 0;
    const DynamicAddress *how_a = rules::dynamic(a, site), *how_b = rules::dynamic(b, site);
    if (how_a == nullptr || how_b == nullptr) return plain_a == plain_b && how_a == how_b;
    return plain_a == plain_b && *how_a == *how_b;
  }
  // dst(HBM)[index] += data(SBUF), or dst(SBUF) += data(HBM)[index]; one source is dst itself.
  static bool is_read_modify_write(const DmaCompute& op, const Site& site) {
    if (op.srcs.count != 2) return true;  // broken by the rule on their number
    const auto fits = [&](const Tile& own, const Tile& data) {
      const bool scatter = op.dst.space == Space::hbm && data.space == Space::sbuf &&
                           rules::gathers_rows(op.dst, site);
      const bool gather = op.dst.space == Space::sbuf && rules::gathers_rows(data, site);
      return same_place(own, op.dst, site) && (scatter || gather);
    };
    return fits(op.srcs.items[0], op.srcs.items[1]) || fits(op.srcs.items[1], op.srcs.items[0]);
  }

 public:
  static constexpr auto constraints = std::to_array<Constraint<DmaCompute>>({
      {"dma_compute.c1", "dst and srcs are in HBM or SBUF",
       [](const auto& op, const auto&) {
         return dma::reachable(op.dst) && std::ranges::all_of(op.srcs.span(), dma::reachable);
       },
       "copy PSUM to SBUF with tensor_copy first"},
      {"dma_compute.c2", "there are 1 to 16 sources",
       [](const auto& op, const auto& core) {
         return op.srcs.count >= 1 && op.srcs.count <= core.dma.sources_max;
       },
       "add the rest with a second dma_compute"},
      {"dma_compute.c3", "dst and srcs have the same number of elements",
       [](const auto& op, const auto&) {
         return std::ranges::all_of(
             op.srcs.span(), [&](const Tile& t) { return t.elements() == op.dst.elements(); });
       },
       fixes::same_sizes},
      {"dma_compute.c4", "packed MX dtypes are not computed with",
       [](const auto& op, const auto&) {
         return !numerics::is_packed(op.dst.dtype) &&
                std::ranges::none_of(op.srcs.span(),
                                     [](const Tile& t) { return numerics::is_packed(t.dtype); });
       },
       "use a dtype that is not packed"},
      {"dma_compute.c5", "reduce_op is add",
       [](const auto& op, const auto&) { return op.reduce_op == numerics::AluOp::add; },
       "use an engine for other operators"},
      {"dma_compute.c6", "scales is None, or 1.0 for each source",
       [](const auto& op, const auto&) {
         return op.scales.count == 0 ||
                (op.scales.count == op.srcs.count &&
                 std::ranges::all_of(op.scales.span(), [](double s) { return s == 1.0; }));
       },
       "scale with tensor_scalar first"},
      {"dma_compute.c7", "with vector_offset there are exactly 2 sources",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || op.srcs.count == 2;
       },
       "pass dst and the tile that is added to it"},
      {"dma_compute.c8",
       "with vector_offset one source is dst itself and the other is scattered from SBUF or "
       "gathered from HBM",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || is_read_modify_write(op, site);
       },
       "pass dst as one source, and index the one in HBM of dst and the other source"},
      {"dma_compute.c9", "with vector_offset unique_indices is True",
       [](const auto& op, const auto&, const Site& site) {
         return !gathers(op, site) || op.unique_indices;
       },
       "combine equal rows first"},
      {"dma_compute.c10", "addresses are known when compiled, apart from vector_offset",
       [](const auto& op, const auto&, const Site& site) {
         const auto fixed = [&](const Tile& t) {
           return t.dynamic == 0 || rules::gathers_rows(t, site);
         };
         return fixed(op.dst) && std::ranges::all_of(op.srcs.span(), fixed);
       },
       "copy the region with dma_copy first"},
      {"dma_compute.c11", "vector_offset holds one uint32 or int32 for each row of the pattern",
       [](const auto& op, const auto&, const Site& site) {
         return dma::index_fits(op.dst, site) &&
                std::ranges::all_of(op.srcs.span(),
                                    [&](const Tile& t) { return dma::index_fits(t, site); });
       },
       "give the index tile the shape [P, 1], P being the pattern's first count"},
      {"dma_compute.c12", "oob_mode.skip belongs to vector_offset",
       [](const auto& op, const auto&, const Site& site) {
         return op.oob_mode == OobMode::error || gathers(op, site);
       },
       "leave oob_mode out"},
  });
  static constexpr Source source = {"nki.isa.dma_compute, NKI 0.6; oob_mode: release notes 0.4.0"};

  static Activity activity(const DmaCompute& op) { return {.elements = op.dst.elements()}; }
  static void execute(const DmaCompute& op, Execution& e) {
    dma::check_unique(op.dst, e);
    dma::sum(op.dst, op.srcs.span(), op.oob_mode, e);
  }
};

}  // namespace trainyard::isa
