// Does an instruction with float32 values beside its tiles leave the bits that it leaves without
// them? It does where nothing was rounded before it: for every legal form of every instruction.
#include <gtest/gtest.h>

#include "../isa/cases.h"
#include "compiler/compiler.h"
#include "observer.h"

namespace trainyard::session {

namespace {

// No float format has a NaN without this bit, whose sign a copy may keep and arithmetic may not.
constexpr std::byte no_nan{0xBF};

std::string result(const isa::Program& program, const machine::Machine& machine) {
  try {
    return values_of(program, machine, no_nan);
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(LowPrecision, OneInstructionLeavesTheSameBits) {
  for (const char* name : {"trn1", "trn2", "trn3"}) {
    const machine::Machine stored = machine::load(name);
    const machine::Machine wide = machine::apply_override(stored, "policy.low_precision=float32");
    int compared = 0;
    for (const isa::LegalCase& legal : isa::all_cases().legal) {
      isa::Bench bench;
      bench.core = stored.core;
      const std::uint32_t i = legal.append(bench);
      const isa::InstructionInfo& info = bench.program.info_at(i);
      if (!legal.broken(bench).empty() || info.kind == isa::Kind::control ||
          info.meeting != nullptr)
        continue;
      const isa::Program program = compiler::compile(bench.program, stored.core);
      EXPECT_EQ(result(program, stored), result(program, wide)) << info.mnemonic << " on " << name;
      ++compared;
    }
    EXPECT_GT(compared, 60) << name;
  }
}

}  // namespace

}  // namespace trainyard::session
