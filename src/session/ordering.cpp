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
  if (options.order == compiler::Order::author) {
    compiler::Compiled made = compiler::compile_and_tell(std::move(kernel), machine.core, options);
    return {.program = std::move(made.program), .order = "author", .log = std::move(made.log)};
  }
  compiler::Options plain = options;
  plain.order = compiler::Order::author;
  compiler::Compiled as_written = compiler::compile_and_tell(kernel, machine.core, plain);
  const auto keep_it = [&](std::string why, std::optional<base::Ticks> time = std::nullopt) {
    return Ordered{.program = std::move(as_written.program),
                   .order = "author: " + why,
                   .as_written_time = time,
                   .log = std::move(as_written.log)};
  };
  if (const std::string why = obstacle(as_written.program); !why.empty()) return keep_it(why);
  const auto time = [&](const isa::Program& program) {
    engines::Watch watch;
    if (options.pulse) watch = [&](const engines::Progress&) { options.pulse(); };
    return system::time(program, machine, nullptr, std::move(watch)).time;
  };
  const base::Ticks before = time(as_written.program);
  // Of a large kernel two programs are held at once: what is compiled, and what it becomes.
  const bool is_large = kernel.instructions.size() > kept_instructions_max;
  if (is_large) as_written.program = {};
  compiler::Compiled listed = compiler::compile_and_tell(kernel, machine.core, options);
  const bool has_room = listed.attempt.order == compiler::Order::list;
  if (!has_room || time(listed.program) >= before) {
    if (is_large) {
      listed.program = {};
      as_written.program = compiler::compile(std::move(kernel), machine.core, plain);
    }
    as_written.log.add_times(listed.log);
    return keep_it(has_room ? "no faster order was found" : "another order needs more SBUF or PSUM",
                   before);
  }
  listed.log.add_times(as_written.log);
  Ordered result{.program = std::move(listed.program),
                 .order = fmt::format("list, within {} % of SBUF", listed.attempt.percent),
                 .as_written_time = before,
                 .log = std::move(listed.log)};
  if (!is_large) result.as_written = std::move(as_written.program);
  return result;
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
  result.options.passes = {};
  return result;
}

}  // namespace trainyard::session
