// Engine time folded by line of the user's source, operation of the model and mnemonic.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "isa/core/program.h"
#include "report/report.h"
#include "trace/summary.h"

namespace trainyard::report {

// The slack of each instruction, or an empty list.
using Slacks = std::span<const std::optional<base::Ticks>>;

// Most engine time first. Instructions that never ran are left out.
[[nodiscard]] std::vector<Line> lines_of(const isa::Program& program, const trace::Summary& summary,
                                         Slacks slacks = {});
// By the model's name of the operation, of a program that a tensor program was compiled to
// ("jit(f)/ dense/dot_general", in `function`); empty for others.
[[nodiscard]] std::vector<Line> operations_of(const isa::Program& program,
                                              const trace::Summary& summary, Slacks slacks = {});
[[nodiscard]] std::vector<Line> mnemonics_of(const isa::Program& program,
                                             const trace::Summary& summary, Slacks slacks = {});

}  // namespace trainyard::report
