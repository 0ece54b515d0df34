// Engine time folded by line of the user's source and by mnemonic.
#pragma once

#include <vector>

#include "isa/program.h"
#include "report/report.h"
#include "trace/summary.h"

namespace trainyard::report {

// Most engine time first. Instructions that never ran are left out.
[[nodiscard]] std::vector<Line> lines_of(const isa::Program& program,
                                         const trace::Summary& summary);
[[nodiscard]] std::vector<Line> mnemonics_of(const isa::Program& program,
                                             const trace::Summary& summary);

}  // namespace trainyard::report
