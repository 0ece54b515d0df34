#include "session/ordering.h"

#include <fmt/format.h>

#include <utility>

#include "isa/core/control_flow.h"
#include "system/run.h"

namespace trainyard::session {

namespace {

// Why a simulation of one core alone cannot tell how long the program takes; or nothing.
std::string obstacle(const isa::Program& program) {
  if (isa::flow_reads_memory(program)) return "its loops or branches depend on what it loads";
  for (const isa::Instruction& instruction : program.instructions) {
    if (isa::info(instruction.opcode).meeting != nullptr) return "it meets other cores";
  }
  return {};
}

// Larger kernels are not kept beside what they are compiled to.
constexpr std::size_t kept_instructions_max = 50'000;

// A list scheduler works with estimates; whether its order is better is known only by simulating
// both, so that the author's order stays where that cannot be done by one core alone.
Ordered in_the_better_order(isa::Program kernel, const machine::Machine& machine,
                            const compiler::Options& options) {
  if (options.order == compiler::Order::author)
    return {compiler::compile(std::move(kernel), machine.core, options), "author"};
  compiler::Options plain = options;
  plain.order = compiler::Order::author;
  isa::Program as_written = compiler::compile(kernel, machine.core, plain);
  if (const std::string why = obstacle(as_written); !why.empty())
    return {std::move(as_written), "author: " + why};
  compiler::Compiled listed = compiler::compile_and_tell(std::move(kernel), machine.core, options);
  const auto time = [&](const isa::Program& program) {
    engines::Watch watch;
    if (options.pulse) watch = [&](const engines::Progress&) { options.pulse(); };
    return system::time(program, machine, nullptr, std::move(watch)).time;
  };
  const base::Ticks before = time(as_written);
  if (listed.attempt.order == compiler::Order::author)
    return {std::move(as_written), "author: another order needs more SBUF or PSUM", before};
  if (time(listed.program) >= before)
    return {std::move(as_written), "author: no other was found that is faster", before};
  return {std::move(listed.program),
          fmt::format("list, within {} % of SBUF", listed.attempt.percent), before,
          std::move(as_written)};
}

}  // namespace

Ordered ordered(isa::Program kernel, const machine::Machine& machine,
                const compiler::Options& options) {
  std::optional<isa::Program> kept;
  if (kernel.instructions.size() <= kept_instructions_max) kept = kernel;
  Ordered result = in_the_better_order(std::move(kernel), machine, options);
  result.kernel = std::move(kept);
  result.options = options;
  result.options.pulse = {};
  return result;
}

}  // namespace trainyard::session
