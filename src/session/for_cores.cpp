#include "session/for_cores.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/halves.h"
#include "graph/multiply_adds.h"

namespace trainyard::session {

namespace {

class Compiling {
 public:
  Compiling(const graph::Module& module, const compiler::ModuleContext& context,
            const compiler::Options& options, Session& session)
      : module_(module), context_(context), options_(options), session_(session) {}

  ForCores by_operations(int cores, std::optional<std::int64_t> kept_percent) {
    ForCores made{.module = module_};
    pass(made.module, made.passes);
    ModelCompiler compiler(made.module, cores, options_, session_);
    made.model = compiler.compile(kept_percent);
    return made;
  }

  std::optional<ForCores> in_halves(std::optional<std::int64_t> kept_percent) {
    std::optional<graph::Halves> halves = graph::halves_of(module_);
    if (!halves) return std::nullopt;
    ForCores made{.module = std::move(halves->each), .in_halves = true};
    pass(made.module, made.passes);
    if (halves->rest) {
      pass(halves->rest->module, made.passes);
      add_missing(halves->rest->module.locations, made.module.locations);
    }
    ModelCompiler compiler(made.module, 2, options_, session_, InHalves{*halves, module_.entry()});
    try {
      made.model = compiler.compile(kept_percent);
    } catch (const NotInHalves&) {
      return std::nullopt;
    }
    return made;
  }

 private:
  // Groups of both are told by the places of one module.
  static void add_missing(const std::vector<graph::Location>& from,
                          std::vector<graph::Location>& to) {
    for (std::size_t i = to.size(); i < from.size(); ++i) to.push_back(from[i]);
  }
  void pass(graph::Module& module, compiler::PassLog& log) const {
    compiler::run_module_passes(compiler::machine_passes(), module, context_, options_.passes, log);
  }

  const graph::Module& module_;
  const compiler::ModuleContext& context_;
  const compiler::Options& options_;
  Session& session_;
};

// A gain below that is not worth a second core.
constexpr std::int64_t gain_percent_min = 3;

// Whether the arrays of both cores are so busy with products that nothing else can gain much.
bool is_near_peak(base::Ticks time, const graph::Module& module, const machine::Machine& machine) {
  constexpr double near = 0.8;
  const double nanoseconds =
      graph::multiply_adds(module) / (machine.peak_teraflops(machine.core.array.macs_bf16) * 1e3);
  return nanoseconds > near * base::to_nanoseconds(time);
}

bool is_faster(std::optional<base::Ticks> time, base::Ticks before) {
  return time && time->value * 100 < before.value * (100 - gain_percent_min);
}

}  // namespace

ForCores compile_for_cores(const graph::Module& module, int cores,
                           const compiler::ModuleContext& context, const compiler::Options& options,
                           Session& session, const CompiledCode* kept) {
  Compiling compiling(module, context, options, session);
  const auto kept_percent = kept == nullptr ? std::nullopt : std::optional(kept->resident_percent);
  if (kept != nullptr && kept->in_halves && cores == 2) {
    if (std::optional<ForCores> made = compiling.in_halves(kept_percent)) return std::move(*made);
  }
  ForCores made = compiling.by_operations(cores, kept_percent);
  const compiler::Variation& variation = options.variation;
  if (cores < 2 || kept != nullptr || !variation.divides || !variation.halves_batch) return made;
  const std::optional<base::Ticks> time = time_of(made.model, session.machine());
  if (!time || is_near_peak(*time, module, session.machine())) return made;
  {
    std::optional<ForCores> halves = compiling.in_halves(kept_percent);
    if (halves && is_faster(time_of(halves->model, session.machine()), *time))
      std::swap(made, *halves);
  }
  session.forget_unused();  // of the other way
  return made;
}

}  // namespace trainyard::session
