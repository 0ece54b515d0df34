#include "session/ordering.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/thread_pool.h"
#include "compiler/orders.h"
#include "isa/core/control_flow.h"
#include "isa/semantics/meeting.h"

namespace trainyard::session {

namespace {

using Programs = std::vector<isa::Program>;
using compiler::Shortage;

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

// What one try made of each core of a grid.
struct Try {
  std::vector<compiler::Orders::Made> cores{};
  std::vector<compiler::ProgramOrder> layouts{};  // once another is tried

  [[nodiscard]] bool is_listed() const {
    return std::ranges::all_of(cores, [](const compiler::Orders::Made& core) {
      return core.attempt.order == compiler::Order::list;
    });
  }
  [[nodiscard]] std::int64_t percent() const {
    return std::ranges::max(cores | std::views::transform([](const compiler::Orders::Made& core) {
                              return core.attempt.percent;
                            }));
  }
  void add_times(const Try& other) {
    for (std::size_t k = 0; k < cores.size(); ++k) cores[k].log.add_times(other.cores[k].log);
  }
};

// Tries the orders of a grid.
class Judge {
 public:
  using Decision = std::variant<std::vector<Ordered>, Shortage>;

  Judge(Programs kernels, const machine::Machine& machine, const compiler::Options& options,
        const OrderPolicy& policy)
      : machine_(machine), options_(options), policy_(policy), plain_(options) {
    plain_.order = compiler::Order::author;
    for (isa::Program& kernel : kernels) {
      instructions_max_ = std::max(instructions_max_, kernel.instructions.size());
      cores_.emplace_back(std::move(kernel), machine.core);
    }
  }

  Decision decide() {
    if (options_.order == compiler::Order::author) return as_written("author");
    for (const compiler::Orders& core : cores_) {
      if (const std::string why = obstacle(core.program(), cores_.size() == 1); !why.empty())
        return as_written("author: " + why);
    }
    std::variant<Try, Shortage> made = compiled(without_issuers());
    if (auto* const missing = std::get_if<Shortage>(&made)) return std::move(*missing);
    Try& listed = std::get<Try>(made);
    const bool has_room = listed.is_listed();
    std::optional<base::Ticks> after;
    if (has_room) {
      const bool tells = is_large() && cores_.size() == 1;  // all that runtime::run() does
      std::vector<runtime::TimedRun> simulated = timings(tells);
      const runtime::GridTime taken = runtime::grid_time(simulated, machine_);
      if (is_large() && policy_.takes_untried(taken)) {
        std::vector<Ordered> all = results(listed, listed_name(listed), {}, taken.total);
        if (tells) all.front().simulated = std::move(simulated.front());
        return all;
      }
      after = taken.total;
    }
    set_aside(listed);
    if (has_room) try_others(listed, *after);
    if (!has_room) listed.layouts = {};
    return against_plain(listed, after);
  }

 private:
  // Those who issue transfers are as by rule.
  [[nodiscard]] compiler::Options without_issuers() const {
    compiler::Options options = options_;
    options.issuers_open = false;
    return options;
  }
  void try_others(Try& listed, base::Ticks& after) {
    for (const std::int64_t percent : policy_.percents_calm) {
      if (!options_.written_in_parts || listed.percent() <= percent) continue;
      compiler::Options calm = without_issuers();
      calm.percent_max = percent;
      try_other(calm, 0, listed, after);
    }
    if (options_.issuers_open && instructions_max_ <= policy_.issuers_instructions_max) {
      compiler::Options open = options_;
      open.percent_max = std::min(open.percent_max, listed.percent());
      try_other(open, policy_.percent_gain_of_issuers, listed, after);
    }
  }
  void try_other(const compiler::Options& options, std::int64_t percent_gain_min, Try& listed,
                 base::Ticks& after) {
    std::variant<Try, Shortage> made = compiled(options);
    auto* const other = std::get_if<Try>(&made);
    if (other == nullptr) return;
    other->add_times(listed);
    const bool fits = other->is_listed();
    const std::optional<base::Ticks> taken = fits ? std::optional(time()) : std::nullopt;
    set_aside(*other);
    if (!taken || 100 * taken->value >= (100 - percent_gain_min) * after.value) return;
    listed = std::move(*other);
    after = *taken;
  }

  // `after`: what the listed order takes, where it has room. A kernel that has none as written is
  // refused: what fits does not depend on the scheduler.
  Decision against_plain(Try& listed, std::optional<base::Ticks> after) {
    std::variant<Try, Shortage> made = compiled(plain_);
    auto* const plain = std::get_if<Try>(&made);
    if (plain == nullptr) return std::get<Shortage>(std::move(made));
    const base::Ticks before = time();
    if (after && *after < before) {
      listed.add_times(*plain);
      return as_listed(listed, before, *after);
    }
    plain->add_times(listed);
    return results(*plain,
                   after ? "author: no faster order was found"
                         : "author: another order needs more SBUF or PSUM",
                   before, before);
  }

