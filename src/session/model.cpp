#include "session/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/host_memory.h"
#include "base/overloaded.h"
#include "compiler/lowering/lower.h"
#include "compiler/lowering/module_passes.h"
#include "economics/energy.h"
#include "engines/needs_values.h"
#include "graph/verify.h"
#include "isa/core/control_flow.h"
#include "session/each_step.h"
#include "session/for_cores.h"
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
  runtime::DeviceRef device;
  std::vector<ArrayRef> slots;
  ModelRun result{};
  std::set<compiler::SlotId> given{};  // arguments whose memory may be overwritten
  std::map<const compiler::ProgramStep*, std::size_t> programs{};   // their places in the result
  std::map<std::vector<const Ordered*>, std::vector<Run>> timed{};  // by the bodies that ran
  bool counts_unknown = false;  // loops and branches that depend on values, without them
  std::map<const void*, std::int64_t> counted_once{};  // how many of them, by step
};

Model::Model(machine::Machine machine, graph::Module module, Evaluate evaluate,
             const compiler::Options& options, const graph::Precision& precision, int cores,
             const std::shared_ptr<const CompiledCode>& kept)
    : Model(std::make_shared<runtime::Devices>(std::move(machine)), std::move(module),
            std::move(evaluate), options, precision, cores, kept) {}

