// iota: an integer sequence of nested counters, one per partition.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/affine.h"
#include "isa/semantics/constant.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct Iota {
  Tile dst;
  Pattern pattern;
  RegisterOrInt offset{};
  std::int32_t channel_multiplier = 0;
};

template <>
struct Definition<Iota> {
  static constexpr std::string_view mnemonic = "iota";
  static constexpr std::string_view summary =
      "dst[p, i] = offset + p * channel_multiplier + pattern[i], in int32, then cast";
  static constexpr EngineSet engines{Engine::gpsimd};
  static constexpr Engine engine = Engine::gpsimd;
  static constexpr Traits<Iota> traits{
      .moves_values = true,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &Iota::dst, "SBUF tile, [P, F]"),
      immediate("pattern", &Iota::pattern, "up to four [step, count], slowest first"),
      immediate("offset", &Iota::offset, "added to every value: an integer or a register", "0"),
      immediate("channel_multiplier", &Iota::channel_multiplier, "times the partition index", "0"),
  };
  static constexpr auto constraints = std::to_array<Constraint<Iota>>({
      {"iota.c1", "dst is in SBUF",
       [](const auto& op, const auto&) { return rules::in_sbuf(op.dst); },
       "write SBUF, then copy to PSUM with tensor_copy"},
      {"iota.c2", "the pattern has as many elements as a partition of dst",
       [](const auto& op, const auto&) {
         return affine::elements(op.pattern) == op.dst.free_elements();
       },
       "make the product of the counts equal to the free size of dst"},
      {"iota.c3", "dst has a dtype that engines compute on",
       [](const auto& op, const auto&) { return rules::computable(op.dst); },
       "declare dst with another dtype, for instance int32"},
      {"iota.c4", "offset is a 32-bit integer or a register of the sequencer",
       [](const auto& op, const auto& core) { return rules::is_register_or_int(op.offset, core); },
       fixes::integer_or_register},
  });
  static constexpr Source source = {"nki.isa.iota, NKI 0.6"};

  static Timing cycles(const Iota& op, Engine, const machine::Core& core) {
    return cost::gpsimd(op.dst, op.dst, core.gpsimd_rates.stream, core);
  }
  static Activity activity(const Iota& op) { return {.elements = op.dst.elements()}; }
  static void execute(const Iota& op, Execution& e) {
    std::vector<std::int32_t> values;
    affine::fill(op.pattern, read(op.offset, e), values);
    std::vector<std::byte>& row = e.raw[0];
    for (int p = 0; p < op.dst.partitions; ++p) {
      constant_row(op.dst.dtype, values, row);
      store_bits(op.dst, e, p, row.data());
      for (std::int32_t& v : values) v = affine::add(v, op.channel_multiplier);
    }
  }
};

}  // namespace trainyard::isa
