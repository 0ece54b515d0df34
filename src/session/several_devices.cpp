#include "session/several_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/module_passes.h"
#include "graph/donation.h"
#include "graph/print.h"
#include "plan/account.h"
#include "plan/execute.h"
#include "plan/links.h"
#include "plan/memory.h"
#include "plan/plan.h"
#include "session/device_model.h"
#include "session/devices_run.h"
#include "session/host.h"
#include "session/rent.h"
#include "session/rounding_seeds.h"

namespace trainyard::session {

namespace {

graph::Module meant(graph::Module module, const graph::Precision& precision) {
  compiler::PassLog log;
  compiler::run_module_passes(compiler::meaning_passes(), module, {precision}, {}, log);
  return module;
}

using plan::Shared;

// Of each device; null where another process has them.
std::vector<std::vector<Shared>> on_host(std::span<const Arguments> arguments) {
  std::vector<std::vector<Shared>> all;
  for (const Arguments& device : arguments) {
    std::vector<Shared>& values = all.emplace_back();
    for (const ArrayRef& array : device.arrays)
      values.push_back(array == nullptr ? nullptr : array->content());
  }
  return all;
}

std::vector<Execution> executions(std::span<const std::vector<Shared>> results) {
  std::vector<Execution> all;
  for (const std::vector<Shared>& device : results) {
    Execution& one = all.emplace_back();
    for (const Shared& value : device)
      one.results.push_back(value == nullptr ? nullptr : std::make_shared<const Array>(value));
  }
  return all;
}

class OfSeveralDevices : public Executable {
 public:
  [[nodiscard]] Execution execute(Arguments arguments) const override {
    std::vector<Arguments> mine;
    mine.push_back(std::move(arguments));
    return std::move(execute_together(std::move(mine)).front());
  }
};

// --- With the evaluator's values ---

class EvaluatedTogether : public OfSeveralDevices {
 public:
  EvaluatedTogether(graph::Module module, Outside outside, std::size_t devices)
      : plan_(plan::make_plan(std::move(module), devices)),
        placement_(std::move(outside.placement)),
        limits_{.host_functions = std::move(outside.functions)} {}

  [[nodiscard]] Mode mode() const override { return Mode::reference; }
  [[nodiscard]] Spent estimate() const override {
    throw base::InputError({"model.devices",
                            "the time of a program for several devices is known in the mode "
                            "\"machine\"",
                            plan_.module->name, "the mode \"reference\"",
                            "compile it with compiler_options={\"mode\": \"machine\"}"});
  }
  [[nodiscard]] std::vector<Execution> execute_together(
      std::vector<Arguments> arguments) const override {
    return executions(plan::evaluate(plan_, on_host(arguments), limits_, placement_));
  }

 private:
  plan::Plan plan_;
  plan::Placement placement_;
  graph::EvaluateLimits limits_;
};

// --- On the simulated machine ---

// The bodies of a plan as models; equal ones are compiled once.
struct Bodies {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::size_t> model_of;  // each body
  // Of each model whose time depends on no data, by the share of what DMA engines carry.
  std::map<std::pair<std::size_t, double>, std::optional<ModelRun>> timed{};
  std::vector<std::optional<ModelEstimate>> estimated;  // where it does
  std::function<Model(Model&, double share)> slower{};
  // What the memory of each model holds of the last run: a value, and its array.
  std::map<std::size_t, std::vector<std::pair<Shared, ArrayRef>>> held{};

  Bodies(const plan::Plan& plan, const machine::Machine& machine, const compiler::Options& options,
         const Evaluate& evaluate, int cores) {
    std::map<std::string, std::size_t> known;
    for (const plan::Body& body : plan.bodies) {
      graph::Module unlocated = body.module;
      unlocated.locations.assign(unlocated.locations.size(), {});
      const auto [at, is_new] = known.try_emplace(graph::print(unlocated), models.size());
      model_of.push_back(at->second);
      if (!is_new) continue;
      models.push_back(std::make_unique<Model>(
          device_model(machine, body.module, {}, options, evaluate, cores)));
    }
    estimated.resize(models.size());
    slower = [machine, options, evaluate, cores](Model& model, double share) {
      std::vector<std::string> changes;
      for (const char* figure : {"achieved", "packet_rate", "link"})
        changes.push_back(fmt::format("dma.{}=x{}", figure, share));
      return device_model(machine::apply_overrides(machine, changes), model.module(), {}, options,
                          evaluate, cores, std::make_shared<const CompiledCode>(model.code()));
    };
  }

