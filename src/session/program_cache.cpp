#include "session/program_cache.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/thread_pool.h"
#include "isa/forms/binary.h"
#include "isa/rules/validate.h"

namespace trainyard::session {

namespace {

std::uint64_t key_of(const isa::Program& kernel, const machine::Machine& machine,
                     const compiler::Options& options) {
  // A damaged program has no binary form.
  if (std::vector<base::Violation> broken = isa::program_violations(kernel, machine.core);
      !broken.empty())
    throw base::InputError(std::move(broken));
  return base::hash_combine(base::hash_combine(isa::binary_hash(kernel), machine.hash()),
                            compiler::key(options));
}

}  // namespace

ProgramCache::Body& ProgramCache::find(std::uint64_t key, const isa::Program& kernel,
                                       const machine::Machine& machine) {
  Body& body = bodies_[key];
  if (body == nullptr && kept_ != nullptr) {
    if (auto found = kept_->find(key, kernel, machine.core))
      body = std::make_shared<const Ordered>(*std::move(found));
  }
  return body;
}

void ProgramCache::keep(CompiledCode& code) const {
  for (const auto& [key, body] : bodies_) {
    if (body != nullptr) code.add(key, *body);
  }
}

void ProgramCache::forget_unused() {
  std::erase_if(bodies_, [](const auto& known) { return known.second.use_count() <= 1; });
}

// How a kernel is ordered depends on whom it meets, and in which place.
std::vector<ProgramCache::Task> ProgramCache::tasks_of(std::vector<isa::Program> kernels,
                                                       const machine::Machine& machine,
                                                       const compiler::Options& options) {
  std::vector<std::uint64_t> keys;
  std::uint64_t of_all = base::hash_seed;
  for (const isa::Program& kernel : kernels) {
    keys.push_back(key_of(kernel, machine, options));
    of_all = base::hash_combine(of_all, keys.back());
  }
  if (kernels.size() > 1 && std::ranges::any_of(kernels, meets_others)) {
    for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = base::hash_combine(of_all, k + 1);
    std::vector<Task> together(1);
    together[0] = {std::move(keys), std::move(kernels)};
    return together;
  }
  std::vector<Task> apart(kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    apart[k].keys = {keys[k]};
    apart[k].kernels.push_back(std::move(kernels[k]));
  }
  return apart;
}

bool ProgramCache::is_known(const Task& task, const machine::Machine& machine) {
  bool is_known = true;
  for (std::size_t k = 0; k < task.keys.size(); ++k)
    is_known = find(task.keys[k], task.kernels[k], machine) != nullptr && is_known;
  return is_known;
}

std::variant<std::vector<std::vector<Ordered>>, compiler::Shortage> ProgramCache::made(
    std::vector<Task>& tasks, const machine::Machine& machine, const compiler::Options& options) {
  std::vector<std::variant<std::vector<Ordered>, compiler::Shortage>> all(tasks.size());
  std::atomic<std::size_t> first_short = tasks.size();  // those behind it are not needed
  compiler::Options quiet = options;                    // of other threads than the caller's
  quiet.pulse = {};
  base::ThreadPool pool(options.passes.dump_after.empty() ? tasks.size() : 1, options.pulse);
  pool.run(tasks.size(), [&](std::size_t number, bool of_caller) {
    if (number > first_short) return;
    all[number] =
        ordered_grid(std::move(tasks[number].kernels), machine, of_caller ? options : quiet);
    if (std::holds_alternative<std::vector<Ordered>>(all[number])) return;
    std::size_t first = first_short;
    while (number < first && !first_short.compare_exchange_weak(first, number)) {
    }
  });
  std::vector<std::vector<Ordered>> grids;
  for (auto& one : all) {
    if (auto* const missing = std::get_if<compiler::Shortage>(&one)) return std::move(*missing);
    grids.push_back(std::get<std::vector<Ordered>>(std::move(one)));
  }
  return grids;
}

std::variant<ProgramCache::Grids, compiler::Shortage> ProgramCache::compile_grids(
    std::vector<std::vector<isa::Program>> grids, const machine::Machine& machine,
    const compiler::Options& options) {
  std::vector<std::vector<std::uint64_t>> keys(grids.size());
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < grids.size(); ++i) {
    for (Task& task : tasks_of(std::move(grids[i]), machine, options)) {
      keys[i].insert(keys[i].end(), task.keys.begin(), task.keys.end());
      if (!is_known(task, machine) &&
          std::ranges::find(tasks, task.keys, &Task::keys) == tasks.end())
        tasks.push_back(std::move(task));
    }
  }
  auto compiled = made(tasks, machine, options);
  if (auto* const missing = std::get_if<compiler::Shortage>(&compiled)) return std::move(*missing);
  auto& ordered = std::get<std::vector<std::vector<Ordered>>>(compiled);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (std::size_t k = 0; k < tasks[i].keys.size(); ++k)
      bodies_[tasks[i].keys[k]] = std::make_shared<const Ordered>(std::move(ordered[i][k]));
  }
  Grids all(grids.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const std::uint64_t key : keys[i]) all[i].push_back(bodies_.at(key));
  }
  return all;
}

}  // namespace trainyard::session
