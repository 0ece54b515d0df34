// psum_zero: the places of a sum that nothing has been added to yet start from nothing. Compilers
// put it before a matmul that finds its destination written in part.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct PsumZero {
  Tile dst{};
};

template <>
struct Definition<PsumZero> {
  static constexpr std::string_view mnemonic = "psum_zero";
  static constexpr std::string_view summary =
      "the next matmul that adds to dst finds nothing there: it overwrites";
  static constexpr EngineSet engines{Engine::tensor};
  static constexpr Engine engine = Engine::tensor;
  static constexpr Traits<PsumZero> traits{
      .interface = Interface::compiler,
      .fills = [](const PsumZero&) { return std::optional(0.0); },
  };
  // Any partitions: it marks places of the matmul's destination, it moves nothing.
  static constexpr auto operands = std::tuple{
      with_own_start_rule(writes("dst", &PsumZero::dst, "PSUM tile of float32 or bfloat16"))};
  static constexpr auto constraints = std::to_array<Constraint<PsumZero>>({
      {"psum_zero.c1", "dst is in PSUM",
       [](const auto& op, const auto&) { return op.dst.space == Space::psum; },
       "use memset for SBUF"},
      {"psum_zero.c2", "dst is float32 or bfloat16",
       [](const auto& op, const auto&) {
         return rules::dtype_in(op.dst, {DType::float32, DType::bfloat16});
       },
       fixes::dst_dtype},
  });
  static constexpr Source source = {
      "psum_zero in the profiler's form of a matmul (nki.isa.nc_matmul, NKI 0.6): there it is a "
      "flag of the matmul, so it takes no time",
      Fidelity::derived};

  static Timing cycles(const PsumZero&, Engine, const machine::Core&) { return {}; }
  static Activity activity(const PsumZero&) { return {}; }
  // Minus zero, because minus zero + x is x, bit for bit, for every x.
  static void execute(const PsumZero& op, Execution& e) {
    constexpr double nothing = -0.0;
    fill_row(op.dst.dtype, constant_bits(op.dst.dtype, nothing),
             static_cast<std::size_t>(op.dst.free_elements()), e.raw[0]);
    for (int p = 0; p < op.dst.partitions; ++p) store_bits(op.dst, e, p, e.raw[0].data());
  }
};

}  // namespace trainyard::isa