Model::Model(std::shared_ptr<runtime::Devices> devices, graph::Module module, Evaluate evaluate,
             const compiler::Options& options, const graph::Precision& precision, int cores,
             const std::shared_ptr<const CompiledCode>& kept)
    : module_((graph::require_static(module), std::move(module))),
      class_uses_(graph::class_uses(module_, precision)),
      session_(std::move(devices), kept),
      evaluate_(std::move(evaluate)),
      cores_(cores),
      schedule_(compiler::schedule_name(options)) {
  check_cores(session_.machine(), cores);
  const compiler::ModuleContext context{precision, &session_.machine().core, options.layers,
                                        options.variation};
  compiler::run_module_passes(compiler::meaning_passes(), module_, context, options.passes,
                              passes_);
  const compiler::Options whole = compiler::of_lowered(options);
  ForCores made = compile_for_cores(module_, cores_, context, whole, session_, kept.get());
  lowered_module_ = std::move(made.module);
  in_halves_ = made.in_halves;
  passes_.add(std::move(made.passes));
  load(std::move(made.model), whole);
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;

CompiledCode Model::code() const {
  CompiledCode code;
  code.cores = cores_;
  code.in_halves = in_halves_;
  code.resident_percent = resident_percent_;
  session_.keep(code);
  return code;
}

void Model::load(CompiledModel compiled, const compiler::Options& options) {
  lowered_ = std::move(compiled.lowered);  // its steps stay where they are
  resident_percent_ = compiled.resident_percent;
  shares_ = std::move(compiled.shares);
  passes_.add(std::move(compiled.passes));
  std::vector<const Loaded*> first(compiled.grids.size());
  loaded_.reserve(compiled.steps.size());
  for (const auto& [step, grid] : compiled.steps) {
    if (const Loaded* const before = first[grid]) {
      const bool is_same = outside_of(*before->step) == outside_of(*step);
      loaded_.push_back(
          {step, before->instances,
           is_same ? before->placing : std::make_shared<Placing>(before->instances, *step), true});
      continue;
    }
    const GridInstances instances = session_.unplaced(compiled.grids[grid], options);
    loaded_.push_back({step, instances, std::make_shared<Placing>(instances, *step), false});
    first[grid] = &loaded_.back();
  }
  ends_ = slot_ends(lowered_);
  temporary_bytes_ = most_held();
  for (const auto& [slot, literal] : lowered_.constants)
    constants_.push_back(std::make_shared<const Array>(literal));
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

void Model::check_inputs(std::span<const ArrayRef> inputs) const {
  const std::size_t wanted = lowered_.arguments.size();
  if (inputs.size() != wanted) {
    throw base::InputError({"model.input", "a model gets one input for each argument of main",
                            module_.name, fmt::format("{} for {}", inputs.size(), wanted),
                            "pass the arguments that the function was traced with"});
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const graph::Type& type = lowered_.slots[lowered_.arguments[i]];
    if (inputs[i]->type() == type) continue;
    throw base::InputError(
        {"model.input", "an input has the type of its argument",
         fmt::format("argument {} of {}", i, module_.name),
         fmt::format("{} for {}", graph::to_string(inputs[i]->type()), graph::to_string(type)),
         "convert the input, or trace the function for it"});
  }
}

void Model::require_memory() const {
  const std::int64_t bytes = temporary_bytes_ + outside_bytes();
  if (base::fits_host_memory(bytes)) return;
  throw base::host_memory_error(bytes, "its arguments, results and the values between them need",
                                module_.name);
}

ModelEstimate Model::estimate() {
  const Options options{.timed = true, .values = false, .checks = false};
  Running running{.options = options,
                  .device = session_.device(),
                  .slots = std::vector<ArrayRef>(lowered_.slots.size()),
                  .counts_unknown = true};
  run_block(lowered_.block, running);
  ModelEstimate result{.time = running.result.time, .energy = running.result.energy};
  for (const auto& [step, count] : running.counted_once) result.counted_once += count;
  return result;
}

ModelRun Model::run(Arguments arguments, const Options& options) {
  Running running{.options = options,
                  .device = arguments.device ? arguments.device : session_.device(),
                  .slots = std::vector<ArrayRef>(lowered_.slots.size())};
  if (options.values) {
    check_inputs(arguments.arrays);
    require_memory();
    for (std::size_t i = 0; i < arguments.arrays.size(); ++i) {
      const compiler::SlotId slot = lowered_.arguments[i];
      running.slots[slot] = arguments.arrays[i];
      const bool may = i < arguments.may_overwrite.size() && arguments.may_overwrite[i];
      if (may && std::ranges::count(arguments.arrays, arguments.arrays[i]) == 1)
        running.given.insert(slot);
    }
    arguments.arrays.clear();
    for (std::size_t i = 0; i < constants_.size(); ++i)
      running.slots[lowered_.constants[i].first] = constants_[i];
  }
  run_block(lowered_.block, running);
  for (const compiler::SlotId slot : lowered_.block.results) {
    if (options.values) running.result.outputs.push_back(running.slots[slot]);
  }
  return std::move(running.result);
}

void Model::run_block(const compiler::Block& block, Running& running) {
  for (const compiler::Step& step : block.steps) {
    const SlotEnds& ends = ends_.at(&step);
    run_step(step, running);
    for (const compiler::SlotId slot : ends.behind) running.slots[slot].reset();
  }
}

void Model::run_step(const compiler::Step& step, Running& running) {
  std::visit(
      base::Overloaded{
          [&](const compiler::ProgramStep& each) { run_program(each, running); },
          [&](const compiler::RoutineStep& each) { run_routine(each, running); },
          [&](const compiler::LoopStep& each) { run_loop(each, ends_.at(&step).before, running); },
          [&](const compiler::BranchStep& each) { run_branch(each, running); },
      },
      step.what);
}

std::vector<runtime::Binding> Model::bind(
    const compiler::ProgramStep& step, Running& running,
    std::vector<std::pair<compiler::SlotId, ArrayRef>>& results) const {
  runtime::Memory& memory = *running.device->memory();
  std::vector<runtime::Binding> bound;
  std::map<isa::TensorId, runtime::BufferRef> made;  // what is written, by tensor
  const auto is_overwritten = [&](isa::TensorId tensor) {
    return std::ranges::find(step.overwritten, tensor) != step.overwritten.end();
  };
  const auto add = [&](isa::TensorId tensor, runtime::BufferRef buffer) {
    bound.push_back({tensor, buffer, 0});
    return buffer;
  };
  // A run without checks takes no notes of what it writes.
  const auto given = [&](isa::TensorId tensor, runtime::BufferRef buffer) {
    if (running.options.checks) buffer->mark_written();
    return add(tensor, std::move(buffer));
  };
  for (const auto& [slot, tensor] : step.inputs) {
    if (!is_overwritten(tensor)) given(tensor, running.slots[slot]->in(memory));
  }
  for (const auto& [slot, tensor] : step.outputs) {
    if (is_overwritten(tensor) || made.contains(tensor)) continue;
    made[tensor] = add(tensor, runtime::allocated(memory.allocate(lowered_.slots[slot].bytes())));
  }
  // Last, when there is room for all of it: what is given away is gone.
  for (const auto& [slot, tensor] : step.inputs) {
    if (!is_overwritten(tensor)) continue;
    const ArrayRef& array = running.slots[slot];
    const bool may = running.given.contains(slot);
    made[tensor] = given(tensor, may ? array->take(memory) : array->copy(memory));
  }
  for (const auto& [slot, tensor] : step.outputs)
    results.emplace_back(slot,
                         std::make_shared<const Array>(lowered_.slots[slot], made.at(tensor)));
  return bound;
}

void Model::run_program(const compiler::ProgramStep& step, Running& running) {
  const auto loaded = std::ranges::find(loaded_, &step, &Loaded::step);
  base::check(loaded != loaded_.end(), "every program of a model is loaded");
  const Options& options = running.options;
  std::vector<Run> runs;
  if (options.values) {
    const std::lock_guard one_at_a_time(running.device->running());
    const Placing::Inside inside = loaded->placing->inside(*running.device, options.checks);
    std::vector<std::pair<compiler::SlotId, ArrayRef>> results;
    const std::vector<runtime::Binding> outside = bind(step, running, results);
    runs = run_once(*loaded, loaded->placing->on(running.device, inside, outside), running);
    for (auto& [slot, array] : results) running.slots[slot] = std::move(array);
  } else {
    runs = run_once(*loaded, loaded->instances, running);
  }
  count(step, loaded->instances.front(), std::move(runs), running);
}

// What ran is told without the memory in which it did.
std::vector<Run> Model::simulate(const Loaded& loaded, const GridInstances& placed,
                                 const Options& options) {
  std::vector<Run> runs = session_.run(placed, options);
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].instance = loaded.instances[k];
  return runs;
}

std::vector<Run> Model::run_once(const Loaded& loaded, const GridInstances& placed,
                                 Running& running) {
  const Options& options = running.options;
  const auto by_data = [](const auto& instance) {
    return isa::flow_reads_memory(instance->program());
  };
  // Checks look at the order of accesses each time.
  if (!options.timed || !options.folds_alike || (options.checks && options.values) ||
      std::ranges::any_of(loaded.instances, by_data))
    return running.counts_unknown ? run_unknown_once(loaded, running)
                                  : simulate(loaded, placed, options);
  std::vector<const Ordered*> bodies;
  for (const auto& instance : loaded.instances) bodies.push_back(&instance->ordered());
  const auto [at, is_new] = running.timed.try_emplace(std::move(bodies));
  if (is_new) return at->second = simulate(loaded, placed, options);
  ++running.result.folded;
  std::vector<Run> runs = at->second;
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].instance = loaded.instances[k];
  if (options.values) {
    Options untimed = options;
    untimed.timed = untimed.record = false;
    (void)session_.run(placed, untimed);
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
  std::vector<ArrayRef> operands;
  for (const compiler::SlotId slot : step.operands) operands.push_back(running.slots[slot]);
  if (operands != prepared.operands) {
    std::vector<graph::Literal> inputs;
    for (const ArrayRef& operand : operands) inputs.push_back(*operand->content());
    prepared = {.operands = std::move(operands), .results = {}};
    for (graph::Literal& made : evaluate_(step.module, inputs))
      prepared.results.push_back(std::make_shared<const Array>(std::move(made)));
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
  for (const compiler::SlotId slot : step.operands)
    inputs.push_back(*running.slots[slot]->content());
  std::vector<graph::Literal> outputs = evaluate_(step.module, inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    running.slots[step.results[i]] = std::make_shared<const Array>(std::move(outputs[i]));
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

void Model::run_loop(const compiler::LoopStep& step, std::span<const compiler::SlotId> ended,
                     Running& running) {
  if (!running.options.values) return count_turns(step, running);
  for (std::size_t i = 0; i < step.state.size(); ++i)
    running.slots[step.state[i]] = running.slots[step.initial[i]];
  for (const compiler::SlotId slot : ended) running.slots[slot].reset();
  for (std::int64_t turn = 0;; ++turn) {
    run_block(step.condition, running);
    if (integer_of(*running.slots[step.condition.results.at(0)]->content()) == 0) return;
    if (turn == turns_max) {
      throw base::InputError({"model.endless", "a loop ends", module_.describe(step.location),
                              fmt::format("{} iterations", turn), "check the condition"});
    }
    run_block(step.body, running);
    std::vector<ArrayRef> next;
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
  const std::int64_t index = integer_of(*running.slots[step.index]->content());
  const auto last = static_cast<std::int64_t>(step.branches.size()) - 1;
  const bool is_outside = index < 0 || index > last;
  const std::int64_t taken = step.is_predicate ? (index != 0 ? 0 : 1) : is_outside ? last : index;
  const compiler::Block& branch = step.branches.at(static_cast<std::size_t>(taken));
  run_block(branch, running);
  for (std::size_t i = 0; i < branch.results.size(); ++i)
    running.slots[step.results[i]] = running.slots[branch.results[i]];
}

}  // namespace trainyard::session
