#include "session/several_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/passes/module_passes.h"
#include "fabric/cost_table.h"
#include "graph/print.h"
#include "graph/together.h"
#include "session/device_model.h"
#include "session/host.h"
#include "session/rent.h"
#include "session/rounding_seeds.h"

namespace trainyard::session {

namespace {

using graph::OpKind;

graph::Module meant(graph::Module module, const graph::Precision& precision) {
  compiler::PassLog log;
  compiler::run_module_passes(compiler::meaning_passes(), module, {precision}, {}, log);
  return module;
}

// --- With the evaluator's values ---

class EvaluatedTogether : public Executable {
 public:
  EvaluatedTogether(graph::Module module, graph::HostFunctions functions, std::size_t devices)
      : together_(std::move(module), devices), limits_{.host_functions = std::move(functions)} {}

  [[nodiscard]] Mode mode() const override { return Mode::reference; }
  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    const std::vector<Tensor> mine(arguments.begin(), arguments.end());
    return std::move(execute_together({&mine, 1}).front());
  }
  [[nodiscard]] Spent estimate() const override {
    throw base::InputError({"model.devices",
                            "the time of a program for several devices is known in the mode "
                            "\"machine\"",
                            together_.module().name, "the mode \"reference\"",
                            "compile it with compiler_options={\"mode\": \"machine\"}"});
  }
  [[nodiscard]] std::vector<Execution> execute_together(
      std::span<const std::vector<Tensor>> arguments) const override {
    std::vector<Execution> executions;
    for (std::vector<Tensor>& results : graph::evaluate_together(together_, arguments, limits_))
      executions.push_back({std::move(results)});
    return executions;
  }

 private:
  graph::Together together_;
  graph::EvaluateLimits limits_;
};

// --- On the simulated machine ---

std::int64_t chips_of(const machine::Machine& machine, int cores,
                      const std::vector<std::int64_t>& devices) {
  const std::int64_t each = machine.chip.cores / cores;
  return std::ranges::max(devices) / each + 1;
}

std::optional<fabric::CollectiveOp> operation_of(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather: return fabric::CollectiveOp::all_gather;
    case OpKind::all_reduce: return fabric::CollectiveOp::all_reduce;
    case OpKind::all_to_all: return fabric::CollectiveOp::all_to_all;
    case OpKind::collective_permute: return fabric::CollectiveOp::permute;
    case OpKind::reduce_scatter: return fabric::CollectiveOp::reduce_scatter;
    default: return std::nullopt;
  }
}

// What collectives take on the links between devices, all groups of one at once.
class Links {
 public:
  Links(const machine::Machine& machine, int cores, std::vector<std::int64_t> devices)
      : devices_(std::move(devices)),
        network_(machine::system_of(machine, chips_of(machine, cores, devices_)), cores),
        table_(network_) {}

  base::Ticks time(const graph::Exchange& exchange) {
    const auto operation = operation_of(exchange.op->kind);
    base::check(operation.has_value(), "every collective has a schedule");
    std::map<std::size_t, std::vector<fabric::Group>> groups;  // by size
    for (const std::vector<std::size_t>& each :
         *operation == fabric::CollectiveOp::permute ? chains(*exchange.op) : exchange.groups) {
      if (each.size() < 2) continue;
      fabric::Group group;
      for (const std::size_t partition : each)
        group.push_back(static_cast<std::int32_t>(devices_.at(partition)));
      groups[each.size()].push_back(std::move(group));
    }
    base::Ticks sum{};
    for (const auto& [size, same] : groups)
      sum += table_.price(*operation, static_cast<double>(exchange.bytes), same).time;
    return sum;
  }

 private:
  // Who sends to whom, one after the other.
  static std::vector<std::vector<std::size_t>> chains(const graph::Op& permute) {
    std::map<std::size_t, std::size_t> next;
    std::vector<std::size_t> targets;
    const auto pairs = permute.integers("source_target_pairs");
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs[i] == pairs[i + 1]) continue;
      next[static_cast<std::size_t>(pairs[i])] = static_cast<std::size_t>(pairs[i + 1]);
      targets.push_back(static_cast<std::size_t>(pairs[i + 1]));
    }
    std::vector<std::vector<std::size_t>> all;
    const auto follow = [&](std::size_t from) {
      std::vector<std::size_t> chain{from};
      for (auto at = next.find(from); at != next.end(); at = next.find(chain.back())) {
        const std::size_t to = at->second;
        next.erase(at);
        if (to == from) break;
        chain.push_back(to);
      }
      all.push_back(std::move(chain));
    };
    std::vector<std::size_t> sources;
    for (const auto& [source, target] : next) sources.push_back(source);
    for (const std::size_t source : sources) {  // chains first, then rings
      if (std::ranges::find(targets, source) == targets.end()) follow(source);
    }
    while (!next.empty()) follow(next.begin()->first);
    return all;
  }

  std::vector<std::int64_t> devices_;
  fabric::Network network_;
  fabric::CostTable table_;
};

