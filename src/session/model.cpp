#include "session/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/host_memory.h"
#include "base/overloaded.h"
#include "compiler/lowering/lower.h"
#include "compiler/lowering/passes/module_passes.h"
#include "economics/energy.h"
#include "engines/needs_values.h"
#include "graph/verify.h"
#include "isa/core/control_flow.h"
#include "session/each_step.h"
#include "session/loaded.h"
#include "session/routine_cost.h"
#include "session/unrolled.h"

namespace trainyard::session {

namespace {

constexpr std::int64_t turns_max = std::int64_t{1} << 32;

std::int64_t integer_of(const graph::Literal& literal) {
  const std::vector<std::byte> content = literal.expanded();
  const int size = graph::size_in_bytes(literal.type.element);
  base::check(content.size() == static_cast<std::size_t>(size), "one number decides");
  std::int64_t value = 0;
  std::memcpy(&value, content.data(), content.size());
  if (!graph::is_signed(literal.type.element)) return value;
  const int unused = 64 - 8 * size;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused) >> unused;
}

void check_cores(const machine::Machine& machine, int cores) {
  if (cores == 1 || (cores == 2 && machine.core.features.core_pairs)) return;
  throw base::InputError({"model.cores", "a program runs on one core, or on both of a logical core",
                          machine.name, fmt::format("cores={}", cores),
                          "cores=1, or cores=2 on a machine from trn2 on"});
}

// In the report of a layer that was compiled for another one.
void rename(report::Report& report, const std::map<std::string, std::string>& names) {
  const auto rename_one = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  };
  for (std::vector<report::Line>* const lines : {&report.lines, &report.operations}) {
    for (report::Line& line : *lines) {
      rename_one(line.function);
      rename_one(line.place);
    }
  }
}

// Of a grid; with the findings of all cores. A report counts the energy of all of them.
Run slowest(std::vector<Run> runs) {
  const auto time = [](const Run& run) {
    return run.report ? run.report->duration : base::Ticks{};
  };
  const auto slow = std::ranges::max_element(runs, {}, time);
  for (auto run = runs.begin(); run != runs.end(); ++run) {
    if (run != slow) std::ranges::move(run->findings, std::back_inserter(slow->findings));
  }
  return std::move(*slow);
}

}  // namespace

struct Model::Running {
  const Options& options;
  std::vector<Tensor> slots;
  ModelRun result;
  std::map<const compiler::ProgramStep*, std::size_t> programs{};   // their places in the result
  std::map<std::vector<const Ordered*>, std::vector<Run>> timed{};  // by the bodies that ran
  bool counts_unknown = false;  // loops and branches that depend on values, without them
  std::map<const void*, std::int64_t> counted_once{};  // how many of them, by step
};

