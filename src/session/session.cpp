#include "session/session.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "engines/checkers/checkers.h"
#include "engines/core_state.h"
#include "engines/interpreter.h"
#include "numerics/float_environment.h"
#include "report/labels.h"
#include "session/program_hash.h"
#include "system/run.h"
#include "trace/recorder.h"
#include "trace/trace_file.h"

namespace trainyard::session {

namespace {

constexpr std::string_view version = TRAINYARD_VERSION;

}  // namespace

Session::Session(machine::Machine machine)
    : machine_(std::move(machine)), stack_(engines::make_stack(machine_)) {}

// A list scheduler works with estimates; whether its order is better is known only by simulating
// both.
isa::Program Session::compile(isa::Program kernel, const compiler::Options& options) const {
  if (options.order == compiler::Order::author) {
    return compiler::compile(std::move(kernel), machine_.core, options);
  }
  compiler::Options plain = options;
  plain.order = compiler::Order::author;
  isa::Program ordered = compiler::compile(kernel, machine_.core, plain);
  isa::Program listed = compiler::compile(std::move(kernel), machine_.core, options);
  const bool is_static = std::none_of(ordered.instructions.begin(), ordered.instructions.end(),
                                      [](const isa::Instruction& instruction) {
                                        const isa::InstructionInfo& info =
                                            isa::info(instruction.opcode);
                                        return info.kind == isa::Kind::control;
                                      });
  if (!is_static) return listed;
  return system::time(listed, machine_).time < system::time(ordered, machine_).time
             ? std::move(listed)
             : std::move(ordered);
}

std::shared_ptr<Instance> Session::load(isa::Program kernel, const compiler::Options& options) {
  isa::Program program = compile(std::move(kernel), options);
  std::size_t index = 0;
  for (isa::Tensor& tensor : program.tensors) {
    if (tensor.space == isa::Space::hbm && tensor.shared && index < shared_.size())
      tensor.address = shared_[index++];
  }
  std::vector<std::int64_t> placed = engines::place_tensors(program, *stack_);
  if (shared_.empty()) {
    for (isa::TensorId t = 0; t < program.tensors.size(); ++t) {
      const isa::Tensor& tensor = program.tensors[t];
      if (tensor.space == isa::Space::hbm && tensor.shared) shared_.push_back(placed[t]);
    }
  }
  return std::make_shared<Instance>(std::move(program), std::move(placed));
}

void Session::write(const Instance& instance, isa::TensorId tensor,
                    std::span<const std::byte> content) {
  engines::write_tensor(instance.program(), tensor, instance.hbm_base(), *stack_, content);
}

void Session::read(const Instance& instance, isa::TensorId tensor,
                   std::span<std::byte> content) const {
  const std::span<const std::byte> held =
      engines::tensor_content(instance.program(), tensor, instance.hbm_base(), *stack_);
  base::check(held.size() == content.size(), "a buffer has the size of its tensor");
  std::memcpy(content.data(), held.data(), held.size());
}

void Session::read(const Instance& instance, const isa::View& view, std::span<std::byte> content) {
  const isa::Tile tile = isa::tile_of(view);
  base::check(
      tile.space == isa::Space::hbm && static_cast<std::size_t>(tile.bytes()) == content.size(),
      "a buffer has the size of the HBM view it receives");
  state::Core core(engines::sizes_of(machine_.core), stack_);
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine_.core};
  isa::load_bits(tile, execution, 0, content.data());
}

Run Session::run(const Instance& instance, const Options& options) {
  const numerics::StandardFloatEnvironment standard;  // whatever the process around us has set
  state::Core core(engines::sizes_of(machine_.core), stack_);
  isa::Execution execution{.core = core,
                           .program = instance.program(),
                           .hbm_base = instance.hbm_base(),
                           .machine = machine_.core};
  if (options.timed) return run_timed(instance, execution, options);
  std::optional<engines::Checkers> checkers;
  if (options.checks) checkers.emplace(instance.program(), execution, options.keep_findings);
  engines::Interpreter interpreter(instance.program(), execution, checkers ? &*checkers : nullptr);
  interpreter.run(options.watch);
  Run run{.instructions = interpreter.executed()};
  if (checkers) run.findings = checkers->findings().list();
  return run;
}

Run Session::run_timed(const Instance& instance, isa::Execution& execution,
                       const Options& options) const {
  const isa::Program& program = instance.program();
  const std::vector<trace::Track> tracks = system::tracks(program, machine_);
  trace::Recorder recorder(tracks, {}, program.instructions.size(),
                           options.record ? trace::Detail::full : trace::Detail::summary);
  const system::RunResult result = system::run(program, machine_, execution,
                                               {.values = options.values,
                                                .recorder = &recorder,
                                                .checks = options.checks,
                                                .keep_findings = options.keep_findings,
                                                .watch = options.watch});

  trace::Metadata metadata;
  metadata.program = program.name;
  metadata.machine = machine_.name;
  metadata.version = version;
  metadata.machine_hash = machine_.hash();
  metadata.program_hash = program_hash(program);
  Run run{.instructions = static_cast<std::uint64_t>(result.activity.instructions),
          .findings = result.findings};
  std::optional<trace::TraceFile> file;
  if (options.record) {
    run.trace = trace::write_trace(recorder, report::labels_of(program), metadata);
    file = trace::TraceFile::parse(run.trace, "the recording");
  }
  const economics::Prices prices = economics::load_prices();
  run.report = report::make_report({.program = program,
                                    .machine = machine_,
                                    .summary = recorder.summary(),
                                    .tracks = tracks,
                                    .run = metadata,
                                    .trace = file ? &*file : nullptr,
                                    .prices = &prices});
  return run;
}

}  // namespace trainyard::session
