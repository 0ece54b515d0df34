// The two ways to run a tensor program.
#include <mutex>
#include <utility>

#include "base/error.h"
#include "economics/cost.h"
#include "graph/evaluate.h"
#include "session/executable.h"
#include "session/model.h"

namespace trainyard::session {

namespace {

// Runs on the evaluator that defines what programs mean. No device memory, no time.
class Evaluated : public Executable {
 public:
  explicit Evaluated(graph::Module module) : module_(std::move(module)) {}

  [[nodiscard]] Mode mode() const override { return Mode::reference; }
  [[nodiscard]] std::optional<Spent> estimate() const override { return std::nullopt; }
  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    std::vector<graph::Literal> given;
    for (const Tensor& tensor : arguments) given.push_back(*tensor);
    Execution execution;
    for (graph::Literal& result : graph::evaluate(module_, given))
      execution.results.push_back(std::make_shared<const graph::Literal>(std::move(result)));
    return execution;
  }

 private:
  graph::Module module_;
};

// Runs compiled on the simulated machine, one run at a time: a model has one memory.
class Simulated : public Executable {
 public:
  Simulated(const machine::Machine& machine, graph::Module module)
      : model_(machine, std::move(module),
               [](const graph::Module& routine, std::span<const graph::Literal> inputs) {
                 return graph::evaluate(routine, inputs);
               }) {}

  [[nodiscard]] Mode mode() const override { return Mode::machine; }

  [[nodiscard]] std::optional<Spent> estimate() const override {
    const std::lock_guard lock(mutex_);
    std::vector<Tensor> zeros;
    const graph::Function& entry = model_.module().entry();
    for (const graph::ValueId argument : entry.body.arguments)
      zeros.push_back(zero(entry.type(argument)));
    return spent(model_.run(zeros, {.timed = true, .values = false, .checks = false}));
  }

  [[nodiscard]] Execution execute(std::span<const Tensor> arguments) const override {
    const std::lock_guard lock(mutex_);
    return {.results = model_.run(arguments, {.checks = false}).outputs};
  }

 private:
  static Tensor zero(const graph::Type& type) {
    const auto element = static_cast<std::size_t>(graph::size_in_bytes(type.element));
    return std::make_shared<const graph::Literal>(
        graph::Literal{.type = type, .content = std::vector<std::byte>(element), .splat = true});
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
};

}  // namespace

std::unique_ptr<const Executable> make_executable(graph::Module module, Mode mode,
                                                  const machine::Machine& machine) {
  if (mode == Mode::reference) return std::make_unique<Evaluated>(std::move(module));
  return std::make_unique<Simulated>(machine, std::move(module));
}

}  // namespace trainyard::session
