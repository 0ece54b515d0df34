// register_store: a sequencer register into one element of SBUF or HBM.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct RegisterStore {
  Tile dst{};
  Register src{};
};

template <>
struct Definition<RegisterStore> {
  static constexpr std::string_view mnemonic = "register_store";
  static constexpr std::string_view summary = "the one element of dst = the low bits of src";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<RegisterStore> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
  };
  static constexpr auto operands = std::tuple{
      writes("dst", &RegisterStore::dst,
             "SBUF or HBM tile of one element, at most 32 bits, or int64"),
      immediate("src", &RegisterStore::src, "register"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RegisterStore>>({
      {"register_store.c1", "src is a register of the sequencer",
       [](const auto& op, const auto& core) { return rules::is_register(op.src, core); },
       fixes::make_register},
      {"register_store.c2", "dst has exactly one element",
       [](const auto& op, const auto&) { return op.dst.elements() == 1; }, "slice one element"},
      {"register_store.c3", "dst is in SBUF or HBM",
       [](const auto& op, const auto&) {
         return op.dst.space == Space::sbuf || op.dst.space == Space::hbm;
       },
       "store to SBUF, and copy it to PSUM with tensor_copy"},
      {"register_store.c4", "the element has at most 32 bits, or is an int64",
       [](const auto& op, const auto&) {
         return op.dst.element_bytes() <= 4 || op.dst.dtype == DType::int64;
       },
       "declare dst as int32 or int64"},
  });
  static constexpr Source source = {
      "nki.isa.register_store, NKI 0.6; int64: scalar_store, NKI 0.7"};

  static Timing cycles(const RegisterStore&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::register_store, core);
  }
  static Activity activity(const RegisterStore&) { return {}; }
  static void execute(const RegisterStore& op, Execution& e) {
    if (op.dst.dtype == DType::int64) {
      const std::int64_t whole = read_wide_register(op.src, e);
      return store_bits(op.dst, e, 0, reinterpret_cast<const std::byte*>(&whole));
    }
    const auto bits = static_cast<std::uint32_t>(read_register(op.src, e));
    store_patterns(op.dst, e, 0, &bits);
  }
};

}  // namespace trainyard::isa
