#include "engines/decoded.h"

#include <utility>

#include "base/error.h"
#include "isa/cost/transfer.h"
#include "isa/rules/validate.h"

namespace trainyard::engines {

std::vector<Decoded> decode(const isa::Program& program) {
  std::vector<Decoded> decoded(program.instructions.size());
  for (std::uint32_t i = 0; i < decoded.size(); ++i) {
    Decoded& d = decoded[i];
    d.info = &program.info_at(i);
    d.record = program.record(i);
    d.is_dynamic = isa::is_dynamic(*d.info, d.record);
    if (d.is_dynamic) d.words = isa::address_words(program, i);
  }
  return decoded;
}

namespace {

template <typename F>
void naming_the_place(const isa::Program& program, std::uint32_t instruction, F&& f) {
  try {
    f();
  } catch (const base::Fault& fault) {
    if (!fault.violation().place.empty()) throw;
    base::Violation violation = fault.violation();
    violation.place = program.place(instruction);
    violation.sides = isa::sides_of(program, program.info_at(instruction),
                                    program.record(instruction), violation.place);
    throw base::Fault(fault.category(), std::move(violation));
  }
}

}  // namespace

void resolve_at(const isa::Program& program, std::uint32_t instruction, isa::Engine engine,
                isa::Execution& execution, void* resolved) {
  naming_the_place(program, instruction, [&] {
    isa::resolve(program.info_at(instruction), program.record(instruction), engine, execution,
                 resolved);
  });
}

void execute_at(const isa::Program& program, std::uint32_t instruction, const void* record,
                isa::Execution& execution) {
  naming_the_place(program, instruction,
                   [&] { isa::execute(program.info_at(instruction), record, execution); });
}

}  // namespace trainyard::engines
