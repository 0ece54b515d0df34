// The two ways to run a tensor program.
#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/lowering/native_kernel.h"
#include "economics/cost.h"
#include "graph/evaluate.h"
#include "session/executable.h"
#include "session/host.h"
#include "session/model.h"

namespace trainyard::session {

namespace {

auto evaluator(graph::HostFunctions functions) {
  return [limits = graph::EvaluateLimits{.host_functions = std::move(functions)}](
             const graph::Module& routine, std::span<const graph::Literal> inputs) {
    return graph::evaluate(routine, inputs, limits);
  };
}

// Runs compiled on the simulated machine, one run at a time: a model has one memory.
class Simulated : public Executable {
 public:
  Simulated(const machine::Machine& machine, graph::Module module,
            const graph::Precision& precision, graph::HostFunctions functions)
      : model_(machine, std::move(module), evaluator(std::move(functions)),
               {.order = compiler::Order::list}, precision) {}
  Simulated(Host& host, graph::Module module, const graph::Precision& precision,
            graph::HostFunctions functions)
      : model_(host.machine(), std::move(module), evaluator(std::move(functions)), host.compiling(),
               precision),
        host_(&host),
        number_(host.made(model_)) {}

  [[nodiscard]] Mode mode() const override { return Mode::machine; }

  [[nodiscard]] std::int64_t temporary_bytes() const override { return model_.temporary_bytes(); }
  [[nodiscard]] Spent estimate() const override {
    const std::lock_guard lock(mutex_);
    std::vector<Tensor> zeros;
    const graph::Function& entry = model_.module().entry();
    for (const graph::ValueId argument : entry.body.arguments)
      zeros.push_back(zero(entry.type(argument)));
    return spent(model_.run(zeros, {.timed = true, .values = false, .checks = false}));
  }

  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    if (host_ != nullptr) return execute_for_host(arguments);
    const std::lock_guard lock(mutex_);
    return {.results = model_.run(arguments, {.checks = false}).outputs};
  }

 private:
  // The host hears of the run when nothing is locked any more: it may have locks of its own.
  [[nodiscard]] Execution execute_for_host(std::span<const Tensor> arguments) const {
    ModelRun run;
    try {
      const std::lock_guard lock(mutex_);
      const Options options = host_->running(ran_ && !model_.has_control_flow());
      run = model_.run(arguments, options);
      ran_ = true;
    } catch (...) {
      host_->failed(std::current_exception());
      throw;
    }
    Execution execution{.results = run.outputs};
    const graph::Function& entry = model_.module().entry();
    for (std::size_t i = execution.results.size(); i < entry.results().size(); ++i)
      execution.results.push_back(zero(entry.type(entry.results()[i])));  // a run without values
    host_->ran(number_, std::move(run));
    return execution;
  }

  // Rent is that of the one core which runs it, on the first basis of the price list.
  [[nodiscard]] Spent spent(const ModelRun& run) const {
    const machine::Machine& machine = model_.machine();
    const double nanoseconds =
        static_cast<double>(run.time.value) / static_cast<double>(base::ticks_per_nanosecond);
    Spent result{.cycles = nanoseconds * machine.core.tensor.clock.gigahertz(),
                 .seconds = nanoseconds * 1e-9,
                 .joules = run.energy.value.value};
    const economics::Prices prices = economics::load_prices();
    const std::vector<std::string> bases = prices.bases(machine.name);
    if (!bases.empty()) {
      const auto rate = prices.rental(machine.name, bases.front());
      const double chips = 1.0 / static_cast<double>(machine.chip.cores);
      result.dollars = economics::rental_cost(rate, chips, run.time).value.value;
    }
    return result;
  }

  mutable std::mutex mutex_;
  mutable Model model_;
  mutable bool ran_ = false;
  Host* host_ = nullptr;
  std::int64_t number_ = 0;
};

// Runs on the evaluator that defines what programs mean. It is compiled for the machine only when
// asked what it would spend there.
class Evaluated : public Executable {
 public:
  Evaluated(const machine::Machine& machine, graph::Module module,
            const graph::Precision& precision, graph::HostFunctions functions)
      : machine_(machine),
        module_(std::move(module)),
        limits_{.host_functions = std::move(functions)} {
    compiler::PassLog log;
    compiler::run_module_passes(compiler::meaning_passes(), module_, {precision}, {}, log);
  }

  [[nodiscard]] Mode mode() const override { return Mode::reference; }
  [[nodiscard]] Spent estimate() const override {
    return Simulated(machine_, module_, {}, {}).estimate();  // its casts are in the module
  }
  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    std::vector<graph::Literal> given;
    for (const Tensor& tensor : arguments) given.push_back(*tensor);
    Execution execution;
    for (graph::Literal& result : graph::evaluate(module_, given, limits_))
      execution.results.push_back(std::make_shared<const graph::Literal>(std::move(result)));
    return execution;
  }

 private:
  machine::Machine machine_;
  graph::Module module_;
  graph::EvaluateLimits limits_;
};

// A kernel means what the machine does with it: the evaluator has no other word for it.
bool has_kernels(const graph::Region& region) {
  for (const graph::Op& op : region.ops) {
    if (compiler::is_native_kernel(op) || std::ranges::any_of(op.regions, has_kernels)) return true;
  }
  return false;
}

bool calls_kernels(const graph::Module& module) {
  return std::ranges::any_of(
      module.functions, [](const graph::Function& function) { return has_kernels(function.body); });
}

}  // namespace

std::unique_ptr<const Executable> make_executable(graph::Module module, Mode mode,
                                                  const machine::Machine& machine,
                                                  const graph::Precision& precision,
                                                  Outside outside) {
  if (mode == Mode::reference && !calls_kernels(module))
    return std::make_unique<Evaluated>(machine, std::move(module), precision,
                                       std::move(outside.functions));
  if (outside.host == nullptr) {
    return std::make_unique<Simulated>(machine, std::move(module), precision,
                                       std::move(outside.functions));
  }
  try {
    return std::make_unique<Simulated>(*outside.host, std::move(module), precision,
                                       std::move(outside.functions));
  } catch (...) {
    outside.host->failed(std::current_exception());
    throw;
  }
}

}  // namespace trainyard::session
