// dma_read_add_write: a DMA transfer that adds to SBUF at its destination. NeuronCore-v4 has it,
// AWS's API does not (yet): trainyard.experimental.
#pragma once

#include <algorithm>
#include <array>

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/semantics/dma.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct DmaReadAddWrite {
  Tile dst{}, src{};
  std::int32_t priority = no_integer;  // None: the machine's default
};

template <>
struct Definition<DmaReadAddWrite> {
  static constexpr std::string_view mnemonic = "dma_read_add_write";
  static constexpr std::string_view summary =
      "dst += src beside SBUF, at the rate of a copy, in fp32 and cast to dst's dtype";
  static constexpr EngineSet engines{Engine::sync, Engine::scalar, Engine::gpsimd, Engine::vector,
                                     Engine::tensor};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<DmaReadAddWrite> traits{
      .kind = Kind::dma,
      .interface = Interface::experimental,
      .spread = Spread::moves,
      .adds_at_destination = true,
  };
  static constexpr auto operands = std::tuple{
      updates("dst", &DmaReadAddWrite::dst, "SBUF region of float32 or bfloat16"),
      reads("src", &DmaReadAddWrite::src, "HBM or SBUF region with as many elements"),
      as(Role::priority, immediate("priority", &DmaReadAddWrite::priority,
                                   "traffic class: 0 (highest) to 3", "None")),
  };
  static constexpr auto constraints = std::to_array<Constraint<DmaReadAddWrite>>({
      {"dma_read_add_write.c1", "the core adds in SBUF (gen4)",
       [](const auto&, const auto& core) { return core.features.dma_read_add_write; },
       "use dma_compute"},
      {"dma_read_add_write.c2", "dst is in SBUF, src in HBM or SBUF",
       [](const auto& op, const auto&) {
         return op.dst.space == Space::sbuf && dma::reachable(op.src);
       },
       "use dma_compute to add in HBM"},
      {"dma_read_add_write.c3", "dst and src have the same number of elements",
       [](const auto& op, const auto&) { return op.dst.elements() == op.src.elements(); },
       fixes::same_sizes},
      {"dma_read_add_write.c4", "dst and src are both float32 or both bfloat16",
       [](const auto& op, const auto&) {
         return op.dst.dtype == op.src.dtype &&
                rules::dtype_in(op.dst, {DType::float32, DType::bfloat16});
       },
       "cast src with dma_copy first"},
      {"dma_read_add_write.c5", "addresses are known when compiled",
       [](const auto& op, const auto&) { return op.dst.dynamic == 0 && op.src.dynamic == 0; },
       "copy the region with dma_copy first"},
      {"dma_read_add_write.c6", "no element of dst is added to twice",
       [](const auto& op, const auto&) {
         return std::ranges::none_of(op.dst.free(),
                                     [](const Dim& d) { return d.count > 1 && d.step == 0; });
       },
       "add the repeated elements with dma_compute first"},
      {"dma_read_add_write.c7", "priority is 0, 1, 2 or 3",
       [](const auto& op, const auto& core) {
         return !core.features.dma_priority || dma::is_priority(op.priority, core);
       },
       fixes::priority},
  });
  static constexpr Source source = {"Trainium3 architecture guide, SBUF Read-Add-Write"};

  static Activity activity(const DmaReadAddWrite& op) { return {.elements = op.dst.elements()}; }
  static void execute(const DmaReadAddWrite& op, Execution& e) {
    dma::sum(op.dst, std::array{op.dst, op.src}, OobMode::error, e);
  }
};

}  // namespace trainyard::isa