  // Those of the last run that are the same are there already.
  std::vector<ArrayRef> arrays(std::size_t number, const std::vector<Shared>& values) {
    std::vector<std::pair<Shared, ArrayRef>>& before = held[number];
    before.resize(values.size());
    std::vector<ArrayRef> all;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (before[i].first != values[i])
        before[i] = {values[i], std::make_shared<const Array>(values[i])};
      all.push_back(before[i].second);
    }
    return all;
  }

  // The code is what was compiled for the machine as it should be.
  const ModelRun& run(std::size_t number, double share) {
    std::optional<ModelRun>& known = timed[{number, share}];
    if (known) return *known;
    if (share == 1) return known.emplace(run_without_values(*models[number]));
    if (share <= 0) {
      throw base::Fault(base::FaultCategory::deadlock,
                        {"fabric.stuck", "a device reads and writes its memory",
                         models[number]->module().name, "the DMA engines of a device are down",
                         "let them be down later, or only slower (x0.1)"});
    }
    Model model = slower(*models[number], share);
    return known.emplace(run_without_values(model));
  }
};

// Of what a stack of HBM carries in a time, the share that the cores of a device move.
double memory_share(const ModelRun& run, std::size_t cores) {
  double share = 0;
  for (const ProgramRun& program : run.programs) {
    if (!program.first.report) continue;
    for (const report::Traffic& traffic : program.first.report->traffic) {
      if (traffic.memory != "hbm" || !traffic.gigabytes_per_second_peak) continue;
      share += traffic.gigabytes_per_second / *traffic.gigabytes_per_second_peak *
               static_cast<double>(program.time.value) * static_cast<double>(cores);
    }
  }
  return run.time.value == 0 ? 0 : std::min(1.0, share / static_cast<double>(run.time.value));
}

class Simulating : public plan::Devices {
 public:
  // `seed`: of stochastic rounding.
  // `devices`: of the plan.
  Simulating(Bodies& bodies, plan::Links& links, std::size_t devices, bool values, bool timed,
             Host* host, const std::vector<std::int64_t>& numbers, std::uint32_t seed = 0)
      : bodies_(bodies),
        links_(links),
        devices_(devices),
        values_(values),
        timed_(timed),
        host_(host),
        numbers_(numbers),
        seed_(seed) {}

  plan::Ran run(std::size_t body, std::span<const std::vector<Shared>> inputs) override {
    const std::size_t number = bodies_.model_of[body];
    Model& model = *bodies_.models[number];
    const graph::Function& entry = model.module().entry();
    plan::Ran ran;
    if (!values_) {
      take_time(number, ran.work);
      ran.results.resize(inputs.size(), std::vector<Shared>(entry.results().size()));
      return ran;
    }
    ran.is_of_values = timed_ && model.has_control_flow();
    std::vector<double> joules;  // of each device
    for (std::size_t d = 0; d < inputs.size(); ++d) {
      std::size_t same = 0;
      while (same < d && !plan::alike(inputs[same], inputs[d])) ++same;
      if (same < d) {
        ran.results.push_back(ran.results[same]);
        joules.push_back(joules[same]);
        continue;
      }
      ModelRun done =
          model.run({.arrays = bodies_.arrays(number, inputs[d])},
                    {.timed = ran.is_of_values, .checks = false, .rounding_seed = seed_});
      std::vector<Shared>& results = ran.results.emplace_back();
      for (const ArrayRef& output : std::exchange(done.outputs, {}))
        results.push_back(output->content());
      joules.push_back(ran.is_of_values ? done.energy.value.value : 0);
      if (!ran.is_of_values) continue;
      ran.work.time = std::max(ran.work.time, done.time);
      if (host_ != nullptr && d == 0) host_->ran(numbers_[number], std::move(done));
    }
    ran.work.joules = std::accumulate(joules.begin(), joules.end(), 0.0);
    if (timed_ && !ran.is_of_values) take_time(number, ran.work);
    return ran;
  }