// The pieces of a program as models; equal ones are compiled once.
struct Pieces {
  std::vector<std::unique_ptr<Model>> models;
  std::vector<std::size_t> model_of;           // each piece
  std::vector<std::optional<ModelRun>> timed;  // of each model whose time depends on no data
  std::vector<std::optional<ModelEstimate>> estimated;  // where it does

  Pieces(const graph::Together& together, const machine::Machine& machine,
         const compiler::Options& options, const Evaluate& evaluate, int cores) {
    std::map<std::string, std::size_t> known;
    for (const graph::Piece& piece : together.pieces()) {
      graph::Module unlocated = piece.module;
      unlocated.locations.assign(unlocated.locations.size(), {});
      const auto [at, is_new] = known.try_emplace(graph::print(unlocated), models.size());
      model_of.push_back(at->second);
      if (!is_new) continue;
      models.push_back(std::make_unique<Model>(
          device_model(machine, piece.module, {}, options, evaluate, cores)));
    }
    timed.resize(models.size());
    estimated.resize(models.size());
  }
};

struct Counted {
  base::Ticks exchanging{};
  double joules = 0;      // of all devices' cores
  std::int64_t once = 0;  // loops and branches that depend on values, in pieces
};

class Simulating : public graph::PieceRunner {
 public:
  // `seed`: of stochastic rounding.
  Simulating(Pieces& pieces, Links& links, bool values, bool timed, Host* host,
             const std::vector<std::int64_t>& numbers, std::uint32_t seed = 0)
      : pieces_(pieces),
        links_(links),
        values_(values),
        timed_(timed),
        host_(host),
        numbers_(numbers),
        seed_(seed) {}

  std::vector<std::vector<Tensor>> run(std::size_t piece,
                                       std::span<const std::vector<Tensor>> inputs,
                                       std::int64_t& time) override {
    const std::size_t number = pieces_.model_of[piece];
    Model& model = *pieces_.models[number];
    const graph::Function& entry = model.module().entry();
    if (!values_) {
      take_time(number, inputs.size(), time);
      return std::vector(inputs.size(), std::vector<Tensor>(entry.results().size()));
    }
    std::vector<std::vector<Tensor>> all;
    for (std::size_t d = 0; d < inputs.size(); ++d) {
      std::size_t same = 0;
      while (same < d && !alike(inputs[same], inputs[d])) ++same;
      if (same < d) {
        all.push_back(all[same]);
        continue;
      }
      const bool times_it = timed_ && model.has_control_flow();
      ModelRun run =
          model.run(inputs[d], {.timed = times_it, .checks = false, .rounding_seed = seed_});
      all.push_back(run.outputs);
      if (times_it) {
        time = std::max(time, run.time.value);
        counted.joules += run.energy.value.value * static_cast<double>(inputs.size());
        if (host_ != nullptr && d == 0) host_->ran(numbers_[number], std::move(run));
      }
    }
    if (timed_ && !model.has_control_flow()) take_time(number, inputs.size(), time);
    return all;
  }

  std::int64_t exchanged(const graph::Exchange& exchange) override {
    const base::Ticks time = timed_ || !values_ ? links_.time(exchange) : base::Ticks{};
    counted.exchanging += time;
    return time.value;
  }

  Counted counted{};

 private:
  static bool alike(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
    return std::ranges::equal(a, b,
                              [](const Tensor& x, const Tensor& y) { return x == y || *x == *y; });
  }

  void take_time(std::size_t number, std::size_t devices, std::int64_t& time) {
    if (pieces_.models[number]->has_control_flow()) return take_estimate(number, devices, time);
    std::optional<ModelRun>& run = pieces_.timed[number];
    if (!run) run = run_without_values(*pieces_.models[number]);
    time = run->time.value;
    counted.joules += run->energy.value.value * static_cast<double>(devices);
    if (host_ != nullptr) host_->ran(numbers_[number], *run);
  }

