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

struct Lines {
  std::vector<Line> lines;
  // By the model's name of the operation, of a program that a tensor program was compiled to
  // ("jit(f)/ dense/dot_general", in `function`); empty for others.
  std::vector<Line> operations;
  std::vector<Line> mnemonics;
};

// Most engine time first. Instructions that never ran are left out.
[[nodiscard]] Lines lines_of(const isa::Program& program, const trace::Summary& summary,
                             Slacks slacks = {});

}  // namespace trainyard::report
