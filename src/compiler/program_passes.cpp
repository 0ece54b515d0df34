#include "compiler/program_passes.h"

#include <malloc.h>

#include "compiler/accumulate.h"
#include "compiler/allocate.h"
#include "compiler/balance.h"
#include "compiler/engines.h"
#include "compiler/join_transfers.h"
#include "compiler/merge_loads.h"
#include "compiler/merge_products.h"
#include "compiler/schedule.h"
#include "compiler/sequencers.h"
#include "compiler/streams.h"
#include "compiler/zero_unwritten.h"
#include "isa/rules/validate.h"

namespace trainyard::compiler {

namespace {

using isa::Program;
constexpr std::size_t instructions_small_max = 100'000;

using Missing = std::optional<Shortage>;
using Context = ProgramContext;

bool may_rewrite(const Context& c) { return c.options.rewrite; }
bool joins(const Context& c) { return c.options.rewrite && c.attempt.joins; }
bool zeroes(const Context& c) { return c.core.policy.unwritten == machine::Unwritten::zero; }

// For passes that miss nothing.
template <auto pass>
Missing on_core(Program& program, Context& c) {
  pass(program, c.core);
  return std::nullopt;
}
template <auto pass>
Missing alone(Program& program, Context&) {
  pass(program);
  return std::nullopt;
}

Missing choose(Program& program, Context& c) {
  c.open = open_engines(program);
  choose_engines(program, c.core);
  return std::nullopt;
}
Missing balance(Program& program, Context& c) {
  balance_engines(program, c.core, c.open);
  return std::nullopt;
}
Missing sort(Program& program, Context& c) {
  schedule(program, c.core, c.attempt.order, c.attempt.percent, c.options.written_in_parts,
           c.options.issuers_open);
  return std::nullopt;
}
Missing place(Program& program, Context& c) {
  return allocate(program, c.core, c.options.allow_overlap || c.attempt.order == Order::list);
}
Missing separate(Program& program, Context& c) {
  return build_streams(program, c.core, c.options.turns_overlap);
}

using enum ProgramPass::Stage;

constexpr auto passes = std::to_array<ProgramPass>({
    {"merge-loads", "loads of the same bytes become one", prepare, on_core<merge_loads>,
     may_rewrite},
    {"merge-products", "products that are computed again become one", prepare,
     alone<merge_products>, may_rewrite},
    {"join-transfers", "transfers of neighbouring tiles become one", prepare,
     on_core<join_transfers>, joins},
    {"zero-unwritten", "tensors that are not written whole begin as zeros", prepare,
     on_core<zero_unwritten>, zeroes},
    {"resolve-accumulation", "each product begins a sum in PSUM or adds to one", prepare,
     on_core<resolve_accumulation>},
    {"choose-engines",
     "instructions and transfers whose author chose none get an engine or a queue", prepare,
     choose},
    {"balance-engines", "copies and scalings go to whichever of Vector and Scalar is done first",
     prepare, balance, may_rewrite},
    {"split-registers", "instructions on registers run on every engine that reads them", prepare,
     alone<split_register_instructions>},
    {"schedule", "the order in which instructions are issued", order, sort},
    {"allocate", "tensors get addresses in SBUF and PSUM", order, place},
    {"build-streams", "one stream an engine, and the semaphores between them", order, separate},
});

}  // namespace

std::span<const ProgramPass> program_passes() { return passes; }

Missing run_program_passes(Program& program, Context& context, ProgramPass::Stage stage,
                           PassLog& log) {
  const Options& options = context.options;
  for (const ProgramPass& pass : passes) {
    if (pass.stage != stage || (pass.applies != nullptr && !pass.applies(context))) continue;
    Missing missing = timed(pass.name, log, [&] { return pass.run(program, context); });
    // What a pass took lies between what it leaves, and would stay with the process.
    if (program.instructions.size() > instructions_small_max) malloc_trim(0);
    if (missing) return missing;
    if (options.passes.verify) isa::validate(program, context.core);
    look(program, pass.name, options.passes, log);
    if (options.pulse) options.pulse();
  }
  return std::nullopt;
}

}  // namespace trainyard::compiler
