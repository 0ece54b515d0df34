// The two ways to run a tensor program.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/module_passes.h"
#include "compiler/lowering/walk/native_kernel.h"
#include "graph/evaluate.h"
#include "graph/reads.h"
#include "session/device_model.h"
#include "session/executable.h"
#include "session/host.h"
#include "session/model.h"
#include "session/rent.h"
#include "session/rounding_seeds.h"
#include "session/several_devices.h"

namespace trainyard::session {

namespace {

const compiler::Options without_host{.order = compiler::Order::list};

// What compiled programs depend on besides the module.
std::string context_of(const machine::Machine& machine, const graph::Precision& precision,
                       const compiler::Options& options, int cores) {
  return CompiledCode::context_of(
      fmt::format("{:016x};{};{:016x};{};{}", machine.hash(), cores, compiler::key(options),
                  static_cast<int>(options.layers), graph::key(precision)));
}

// The code, or null where it is of another context.
std::shared_ptr<const CompiledCode> usable(std::string_view code, const std::string& context) {
  if (code.empty()) return {};
  auto kept = std::make_shared<const CompiledCode>(CompiledCode::read(code));
  return context.empty() || kept->context != context ? nullptr : std::move(kept);
}

// Runs compiled on the simulated machine, one run at a time: a model has one memory.
class Simulated : public Executable {
 public:
  Simulated(const machine::Machine& machine, graph::Module module,
            const graph::Precision& precision, graph::HostFunctions functions, int cores,
            std::string_view code = {})
      : context_(context_of(machine, precision, without_host, cores)),
        model_(device_model(machine, std::move(module), precision, without_host,
                            evaluator(std::move(functions)), cores, usable(code, context_))),
        cores_(cores) {}
  Simulated(Host& host, graph::Module module, const graph::Precision& precision,
            graph::HostFunctions functions, int cores)
      : context_(context_of(host.machine(), precision, host.compiling(), cores)),
        model_(device_model(host.machine(), std::move(module), precision, host.compiling(),
                            evaluator(std::move(functions)), cores)),
        cores_(cores),
        host_(&host),
        number_(host.made(model_)) {}

  [[nodiscard]] Mode mode() const override { return Mode::machine; }

  [[nodiscard]] std::int64_t temporary_bytes() const override { return model_.temporary_bytes(); }
  [[nodiscard]] std::int64_t unrolled_instructions() const override {
    return model_.unrolled_instructions();
  }
  [[nodiscard]] std::string code() const override {
    CompiledCode code = model_.code();
    code.context = context_;
    return code.write();
  }
  [[nodiscard]] Spent estimate() const override {
    const std::lock_guard lock(mutex_);
    const ModelEstimate run = model_.estimate();
    Spent result = spent(model_.machine(), run.time, cores_);
    result.joules = run.energy.value.value;
    result.counted_once = run.counted_once;
    return result;
  }

  [[nodiscard]] Execution execute(Arguments arguments) const override {
    if (host_ != nullptr) return execute_for_host(std::move(arguments));
    const std::lock_guard lock(mutex_);
    const Options options{.checks = false, .rounding_seed = seeds_.next()};
    return {.results = model_.run(std::move(arguments), options).outputs};
  }

 private:
  // The host hears of the run when nothing is locked any more: it may have locks of its own.
  [[nodiscard]] Execution execute_for_host(Arguments arguments) const {
    ModelRun run;
    try {
      const std::lock_guard lock(mutex_);
      Options options = host_->running(ran_ && !model_.has_control_flow());
      options.rounding_seed = seeds_.next();
      run = model_.run(std::move(arguments), options);
      ran_ = true;
    } catch (...) {
      host_->failed(std::current_exception());
      throw;
    }
    Execution execution{.results = run.outputs};
    const graph::Function& entry = model_.module().entry();
    for (std::size_t i = execution.results.size(); i < entry.results().size(); ++i)
      execution.results.push_back(zeros(entry.type(entry.results()[i])));  // a run without values
    host_->ran(number_, std::move(run));
    return execution;
  }

  mutable std::mutex mutex_;
  std::string context_;  // of its code
  mutable Model model_;
  mutable RoundingSeeds seeds_{model_.machine()};
  mutable bool ran_ = false;
  int cores_ = 1;  // of the device
  Host* host_ = nullptr;
  std::int64_t number_ = 0;
};

// Runs on the evaluator that defines what programs mean. It is compiled for the machine only when
// asked what it would spend there.
class Evaluated : public Executable {
 public:
  Evaluated(const machine::Machine& machine, graph::Module module,
            const graph::Precision& precision, graph::HostFunctions functions, int cores)
      : machine_(machine),
        module_(std::move(module)),
        limits_{.host_functions = std::move(functions)},
        cores_(cores) {
    compiler::PassLog log;
    compiler::run_module_passes(compiler::meaning_passes(), module_, {precision}, {}, log);
  }

  [[nodiscard]] Mode mode() const override { return Mode::reference; }
  [[nodiscard]] Spent estimate() const override {
    // Its casts are in the module.
    return Simulated(machine_, module_, {}, {}, cores_).estimate();
  }
  [[nodiscard]] Execution execute(Arguments arguments) const override {
    std::vector<graph::Literal> given;
    for (const ArrayRef& array : arguments.arrays) given.push_back(*array->content());
    Execution execution;
    for (graph::Literal& result : graph::evaluate(module_, given, limits_))
      execution.results.push_back(std::make_shared<const Array>(std::move(result)));
    return execution;
  }

 private:
  machine::Machine machine_;
  graph::Module module_;
  graph::EvaluateLimits limits_;
  int cores_ = 1;  // of the device
};

// A kernel means what the machine does with it: the evaluator has no other word for it.
bool calls_kernels(const graph::Module& module) {
  return std::ranges::any_of(module.functions, [](const graph::Function& function) {
    return graph::has_op(function.body, compiler::is_native_kernel);
  });
}

}  // namespace

std::unique_ptr<const Executable> make_executable(graph::Module module, Mode mode,
                                                  const machine::Machine& machine,
                                                  const graph::Precision& precision,
                                                  Outside outside, int cores, std::string_view code,
                                                  const std::vector<std::int64_t>& devices) {
  if (devices.size() > 1 && mode == Mode::reference)
    return evaluated_on(std::move(module), precision, std::move(outside), devices);
  if (devices.size() > 1)
    return simulated_on(std::move(module), machine, precision, std::move(outside), cores, devices);
  if (mode == Mode::reference && !calls_kernels(module))
    return std::make_unique<Evaluated>(machine, std::move(module), precision,
                                       std::move(outside.functions), cores);
  if (outside.host == nullptr) {
    return std::make_unique<Simulated>(machine, std::move(module), precision,
                                       std::move(outside.functions), cores, code);
  }
  try {
    return std::make_unique<Simulated>(*outside.host, std::move(module), precision,
                                       std::move(outside.functions), cores);
  } catch (...) {
    outside.host->failed(std::current_exception());
    throw;
  }
}

}  // namespace trainyard::session