  // All cores, or none of them and what the first one lacked.
  std::variant<Try, Shortage> compiled(const compiler::Options& options) {
    std::vector<std::variant<compiler::Orders::Made, Shortage>> made(cores_.size());
    compiler::Options quiet = options;  // of other threads than the caller's
    quiet.pulse = {};
    base::ThreadPool pool(options.passes.dump_after.empty() ? cores_.size() : 1, options.pulse);
    pool.run(cores_.size(), [&](std::size_t k, bool of_caller) {
      made[k] = cores_[k].compile(of_caller ? options : quiet);
    });
    Try all;
    for (auto& core : made) {
      if (auto* const missing = std::get_if<Shortage>(&core)) {
        set_aside(all);
        return std::move(*missing);
      }
      all.cores.push_back(std::get<compiler::Orders::Made>(std::move(core)));
    }
    return all;
  }
  void set_aside(Try& all) {
    for (compiler::Orders& core : cores_) all.layouts.push_back(core.set_aside());
  }

  Decision as_written(const std::string& order) {
    std::variant<Try, Shortage> made = compiled(plain_);
    if (auto* const missing = std::get_if<Shortage>(&made)) return std::move(*missing);
    return results(std::get<Try>(made), order, std::nullopt, std::nullopt);
  }
  static std::string listed_name(const Try& listed) {
    return fmt::format("list, within {} % of SBUF", listed.percent());
  }
  [[nodiscard]] bool is_large() const { return policy_.is_large(instructions_max_); }
  // The author's order is in the cores.
  std::vector<Ordered> as_listed(Try& listed, base::Ticks before, base::Ticks after) {
    std::vector<std::optional<isa::Program>> written(cores_.size());
    for (std::size_t k = 0; k < cores_.size(); ++k) {
      if (instructions_max_ <= kept_instructions_max) written[k] = cores_[k].program();
      static_cast<void>(cores_[k].set_aside());
      cores_[k].put_back(std::move(listed.layouts[k]), options_);
    }
    std::vector<Ordered> all = results(listed, listed_name(listed), before, after);
    for (std::size_t k = 0; k < all.size(); ++k) all[k].as_written = std::move(written[k]);
    return all;
  }
  // The programs as they are now.
  std::vector<Ordered> results(const Try& made, const std::string& order,
                               std::optional<base::Ticks> before, std::optional<base::Ticks> time) {
    std::vector<Ordered> all;
    for (std::size_t k = 0; k < cores_.size(); ++k)
      all.push_back({.program = std::move(cores_[k]).take(),
                     .order = order,
                     .time = time,
                     .as_written_time = before,
                     .log = made.cores[k].log});
    return all;
  }

  [[nodiscard]] engines::Watch watch() const {
    if (!options_.pulse) return {};
    return [&](const engines::Progress&) { options_.pulse(); };
  }
  [[nodiscard]] std::vector<runtime::TimedRun> timings(bool record) const {
    std::vector<runtime::Unloaded> grid;
    for (const compiler::Orders& core : cores_) grid.push_back({&core.program()});
    return runtime::time_only(grid, machine_, {.record = record, .watch = watch()});
  }
  [[nodiscard]] base::Ticks time() const {
    return runtime::grid_time(timings(false), machine_).total;
  }

  std::vector<compiler::Orders> cores_;
  std::size_t instructions_max_ = 0;
  const machine::Machine& machine_;
  const compiler::Options& options_;
  const OrderPolicy& policy_;
  compiler::Options plain_;
};

}  // namespace

bool OrderPolicy::takes_untried(const runtime::GridTime& listed) const {
  const std::int64_t held_up = (listed.total - listed.busiest).value;
  return 100 * held_up <= percent_held_up_max * listed.total.value;
}

bool meets_others(const isa::Program& kernel) {
  return std::ranges::any_of(kernel.instructions, [](const isa::Instruction& instruction) {
    return isa::info(instruction.opcode).meeting != nullptr;
  });
}

std::optional<base::Ticks> time_together(std::span<const Ordered* const> grid,
                                         const machine::Machine& machine) {
  const auto program_meets = [](const Ordered* each) { return meets_others(each->program); };
  const bool was_together = grid.size() == 1 || std::ranges::any_of(grid, program_meets);
  if (was_together && grid.front()->time) return grid.front()->time;
  std::vector<runtime::Unloaded> programs;
  for (const Ordered* const each : grid) {
    if (isa::flow_reads_memory(each->program)) return std::nullopt;
    programs.push_back({&each->program});
  }
  return runtime::grid_time(runtime::time_only(programs, machine), machine).total;
}

std::variant<std::vector<Ordered>, Shortage> ordered_grid(Programs kernels,
                                                          const machine::Machine& machine,
                                                          const compiler::Options& options,
                                                          const OrderPolicy& policy) {
  std::vector<std::optional<isa::Program>> kept(kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].instructions.size() <= kept_instructions_max) kept[k] = kernels[k];
  }
  Judge::Decision decision = Judge(std::move(kernels), machine, options, policy).decide();
  auto* const all = std::get_if<std::vector<Ordered>>(&decision);
  for (std::size_t k = 0; all != nullptr && k < all->size(); ++k) {
    (*all)[k].kernel = std::move(kept[k]);
    (*all)[k].options = options;
    (*all)[k].options.pulse = {};
    (*all)[k].options.passes = {};
  }
  return decision;
}

}  // namespace trainyard::session