Model::Model(machine::Machine machine, graph::Module module, Evaluate evaluate,
             const compiler::Options& options, const graph::Precision& precision, int cores,
             const std::shared_ptr<const CompiledCode>& kept)
    : module_((graph::require_static(module), std::move(module))),
      class_uses_(graph::class_uses(module_, precision)),
      session_(std::move(machine), kept),
      evaluate_(std::move(evaluate)),
      cores_(cores),
      schedule_(compiler::schedule_name(options)) {
  check_cores(session_.machine(), cores);
  const compiler::ModuleContext context{precision, &session_.machine().core, options.layers,
                                        options.variation};
  const auto run = [&](std::span<const compiler::ModulePass> passes, graph::Module& on) {
    compiler::run_module_passes(passes, on, context, options.passes, passes_);
  };
  run(compiler::meaning_passes(), module_);
  lowered_module_ = module_;
  run(compiler::machine_passes(), lowered_module_);
  const compiler::Options whole = compiler::of_lowered(options);
  ModelCompiler compiler(lowered_module_, cores_, whole, session_);
  load(compiler.compile(kept != nullptr ? std::optional(kept->resident_percent) : std::nullopt),
       whole);
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

CompiledCode Model::code() const {
  CompiledCode code;
  code.cores = cores_;
  code.resident_percent = resident_percent_;
  session_.keep(code);
  return code;
}

void Model::load(CompiledModel compiled, const compiler::Options& options) {
  lowered_ = std::move(compiled.lowered);  // its steps stay where they are
  resident_percent_ = compiled.resident_percent;
  shares_ = std::move(compiled.shares);
  passes_.add(std::move(compiled.passes));
  std::vector<std::vector<std::shared_ptr<Instance>>> first(compiled.grids.size());
  for (const auto& [step, grid] : compiled.steps) {
    const bool is_again = !first[grid].empty();
    const auto instances = is_again ? session_.load_again(first[grid])
                                    : session_.load_grid(compiled.grids[grid], options);
    if (!is_again) first[grid] = instances;
    loaded_.push_back({step, instances, std::vector<Tensor>(step->inputs.size()), is_again});
  }
  temporary_bytes_ = most_held();
}

std::vector<std::shared_ptr<Instance>> Model::programs() const {
  std::vector<std::shared_ptr<Instance>> all;
  for (const Loaded& loaded : loaded_) {
    if (!loaded.is_again) all.insert(all.end(), loaded.instances.begin(), loaded.instances.end());
  }
  return all;
}

std::vector<std::vector<compiler::FusionGroup>> Model::groups() const {
  std::vector<std::vector<compiler::FusionGroup>> all;
  for (const Loaded& loaded : loaded_) {
    if (!loaded.is_again) all.insert(all.end(), loaded.instances.size(), loaded.step->groups);
  }
  return all;
}

std::int64_t Model::unrolled_instructions() const {
  std::int64_t sum = 0;
  for (const Loaded& loaded : loaded_) {
    std::int64_t most = 0;
    for (const auto& instance : loaded.instances)
      most = std::max(most, unrolled(instance->program()));
    sum += most;
  }
  return sum;
}

std::size_t Model::cores_in_use() const {
  std::size_t most = 1;
  for (const Loaded& loaded : loaded_) most = std::max(most, loaded.instances.size());
  return most;
}

bool Model::has_control_flow() const {
  const bool is_on_host = std::ranges::any_of(lowered_.block.steps, [](const compiler::Step& step) {
    return std::holds_alternative<compiler::LoopStep>(step.what) ||
           std::holds_alternative<compiler::BranchStep>(step.what);
  });
  return is_on_host || std::ranges::any_of(programs(), [](const auto& instance) {
           return isa::flow_reads_memory(instance->program());
         });
}

void Model::check_inputs(std::span<const Tensor> inputs) const {
  const std::size_t wanted = lowered_.arguments.size();
  if (inputs.size() != wanted) {
    throw base::InputError({"model.input", "a model gets one input for each argument of main",
                            module_.name, fmt::format("{} for {}", inputs.size(), wanted),
                            "pass the arguments that the function was traced with"});
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const graph::Type& type = lowered_.slots[lowered_.arguments[i]];
    if (inputs[i]->type == type) continue;
    throw base::InputError(
        {"model.input", "an input has the type of its argument",
         fmt::format("argument {} of {}", i, module_.name),
         fmt::format("{} for {}", graph::to_string(inputs[i]->type), graph::to_string(type)),
         "convert the input, or trace the function for it"});
  }
}

// A value lies in simulated memory and, between programs, beside it.
void Model::require_memory() const {
  std::int64_t bytes = 0;
  for (const graph::Type& type : lowered_.slots)
    bytes += type.kind == graph::Type::Kind::tensor ? 2 * type.bytes() : 0;
  if (base::fits_host_memory(bytes)) return;
  throw base::host_memory_error(bytes, "the values between its programs need", module_.name);
}

ModelEstimate Model::estimate() {
  const Options options{.timed = true, .values = false, .checks = false};
  Running running{.options = options,
                  .slots = std::vector<Tensor>(lowered_.slots.size()),
                  .result = {},
                  .counts_unknown = true};
  run_block(lowered_.block, running);
  ModelEstimate result{.time = running.result.time, .energy = running.result.energy};
  for (const auto& [step, count] : running.counted_once) result.counted_once += count;
  return result;
}

ModelRun Model::run(std::span<const Tensor> inputs, const Options& options) {
  check_inputs(inputs);
  Running running{
      .options = options, .slots = std::vector<Tensor>(lowered_.slots.size()), .result = {}};
  for (std::size_t i = 0; i < inputs.size(); ++i) running.slots[lowered_.arguments[i]] = inputs[i];
  for (const auto& [slot, literal] : lowered_.constants)
    running.slots[slot] = std::make_shared<graph::Literal>(literal);
  if (options.values) require_memory();
  run_block(lowered_.block, running);
  for (const compiler::SlotId slot : lowered_.block.results) {
    if (options.values) running.result.outputs.push_back(running.slots[slot]);
  }
  return std::move(running.result);
}

void Model::run_block(const compiler::Block& block, Running& running) {
  for (const compiler::Step& step : block.steps) {
    std::visit(base::Overloaded{
                   [&](const compiler::ProgramStep& each) { run_program(each, running); },
                   [&](const compiler::RoutineStep& each) { run_routine(each, running); },
                   [&](const compiler::LoopStep& each) { run_loop(each, running); },
                   [&](const compiler::BranchStep& each) { run_branch(each, running); },
               },
               step.what);
  }
}

void Model::run_program(const compiler::ProgramStep& step, Running& running) {
  const auto loaded = std::ranges::find(loaded_, &step, &Loaded::step);
  base::check(loaded != loaded_.end(), "every program of a model is loaded");
  const Options& options = running.options;
  for (std::size_t i = 0; options.values && i < step.inputs.size(); ++i) {
    const Tensor& buffer = running.slots[step.inputs[i].first];
    if (buffer == loaded->written[i]) continue;
    session_.write(*loaded->instances.front(), step.inputs[i].second,
                   buffer->splat ? buffer->expanded() : buffer->content);
    loaded->written[i] = buffer;
  }
  std::vector<Run> runs = run_once(*loaded, running);
  for (std::size_t i = 0; options.values && i < step.inputs.size(); ++i) {
    const auto& overwritten = step.overwritten;
    if (std::ranges::find(overwritten, step.inputs[i].second) != overwritten.end())
      loaded->written[i] = nullptr;
  }
  for (std::size_t i = 0; options.values && i < step.outputs.size(); ++i) {
    const auto& [slot, tensor] = step.outputs[i];
    auto out = std::make_shared<graph::Literal>();
    out->type = lowered_.slots[slot];
    out->content.resize(static_cast<std::size_t>(out->type.bytes()));
    session_.read(*loaded->instances.front(), tensor, out->content);
    running.slots[slot] = std::move(out);
  }
  count(step, loaded->instances.front(), std::move(runs), running);
}

std::vector<Run> Model::run_once(const Loaded& loaded, Running& running) {
  const Options& options = running.options;
  const auto by_data = [](const auto& instance) {
    return isa::flow_reads_memory(instance->program());
  };
  // Checks look at the order of accesses each time.
  if (!options.timed || !options.folds_alike || (options.checks && options.values) ||
      std::ranges::any_of(loaded.instances, by_data))
    return running.counts_unknown ? run_unknown_once(loaded, running)
                                  : session_.run(loaded.instances, options);
  std::vector<const Ordered*> bodies;
  for (const auto& instance : loaded.instances) bodies.push_back(&instance->ordered());
  const auto [at, is_new] = running.timed.try_emplace(std::move(bodies));
  if (is_new) return at->second = session_.run(loaded.instances, options);
  ++running.result.folded;
  std::vector<Run> runs = at->second;
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].instance = loaded.instances[k];
  if (options.values) {
    Options untimed = options;
    untimed.timed = untimed.record = false;
    (void)session_.run(loaded.instances, untimed);
  }
  return runs;
}