  // Of a piece whose loops depend on values, without them.
  void take_estimate(std::size_t number, std::size_t devices, std::int64_t& time) {
    std::optional<ModelEstimate>& estimate = pieces_.estimated[number];
    if (!estimate) estimate = pieces_.models[number]->estimate();
    if (estimated_.insert(number).second) counted.once += estimate->counted_once;
    time = estimate->time.value;
    counted.joules += estimate->energy.value.value * static_cast<double>(devices);
  }

  Pieces& pieces_;
  Links& links_;
  bool values_, timed_;
  Host* host_;
  const std::vector<std::int64_t>& numbers_;
  std::uint32_t seed_;
  std::set<std::size_t> estimated_;  // models
};

class SimulatedTogether : public Executable {
 public:
  SimulatedTogether(graph::Module module, const machine::Machine& machine,
                    const compiler::Options& options, Outside outside, int cores,
                    const std::vector<std::int64_t>& devices)
      : machine_(machine),
        cores_(cores),
        host_(outside.host),
        limits_{.host_functions = outside.functions},
        together_(std::move(module), devices.size()),
        links_(machine, cores, devices),
        pieces_(together_, machine, options, evaluator(std::move(outside.functions)), cores) {
    for (const auto& model : pieces_.models) {
      if (host_ != nullptr) numbers_.push_back(host_->made(*model));
    }
  }

  [[nodiscard]] Mode mode() const override { return Mode::machine; }
  // Of a device: pieces run one after the other.
  [[nodiscard]] std::int64_t temporary_bytes() const override {
    std::int64_t most = 0;
    for (const auto& model : pieces_.models) most = std::max(most, model->temporary_bytes());
    return most;
  }
  [[nodiscard]] std::int64_t unrolled_instructions() const override {
    std::int64_t sum = 0;
    for (const std::size_t model : pieces_.model_of)
      sum += pieces_.models[model]->unrolled_instructions();
    return sum;
  }

  [[nodiscard]] Spent estimate() const override {
    const std::lock_guard lock(mutex_);
    const std::size_t arguments = together_.module().entry().body.arguments.size();
    const std::vector<std::vector<Tensor>> nothing(together_.devices(),
                                                   std::vector<Tensor>(arguments));
    Simulating simulating(pieces_, links_, false, true, nullptr, numbers_);
    const graph::TogetherRun run = together_.run(nothing, simulating, limits_);
    Spent result =
        spent(machine_, base::Ticks{run.time}, static_cast<double>(together_.devices()) * cores_);
    result.joules = simulating.counted.joules;
    result.counted_once = simulating.counted.once + run.counted_once;
    const auto seconds = [](std::int64_t ticks) {
      return static_cast<double>(ticks) / static_cast<double>(base::ticks_per_nanosecond) * 1e-9;
    };
    result.collective_seconds = seconds(run.exchanging);
    result.exposed_seconds = seconds(run.exposed());
    return result;
  }

  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    const std::vector<Tensor> mine(arguments.begin(), arguments.end());
    return std::move(execute_together({&mine, 1}).front());
  }

  [[nodiscard]] std::vector<Execution> execute_together(
      std::span<const std::vector<Tensor>> arguments) const override {
    const std::lock_guard lock(mutex_);
    Simulating simulating(pieces_, links_, true, host_ != nullptr, host_, numbers_, seeds_.next());
    std::vector<Execution> executions;
    for (std::vector<Tensor>& results : together_.run(arguments, simulating, limits_).results)
      executions.push_back({std::move(results)});
    return executions;
  }

 private:
  machine::Machine machine_;
  int cores_;  // of a device
  Host* host_;
  graph::EvaluateLimits limits_;
  graph::Together together_;
  std::vector<std::int64_t> numbers_;  // of the host, of each model
  mutable std::mutex mutex_;
  mutable Links links_;
  mutable Pieces pieces_;
  mutable RoundingSeeds seeds_{machine_};
};

}  // namespace

std::unique_ptr<const Executable> evaluated_on(graph::Module module,
                                               const graph::Precision& precision,
                                               graph::HostFunctions functions,
                                               const std::vector<std::int64_t>& devices) {
  return std::make_unique<EvaluatedTogether>(meant(std::move(module), precision),
                                             std::move(functions), devices.size());
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