  plan::Work meet(const plan::Meet& meet) override {
    if (!timed_ && values_) return {};
    return links_.work(meet);
  }

  plan::WorkAt body_at(std::size_t body) override {
    if (!timed_ || !links_.has_faults()) return {};
    const std::size_t number = bodies_.model_of[body];
    if (bodies_.models[number]->has_control_flow()) return {};
    return [this, number](base::Ticks begin) { return work_of(number, links_.slowest_at(begin)); };
  }
  plan::WorkAt meet_at(const plan::Meet& meet) override {
    if (!timed_ || !links_.has_faults()) return {};
    return [this, &meet](base::Ticks begin) { return links_.work_at(meet, begin); };
  }

  std::int64_t counted_once = 0;  // loops and branches that depend on values, in bodies

 private:
  void take_time(std::size_t number, plan::Work& work) {
    if (bodies_.models[number]->has_control_flow()) return take_estimate(number, work);
    work = work_of(number);
    if (host_ != nullptr) host_->ran(numbers_[number], bodies_.run(number, 1));
  }

  // Of a body whose time depends on no values; `share`: of what DMA engines carry.
  [[nodiscard]] plan::Work work_of(std::size_t number, double share = 1) {
    const ModelRun& run = bodies_.run(number, share);
    return {run.time,
            {{links_.memory(), memory_share(run, bodies_.models[number]->cores_in_use())}},
            run.energy.value.value * static_cast<double>(devices_)};
  }

  // Of a body whose loops depend on values, without them.
  void take_estimate(std::size_t number, plan::Work& work) {
    std::optional<ModelEstimate>& estimate = bodies_.estimated[number];
    if (!estimate) estimate = bodies_.models[number]->estimate();
    if (estimated_.insert(number).second) counted_once += estimate->counted_once;
    work.time = estimate->time;
    work.joules = estimate->energy.value.value * static_cast<double>(devices_);
  }

  Bodies& bodies_;
  plan::Links& links_;
  std::size_t devices_;
  bool values_, timed_;
  Host* host_;
  const std::vector<std::int64_t>& numbers_;
  std::uint32_t seed_;
  std::set<std::size_t> estimated_;  // models
};

class SimulatedTogether : public OfSeveralDevices {
 public:
  SimulatedTogether(graph::Module module, const machine::Machine& machine,
                    const compiler::Options& options, Outside outside, int cores,
                    const std::vector<std::int64_t>& devices)
      : machine_(machine),
        cores_(cores),
        host_(outside.host),
        placement_(std::move(outside.placement)),
        plan_(plan::make_plan(std::move(module), devices.size())),
        links_(machine, cores, devices,
               host_ == nullptr ? std::span<const std::string>() : host_->faults()),
        bodies_(plan_, machine, options, evaluator(std::move(outside.functions)), cores) {
    for (const auto& model : bodies_.models) {
      if (host_ != nullptr) numbers_.push_back(host_->made(*model));
    }
    most_ = plan::high_water(plan_, [&](std::size_t body) {
      return bodies_.models[bodies_.model_of[body]]->temporary_bytes();
    });
    limits_.begin = links_.begin();
    limits_.early_bytes = std::max<std::int64_t>(0, hbm_bytes() - outside_bytes() - most_.bytes);
  }

  [[nodiscard]] Mode mode() const override { return Mode::machine; }
  [[nodiscard]] std::int64_t temporary_bytes() const override { return most_.bytes; }
  [[nodiscard]] std::int64_t unrolled_instructions() const override {
    std::int64_t sum = 0;
    for (const std::size_t model : bodies_.model_of)
      sum += bodies_.models[model]->unrolled_instructions();
    return sum;
  }

