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

// Of SBUF: a second try of the orders of tensor programs, whose loads depend on nothing.
constexpr std::int64_t percent_calm = 60;

// A list scheduler works with estimates; whether its order is better is known only by simulating
// both, so that the author's order stays where that cannot be done by one core alone.
Ordered in_the_better_order(isa::Program kernel, const machine::Machine& machine,
                            const compiler::Options& options) {
  compiler::Options plain = options;
  plain.order = compiler::Order::author;
  const auto as_written_for = [&](const std::string& why) {
    compiler::Compiled made = compiler::compile_and_tell(std::move(kernel), machine.core, plain);
    return Ordered{.program = std::move(made.program),
                   .order = why.empty() ? "author" : "author: " + why,
                   .log = std::move(made.log)};
  };
  if (options.order == compiler::Order::author) return as_written_for("");
  if (const std::string why = obstacle(kernel); !why.empty()) return as_written_for(why);
  const auto time = [&](const isa::Program& program) {
    engines::Watch watch;
    if (options.pulse) watch = [&](const engines::Progress&) { options.pulse(); };
    return system::time(program, machine, nullptr, std::move(watch)).time;
  };
  const bool is_large = kernel.instructions.size() > kept_instructions_max;
  compiler::Compiled listed = compiler::compile_and_tell(kernel, machine.core, options);
  const bool has_room = listed.attempt.order == compiler::Order::list;
  std::optional<base::Ticks> after;
  if (has_room) after = time(listed.program);
  // More room lets loads run further ahead of their readers, which can be slower: both are timed.
  if (has_room && options.written_in_parts && listed.attempt.percent > percent_calm) {
    compiler::Options calm = options;
    calm.percent_max = percent_calm;
    compiler::Compiled other = compiler::compile_and_tell(kernel, machine.core, calm);
    other.log.add_times(listed.log);
    const bool fits = other.attempt.order == compiler::Order::list;
    const auto taken = fits ? std::optional(time(other.program)) : std::nullopt;
    if (taken && *taken < *after) {
      listed = std::move(other);
      after = taken;
    }
  }
  if (!has_room) listed.program = {};
  Ordered as_written = as_written_for("another order needs more SBUF or PSUM");
  as_written.as_written_time = time(as_written.program);
  if (!has_room || *after >= *as_written.as_written_time) {
    if (has_room) as_written.order = "author: no faster order was found";
    as_written.log.add_times(listed.log);
    return as_written;
  }
  listed.log.add_times(as_written.log);
  Ordered result{.program = std::move(listed.program),
                 .order = fmt::format("list, within {} % of SBUF", listed.attempt.percent),
                 .as_written_time = as_written.as_written_time,
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
