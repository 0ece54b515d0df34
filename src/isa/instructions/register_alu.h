// register_alu: 32-bit integer arithmetic between sequencer registers.
#pragma once

#include "isa/core/definition.h"
#include "isa/cost/cycles.h"
#include "isa/rules/fixes.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "numerics/alu.h"

namespace trainyard::isa {

struct RegisterAlu {
  Register dst{};
  RegisterOrInt left{};
  numerics::AluOp op = numerics::AluOp::add;
  RegisterOrInt right{};
  bool wide = false;
};

template <>
struct Definition<RegisterAlu> {
  static constexpr std::string_view mnemonic = "register_alu";
  static constexpr std::string_view summary =
      "dst = left op right, on signed 32-bit integers, or on 64-bit ones where wide";
  static constexpr EngineSet engines{Engine::tensor, Engine::vector, Engine::scalar, Engine::gpsimd,
                                     Engine::sync};
  static constexpr Engine engine = Engine::any;
  static constexpr Traits<RegisterAlu> traits{
      .kind = Kind::control,
      .interface = Interface::registers,
  };
  static constexpr auto operands = std::tuple{
      sets("dst", &RegisterAlu::dst, "register"),
      immediate("left", &RegisterAlu::left, "32-bit integer or register"),
      immediate("op", &RegisterAlu::op, "operator with a 32-bit integer form"),
      immediate("right", &RegisterAlu::right, "32-bit integer or register"),
      immediate("wide", &RegisterAlu::wide, "64-bit arithmetic", "False"),
  };
  static constexpr auto constraints = std::to_array<Constraint<RegisterAlu>>({
      {"register_alu.c1", "dst, left and right are registers of the sequencer",
       [](const auto& op, const auto& core) {
         return rules::is_register(op.dst, core) && rules::is_register_or_int(op.left, core) &&
                rules::is_register_or_int(op.right, core);
       },
       fixes::make_register},
      {"register_alu.c2", "op has a 32-bit integer form",
       [](const auto& op, const auto&) { return numerics::has_integer_form(op.op); },
       "pass an integer operator, such as nl.add, or compute in a tile on an engine"},
      {"register_alu.c3", "wide arithmetic adds, subtracts or multiplies",
       [](const auto& op, const auto&) {
         return !op.wide || op.op == numerics::AluOp::add || op.op == numerics::AluOp::subtract ||
                op.op == numerics::AluOp::multiply;
       },
       "pass one of these, or leave wide out"},
  });
  // That sequencers have a register ALU is published; which operators is not.
  static constexpr Source source = {"Trainium/Inferentia2 architecture guide, instruction kinds",
                                    Fidelity::assumed};

  static Timing cycles(const RegisterAlu&, Engine engine, const machine::Core& core) {
    return cost::sequencer(engine, &machine::Sequencer::register_alu, core);
  }
  static Activity activity(const RegisterAlu&) { return {}; }
  static void execute(const RegisterAlu& op, Execution& e) {
    if (op.wide) return write_wide_register(op.dst, wide(op, e), e);
    write_register(op.dst, numerics::apply_int32(op.op, read(op.left, e), read(op.right, e)), e);
  }

 private:
  // Modulo 2^64, as the narrow forms are modulo 2^32: assumed.
  static std::int64_t wide(const RegisterAlu& op, const Execution& e) {
    const auto a = static_cast<std::uint64_t>(read_wide(op.left, e));
    const auto b = static_cast<std::uint64_t>(read_wide(op.right, e));
    if (op.op == numerics::AluOp::multiply) return static_cast<std::int64_t>(a * b);
    return static_cast<std::int64_t>(op.op == numerics::AluOp::add ? a + b : a - b);
  }
};

}  // namespace trainyard::isa
