#include "session/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>

#include "base/error.h"
#include "isa/core/control_flow.h"
#include "isa/semantics/meeting.h"
#include "system/run.h"

namespace trainyard::session {

namespace {

using Programs = std::vector<isa::Program>;

// Why a simulation of these cores alone cannot tell how long the program takes; or nothing.
std::string obstacle(const isa::Program& program, bool is_alone) {
  if (isa::flow_reads_memory(program)) return "its loops or branches depend on what it loads";
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (program.info_at(i).meeting == nullptr) continue;
    if (is_alone) return "it meets other cores";
    if (isa::meeting_of(program, i).encounter == isa::Encounter::collective)
      return "it meets other ranks";
  }
  return {};
}

// Larger kernels are not kept beside what they are compiled to.
constexpr std::size_t kept_instructions_max = 50'000;

// Of SBUF: a second try of the orders of tensor programs, whose loads depend on nothing.
constexpr std::int64_t percent_calm = 60;

struct CompiledGrid {
  std::vector<compiler::Compiled> cores;

  [[nodiscard]] bool is_listed() const {
    return std::ranges::all_of(cores, [](const compiler::Compiled& core) {
      return core.attempt.order == compiler::Order::list;
    });
  }
  [[nodiscard]] std::int64_t percent() const {
    return std::ranges::max(cores | std::views::transform([](const compiler::Compiled& core) {
                              return core.attempt.percent;
                            }));
  }
  void add_times(const CompiledGrid& other) {
    for (std::size_t k = 0; k < cores.size(); ++k) cores[k].log.add_times(other.cores[k].log);
  }
};

// A list scheduler works with estimates; whether its order is better is known only by simulating
// both, so that the author's order stays where that cannot be done.
class Judge {
 public:
  Judge(Programs kernels, const machine::Machine& machine, const compiler::Options& options)
      : kernels_(std::move(kernels)), machine_(machine), options_(options) {}

  std::vector<Ordered> decide() {
    if (options_.order == compiler::Order::author) return as_written("author");
    for (const isa::Program& kernel : kernels_) {
      if (const std::string why = obstacle(kernel, kernels_.size() == 1); !why.empty())
        return as_written("author: " + why);
    }
    CompiledGrid listed = compiled(options_);
    const bool has_room = listed.is_listed();
    std::optional<base::Ticks> after;
    if (has_room) after = time(listed);
    // More room lets loads run further ahead of their readers, which can be slower: both are timed.
    if (has_room && options_.written_in_parts && listed.percent() > percent_calm)
      try_calm(listed, *after);
    if (!has_room) {
      for (compiler::Compiled& core : listed.cores) core.program = {};
    }
    const std::size_t instructions_max =
        std::ranges::max(kernels_ | std::views::transform([](const isa::Program& kernel) {
                           return kernel.instructions.size();
                         }));
    CompiledGrid plain = compiled_as_written();
    const base::Ticks before = time(plain);
    const bool is_better = has_room && *after < before;
    CompiledGrid& chosen = is_better ? listed : plain;
    chosen.add_times(is_better ? plain : listed);
    const std::string order = is_better ? fmt::format("list, within {} % of SBUF", listed.percent())
                              : has_room ? "author: no faster order was found"
                                         : "author: another order needs more SBUF or PSUM";
    std::vector<Ordered> result = results(std::move(chosen), order);
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k].as_written_time = before;
      if (is_better && instructions_max <= kept_instructions_max)
        result[k].as_written = std::move(plain.cores[k].program);
    }
    return result;
  }

 private:
  void try_calm(CompiledGrid& listed, base::Ticks& after) const {
    compiler::Options calm = options_;
    calm.percent_max = percent_calm;
    CompiledGrid other = compiled(calm);
    other.add_times(listed);
    if (!other.is_listed()) return;
    const base::Ticks taken = time(other);
    if (taken >= after) return;
    listed = std::move(other);
    after = taken;
  }

  [[nodiscard]] CompiledGrid compiled(const compiler::Options& options) const {
    CompiledGrid grid;
    for (const isa::Program& kernel : kernels_)
      grid.cores.push_back(compiler::compile_and_tell(kernel, machine_.core, options));
    return grid;
  }
  CompiledGrid compiled_as_written() {
    compiler::Options plain = options_;
    plain.order = compiler::Order::author;
    CompiledGrid grid;
    for (isa::Program& kernel : kernels_)
      grid.cores.push_back(compiler::compile_and_tell(std::move(kernel), machine_.core, plain));
    return grid;
  }
  std::vector<Ordered> as_written(const std::string& order) {
    return results(compiled_as_written(), order);
  }

  static std::vector<Ordered> results(CompiledGrid grid, const std::string& order) {
    std::vector<Ordered> all;
    for (compiler::Compiled& core : grid.cores)
      all.push_back(
          {.program = std::move(core.program), .order = order, .log = std::move(core.log)});
    return all;
  }

  // Of the slowest core.
  [[nodiscard]] base::Ticks time(const CompiledGrid& grid) const {
    engines::Watch watch;
    if (options_.pulse) watch = [&](const engines::Progress&) { options_.pulse(); };
    std::vector<const isa::Program*> programs;
    for (const compiler::Compiled& core : grid.cores) programs.push_back(&core.program);
    return system::time_together(programs, machine_, std::move(watch));
  }

  Programs kernels_;
  const machine::Machine& machine_;
  const compiler::Options& options_;
};

}  // namespace

bool meets_others(const isa::Program& kernel) {
  return std::ranges::any_of(kernel.instructions, [](const isa::Instruction& instruction) {
    return isa::info(instruction.opcode).meeting != nullptr;
  });
}

std::vector<Ordered> ordered_grid(Programs kernels, const machine::Machine& machine,
                                  const compiler::Options& options) {
  std::vector<std::optional<isa::Program>> kept(kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].instructions.size() <= kept_instructions_max) kept[k] = kernels[k];
  }
  std::vector<Ordered> all = Judge(std::move(kernels), machine, options).decide();
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k].kernel = std::move(kept[k]);
    all[k].options = options;
    all[k].options.pulse = {};
    all[k].options.passes = {};
  }
  return all;
}

Ordered ordered(isa::Program kernel, const machine::Machine& machine,
                const compiler::Options& options) {
  Programs one;
  one.push_back(std::move(kernel));
  return std::move(ordered_grid(std::move(one), machine, options).front());
}

}  // namespace trainyard::session
