#include <algorithm>

#include "lint/lint.h"
#include "lint/report.h"
#include "numerics/operators.h"

namespace trainyard::lint {

namespace {

// Whether the instruction copies, as the Scalar engine's functions go, and adds a bias on the way.
bool copies_with_bias(const isa::Program& program, std::uint32_t i) {
  const void* const record = program.record(i);
  bool copies = false, has_bias = false;
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    if (operand.is<numerics::ActivationFunction>())
      copies =
          operand.in<numerics::ActivationFunction>(record) == numerics::ActivationFunction::copy;
    if (operand.role != isa::Role::bias || !operand.is<isa::Scalar>()) continue;
    const isa::Scalar& bias = operand.in<isa::Scalar>(record);
    has_bias = bias.is_tile() || (!bias.is_absent() && bias.constant != 0);
  }
  return copies && has_bias;
}

}  // namespace

void inspect_silicon(const isa::Program& program, checkers::Findings& findings) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!copies_with_bias(program, i)) continue;
    report(findings, "silicon.copy_bias", {"copies", i}, std::nullopt, [&] {
      return std::string(program.info_at(i).mnemonic) +
             " with op=copy adds a bias, as documented; Trn1 is reported to leave it out";
    });
  }
}

}  // namespace trainyard::lint
