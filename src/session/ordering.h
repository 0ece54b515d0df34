// In which order a kernel's instructions run: as their author wrote them, or as the list scheduler
// has them where a simulation of both finds that faster.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "isa/core/program.h"
#include "machine/machine.h"
#include "runtime/run.h"

namespace trainyard::session {

struct Ordered {
  isa::Program program{};
  std::string order{};  // in words: "list, within 90 % of SBUF", "author: it meets other ranks"
  // Where the list scheduler was asked and could be judged: what it takes, alone on its core or
  // with the others of the grid that it was compiled with, what the author's order takes there, and
  // its program where another order runs and the kernel is not large.
  std::optional<base::Ticks> time{};
  std::optional<base::Ticks> as_written_time{};
  std::optional<isa::Program> as_written{};
  // What a run of it without values tells, alone on its core, where a simulation of so large a
  // kernel has told it.
  std::optional<runtime::Timing> simulated{};
  compiler::PassLog log{};  // of the passes that made the program
  // What was compiled, for questions about changes of it; not of a large kernel.
  std::optional<isa::Program> kernel{};
  compiler::Options options{};  // without their pulse
};

// Compiles a kernel. Throws InputError like compiler::compile.
[[nodiscard]] Ordered ordered(isa::Program kernel, const machine::Machine& machine,
                              const compiler::Options& options);
// The same of the kernels of one grid. Those that meet each other are judged together.
[[nodiscard]] std::vector<Ordered> ordered_grid(std::vector<isa::Program> kernels,
                                                const machine::Machine& machine,
                                                const compiler::Options& options);
// Whether its time depends on other cores.
[[nodiscard]] bool meets_others(const isa::Program& kernel);
// What the programs of one grid take together; nothing where that depends on data.
[[nodiscard]] std::optional<base::Ticks> time_together(std::span<const Ordered* const> grid,
                                                       const machine::Machine& machine);

}  // namespace trainyard::session
