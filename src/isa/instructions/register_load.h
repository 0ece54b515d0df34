// register_load: one element of SBUF or HBM into a sequencer register.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

struct RegisterLoad {
  Register dst{};
  Tile src{};
};

template <>
struct Definition<RegisterLoad> {
  static constexpr std::string_view mnemonic = "register_load";
  static constexpr std::string_view summary = "dst = the one element of src";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<RegisterLoad> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
  };
  static constexpr auto operands = std::tuple{
      sets("dst", &RegisterLoad::dst, "register"),
      reads("src", &RegisterLoad::src,
            "SBUF or HBM tile of one element, at most 32 bits, or int64"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RegisterLoad>>({
      {"register_load.c1", "dst is a register of the sequencer",
       [](const auto& op, const auto& core) { return rules::is_register(op.dst, core); },
       fixes::make_register},
      {"register_load.c2", "src has exactly one element",
       [](const auto& op, const auto&) { return op.src.elements() == 1; }, "slice one element"},
      {"register_load.c3", "src is in SBUF or HBM",
       [](const auto& op, const auto&) {
         return op.src.space == Space::sbuf || op.src.space == Space::hbm;
       },
       "copy the PSUM element to SBUF first"},
      {"register_load.c4", "the element has at most 32 bits, or is an int64",
       [](const auto& op, const auto&) {
         return op.src.element_bytes() <= 4 || op.src.dtype == DType::int64;
       },
       "view it as int64"},
  });
  static constexpr Source source = {"nki.isa.register_load, NKI 0.6; int64: scalar_load, NKI 0.7"};

  static Timing cycles(const RegisterLoad& op, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine,
                           op.src.space == Space::hbm ? &machine::Sequencer::register_load_hbm
                                                      : &machine::Sequencer::register_load_sbuf,
                           core);
  }
  static Activity activity(const RegisterLoad&) { return {}; }
  // Signed integers keep their sign; the bits of every other dtype are extended with zeros.
  static void execute(const RegisterLoad& op, Execution& e) {
    if (op.src.dtype == DType::int64) {
      std::int64_t whole = 0;
      load_bits(op.src, e, 0, reinterpret_cast<std::byte*>(&whole));
      return write_wide_register(op.dst, whole, e);
    }
    std::uint32_t bits = 0;
    load_patterns(op.src, e, 0, &bits);
    auto value = static_cast<std::int32_t>(bits);
    if (op.src.dtype == DType::int8) value = static_cast<std::int8_t>(bits);
    if (op.src.dtype == DType::int16) value = static_cast<std::int16_t>(bits);
    write_register(op.dst, value, e);
  }
};

}  // namespace trainyard::isa