// Its loops may depend on what is in memory before it runs.
std::vector<Run> Model::run_unknown_once(const Loaded& loaded, Running& running) {
  try {
    return session_.run(loaded.instances, running.options);
  } catch (const engines::NeedsValues&) {
    Options options = running.options;
    options.unknown_once = true;
    running.counted_once[loaded.step] =
        std::ssize(isa::flows_by_memory(loaded.instances.front()->program()));
    return session_.run(loaded.instances, options);
  }
}

void Model::count(const compiler::ProgramStep& step, const std::shared_ptr<Instance>& instance,
                  std::vector<Run> runs, Running& running) {
  Run run = slowest(std::move(runs));
  ModelRun& result = running.result;
  const auto [at, is_first] = running.programs.try_emplace(&step, result.programs.size());
  const base::Ticks time = run.report ? run.report->duration : base::Ticks{};
  result.time += time;
  if (run.report) result.energy += run.report->energy.total;
  if (is_first) {
    if (run.report && !step.names.empty()) rename(*run.report, step.names);
    result.programs.push_back({instance, std::move(run), 1, time});
    return;
  }
  ProgramRun& program = result.programs[at->second];
  ++program.count;
  program.time += time;
  std::ranges::move(run.findings, std::back_inserter(program.first.findings));
}

