// In which order a kernel's instructions run: as their author wrote them, or as the list scheduler
// has them. The scheduler works with estimates; whether its order is better is known only by
// simulating both, so that the author's order stays where that cannot be done.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/shortage.h"
#include "isa/core/program.h"
#include "machine/machine.h"
#include "runtime/time_only.h"

namespace trainyard::session {

// Which orders are tried. Of those the fastest runs.
struct OrderPolicy {
  // Of larger kernels a listed order is taken without a try of the author's where its busiest
  // engine or memory is held up for at most this part of the run: no other order could gain more,
  // and each takes as long to compile and simulate.
  std::size_t tried_instructions_max = 500'000;
  std::int64_t percent_held_up_max = 5;
  // Of SBUF, for more tries of the orders of tensor programs, whose loads depend on nothing: more
  // room lets loads run further ahead of their readers, which can be slower. From one try to the
  // next a program gains or loses several percent, so that two make its time depend less on chance:
  // 30 layers of SmolLM2 take 3,143 us within 90 %, 2,890 within 75 % and 3,122 within 60 %.
  std::array<std::int64_t, 2> percents_calm = {75, 60};
  // Of smaller kernels the scheduler tries to choose who issues transfers, too: what is short waits
  // for them, what is long for engines, which had better not issue any. Stacks of fewer layers must
  // not fall on the other side: 30 layers of SmolLM2 (22,570 instructions, 64 tokens behind 256)
  // take 2,436 us by rule and 2,253 so, and a table of 5 and 25 layers says 2,254.
  std::size_t issuers_instructions_max = 100'000;
  // A gain below that may be lost again where both cores of a pair ask the same HBM.
  std::int64_t percent_gain_of_issuers = 3;

  [[nodiscard]] bool is_large(std::size_t instructions) const {
    return instructions > tried_instructions_max;
  }
  // Whether a large kernel's listed order, which takes that, is taken without a try of the
  // author's.
  [[nodiscard]] bool takes_untried(const runtime::GridTime& listed) const;
};

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
  std::optional<runtime::TimedRun> simulated{};
  compiler::PassLog log{};  // of the passes that made the program
  // What was compiled, for questions about changes of it; not of a large kernel.
  std::optional<isa::Program> kernel{};
  compiler::Options options{};  // without their pulse
};

// Compiles the kernels of one grid, in their order, or tells what the core has not enough of. Those
// that meet each other are judged together. Throws InputError like compiler::compile.
[[nodiscard]] std::variant<std::vector<Ordered>, compiler::Shortage> ordered_grid(
    std::vector<isa::Program> kernels, const machine::Machine& machine,
    const compiler::Options& options, const OrderPolicy& policy = {});
// Whether its time depends on other cores.
[[nodiscard]] bool meets_others(const isa::Program& kernel);
// What the programs of one grid take together; nothing where that depends on data.
[[nodiscard]] std::optional<base::Ticks> time_together(std::span<const Ordered* const> grid,
                                                       const machine::Machine& machine);

}  // namespace trainyard::session