  [[nodiscard]] Spent estimate() const override {
    const std::lock_guard lock(mutex_);
    const std::size_t arguments = plan_.main().body.arguments.size();
    const std::vector<std::vector<Shared>> nothing(plan_.devices, std::vector<Shared>(arguments));
    Simulating simulating(bodies_, links_, plan_.devices, false, true, nullptr, numbers_);
    const plan::Execution run = plan::execute(plan_, nothing, simulating, limits_);
    const Spent result = spent_by(run, simulating);
    if (host_ != nullptr) tell(run, result, true);
    return result;
  }

  [[nodiscard]] std::vector<Execution> execute_together(
      std::vector<Arguments> arguments) const override {
    const std::lock_guard lock(mutex_);
    Simulating simulating(bodies_, links_, plan_.devices, true, host_ != nullptr, host_, numbers_,
                          seeds_.next());
    const plan::Execution run =
        plan::execute(plan_, on_host(arguments), simulating, limits_, placement_);
    if (host_ != nullptr) tell(run, spent_by(run, simulating), false);
    return executions(run.results);
  }

 private:
  [[nodiscard]] Spent spent_by(const plan::Execution& run, const Simulating& simulating) const {
    Spent result = spent(machine_, run.timeline.end(), static_cast<double>(plan_.devices) * cores_);
    result.joules = run.joules;
    result.counted_once = simulating.counted_once + run.counted_once;
    result.collective_seconds = base::to_nanoseconds(run.timeline.exchanging()) * 1e-9;
    result.exposed_seconds = base::to_nanoseconds(run.timeline.exposed()) * 1e-9;
    return result;
  }

  void tell(const plan::Execution& run, const Spent& spent, bool is_estimate) const {
    host_->ran_together(
        {.name = plan_.module->name,
         .devices = plan_.devices,
         .is_estimate = is_estimate,
         .spent = spent,
         .timeline = run.timeline,
         .account =
             account_of(plan_, run, [&](const plan::Meet& meet) { return links_.route(meet); }),
         .outside_bytes = outside_bytes(),
         .hbm_bytes = hbm_bytes(),
         .between = most_},
        numbers_);
  }

  // Of a device.
  [[nodiscard]] std::int64_t hbm_bytes() const {
    return machine_.chip.hbm.stacks * machine_.chip.hbm.stack_size.value / machine_.chip.cores *
           cores_;
  }
  [[nodiscard]] std::int64_t outside_bytes() const {
    const graph::Function& main = plan_.main();
    const std::vector<bool> donated = graph::donated_arguments(main);
    std::int64_t sum = 0;
    for (const graph::ValueId value : main.results()) sum += main.type(value).bytes();
    for (std::size_t i = 0; i < donated.size(); ++i)
      sum += donated[i] ? 0 : main.type(main.body.arguments[i]).bytes();
    return sum;
  }

  machine::Machine machine_;
  int cores_;  // of a device
  Host* host_;
  plan::Placement placement_;
  plan::Limits limits_;
  plan::Plan plan_;
  plan::HighWater most_;
  std::vector<std::int64_t> numbers_;  // of the host, of each model
  mutable std::mutex mutex_;
  mutable plan::Links links_;
  mutable Bodies bodies_;
  mutable RoundingSeeds seeds_{machine_};
};

}  // namespace

std::unique_ptr<const Executable> evaluated_on(graph::Module module,
                                               const graph::Precision& precision, Outside outside,
                                               const std::vector<std::int64_t>& devices) {
  return std::make_unique<EvaluatedTogether>(meant(std::move(module), precision),
                                             std::move(outside), devices.size());
}

std::unique_ptr<const Executable> simulated_on(graph::Module module,
                                               const machine::Machine& machine,
                                               const graph::Precision& precision, Outside outside,
                                               int cores,
                                               const std::vector<std::int64_t>& devices) {
  const compiler::Options options = outside.host != nullptr
                                        ? outside.host->compiling()
                                        : compiler::Options{.order = compiler::Order::list};
  return std::make_unique<SimulatedTogether>(meant(std::move(module), precision), machine, options,
                                             std::move(outside), cores, devices);
}

}  // namespace trainyard::session