void Model::prepare(const compiler::RoutineStep& step, Running& running) {
  if (!running.options.values) return;
  Prepared& prepared = prepared_[&step];
  std::vector<Tensor> operands;
  for (const compiler::SlotId slot : step.operands) operands.push_back(running.slots[slot]);
  if (operands != prepared.operands) {
    std::vector<graph::Literal> inputs;
    for (const Tensor& operand : operands) inputs.push_back(*operand);
    prepared = {.operands = std::move(operands), .results = {}};
    for (graph::Literal& made : evaluate_(step.module, inputs))
      prepared.results.push_back(std::make_shared<graph::Literal>(std::move(made)));
  }
  for (std::size_t i = 0; i < step.results.size(); ++i)
    running.slots[step.results[i]] = prepared.results[i];
}

void Model::run_routine(const compiler::RoutineStep& step, Running& running) {
  if (step.is_prepared || step.is_held) return prepare(step, running);
  if (running.options.timed) {
    const RoutineCost cost = routine_cost(step.module, session_.machine());
    running.result.time += cost.time;
    running.result.routines += cost.time;
    const auto cores = static_cast<std::int64_t>(cores_in_use());
    running.result.energy +=
        economics::energy(session_.machine(), cost.activity, cost.time, cores).total;
  }
  if (!running.options.values) return;
  std::vector<graph::Literal> inputs;
  for (const compiler::SlotId slot : step.operands) inputs.push_back(*running.slots[slot]);
  std::vector<graph::Literal> outputs = evaluate_(step.module, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    running.slots[step.results[i]] = std::make_shared<graph::Literal>(std::move(outputs[i]));
}

namespace {

[[noreturn]] void refuse_without_values(const graph::Module& module, graph::LocationId location) {
  throw base::InputError(
      {"model.control",
       "the iterations of a loop and the branch that is taken are known only to a run with values",
       module.describe(location), "a run without values",
       "run it with values, or unroll the loop"});
}

}  // namespace

void Model::run_loop(const compiler::LoopStep& step, Running& running) {
  if (!running.options.values) return count_turns(step, running);
  for (std::size_t i = 0; i < step.state.size(); ++i)
    running.slots[step.state[i]] = running.slots[step.initial[i]];
  for (std::int64_t turn = 0;; ++turn) {
    run_block(step.condition, running);
    if (integer_of(*running.slots[step.condition.results.at(0)]) == 0) return;
    if (turn == turns_max) {
      throw base::InputError({"model.endless", "a loop ends", module_.describe(step.location),
                              fmt::format("{} iterations", turn), "check the condition"});
    }
    run_block(step.body, running);
    std::vector<Tensor> next;
    for (const compiler::SlotId slot : step.body.results) next.push_back(running.slots[slot]);
    for (std::size_t i = 0; i < next.size(); ++i) running.slots[step.state[i]] = next[i];
  }
}

// Without values: as often as the loop is known to turn.
void Model::count_turns(const compiler::LoopStep& step, Running& running) {
  if (!step.turns) {
    if (!running.counts_unknown) refuse_without_values(module_, step.location);
    running.counted_once[&step] = 1;
  }
  for (std::int64_t turn = 0; turn < step.turns.value_or(1); ++turn) {
    run_block(step.condition, running);
    run_block(step.body, running);
  }
  run_block(step.condition, running);
}

void Model::run_branch(const compiler::BranchStep& step, Running& running) {
  if (!running.options.values) {
    if (!running.counts_unknown) refuse_without_values(module_, step.location);
    running.counted_once[&step] = 1;
    for (const compiler::Block& branch : step.branches) run_block(branch, running);
    return;
  }
  const std::int64_t index = integer_of(*running.slots[step.index]);
  const auto last = static_cast<std::int64_t>(step.branches.size()) - 1;
  const bool is_outside = index < 0 || index > last;
  const std::int64_t taken = step.is_predicate ? (index != 0 ? 0 : 1) : is_outside ? last : index;
  const compiler::Block& branch = step.branches.at(static_cast<std::size_t>(taken));
  run_block(branch, running);
  for (std::size_t i = 0; i < branch.results.size(); ++i)
    running.slots[step.results[i]] = running.slots[branch.results[i]];
}

}  // namespace trainyard::session
