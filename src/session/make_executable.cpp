// The ways to run a tensor program.
#include <utility>

#include "base/error.h"
#include "graph/evaluate.h"
#include "session/executable.h"

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

}  // namespace

std::unique_ptr<const Executable> make_executable(graph::Module module, Mode mode,
                                                  const machine::Machine&) {
  if (mode == Mode::reference) return std::make_unique<Evaluated>(std::move(module));
  throw base::InputError({.label = "session.unsupported",
                          .rule = "a tensor program runs in a mode that exists",
                          .place = module.name,
                          .found = "mode machine, which does not run tensor programs yet",
                          .fix = "choose mode reference, the evaluator's values"});
}

}  // namespace trainyard::session
