// A tensor program (StableHLO) compiled for a machine and run on it: what jax.jit hands over. The
// programs it is lowered to run on one simulated core, or on the two of a logical core; routines
// and the control between them are counted beside.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/lowering/emit/lowered.h"
#include "graph/module.h"
#include "graph/precision.h"
#include "machine/machine.h"
#include "session/arguments.h"
#include "session/array.h"
#include "session/model_compiler.h"
#include "session/placing.h"
#include "session/session.h"
#include "session/slots.h"

namespace trainyard::session {

// Computes what no instruction does: graph::evaluate.
using Evaluate = std::function<std::vector<graph::Literal>(const graph::Module&,
                                                           std::span<const graph::Literal>)>;

// The runs of one of a model's programs: one in a loop runs at each turn.
struct ProgramRun {
  std::shared_ptr<Instance> instance;
  Run first;  // of the slower core, with the findings of all runs
  std::int64_t count = 0;
  base::Ticks time{};  // of all runs
};

struct ModelRun {
  std::vector<ArrayRef> outputs;     // in the order of main's results; empty without values
  std::vector<ProgramRun> programs;  // in the order of their first run
  std::int64_t folded = 0;           // runs whose time was that of an earlier one
  // Of a timed run:
  base::Ticks time{};      // of everything, one after the other
  base::Ticks routines{};  // of it, routines of GpSimd
  economics::Estimate<economics::Joules> energy{};
};

// What a run takes, as far as that is known without values.
struct ModelEstimate {
  base::Ticks time{};
  economics::Estimate<economics::Joules> energy{};
  // In the program, loops whose turns and branches whose choice depend on values.
  std::int64_t counted_once = 0;
};

// One operation that runs as a routine, and how often it stands in the program.
struct RoutineUse {
  graph::OpKind kind{};
  std::string place;  // where it first stands in the author's source
  std::int64_t count = 0;
};

class Model {
 public:
  // `cores`: one, or both of a logical core. Throws InputError "model.cores", and as the passes,
  // compiler::lower and compiler::compile do. `kept`: what another process compiled of this module,
  // or null.
  Model(machine::Machine machine, graph::Module module, Evaluate evaluate,
        const compiler::Options& options = {.order = compiler::Order::list},
        const graph::Precision& precision = {}, int cores = 1,
        const std::shared_ptr<const CompiledCode>& kept = {});
  // For devices whose memory it shares with others.
  Model(std::shared_ptr<runtime::Devices> devices, graph::Module module, Evaluate evaluate,
        const compiler::Options& options = {.order = compiler::Order::list},
        const graph::Precision& precision = {}, int cores = 1,
        const std::shared_ptr<const CompiledCode>& kept = {});
  ~Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;

  // What it means: behind the passes that are not the machine's.
  [[nodiscard]] const graph::Module& module() const { return module_; }
  // Of each class of tensors that has a format by `precision`, what it has in the program.
  [[nodiscard]] const std::vector<graph::ClassUse>& class_uses() const { return class_uses_; }
  // What was lowered: behind all of them; for each of both cores where each has half of the batch.
  [[nodiscard]] const graph::Module& lowered_module() const { return lowered_module_; }
  // The name of the schedule that its programs were asked for.
  [[nodiscard]] std::string_view schedule() const { return schedule_; }
  // What they did, and those of its programs.
  [[nodiscard]] const compiler::PassLog& passes() const { return passes_; }
  [[nodiscard]] const machine::Machine& machine() const { return session_.machine(); }
  [[nodiscard]] std::vector<RoutineUse> routines() const;
  // How many weights are made before the first run, which takes none of its time.
  [[nodiscard]] std::int64_t prepared() const;
  [[nodiscard]] std::vector<std::shared_ptr<Instance>> programs() const;
  [[nodiscard]] std::int64_t instructions() const;  // of all programs
  // Of the larger core, what runs once: loops unrolled, but those that depend on data.
  [[nodiscard]] std::int64_t unrolled_instructions() const;
  // Of each program, in that order.
  [[nodiscard]] std::vector<std::vector<compiler::FusionGroup>> groups() const;
  // Of HBM at most, besides arguments and results: what later steps read, and what a program keeps
  // in HBM while it runs.
  [[nodiscard]] std::int64_t temporary_bytes() const { return temporary_bytes_; }
  // At most, of SBUF, for what stays on chip between operations.
  [[nodiscard]] std::int64_t resident_percent() const { return resident_percent_; }
  // What it takes with so many percent of SBUF for what stays on chip between operations, where the
  // compiler has timed that; as it is first.
  [[nodiscard]] const std::vector<std::pair<std::int64_t, base::Ticks>>& shares() const {
    return shares_;
  }
  // One, or two if something in it is divided between both.
  [[nodiscard]] std::size_t cores_in_use() const;
  [[nodiscard]] bool is_in_halves() const { return in_halves_; }
  // Whether its time depends on its inputs: it has loops or branches that read values.
  [[nodiscard]] bool has_control_flow() const;

  // What another process need not compile again.
  [[nodiscard]] CompiledCode code() const;

  // Runs main on arrays of its arguments' types, where they are: they move to the device that has
  // not got them yet. Throws InputError "model.input".
  // Without values it throws InputError "model.control" where a loop or a branch reads some.
  [[nodiscard]] ModelRun run(Arguments arguments, const Options& options);
  // Of a run without values, in which each loop and each side of a branch that depends on values
  // runs once.
  [[nodiscard]] ModelEstimate estimate();

 private:
  struct Loaded;  // what a step became in the session
  struct Running;
  struct Prepared {
    std::vector<ArrayRef> operands, results;
  };
  void load(CompiledModel compiled, const compiler::Options& options);
  void require_memory() const;  // of the host, for a run with values
  [[nodiscard]] std::int64_t most_held() const;
  [[nodiscard]] std::int64_t outside_bytes() const;  // of arguments and results
  void run_block(const compiler::Block& block, Running& running);
  void run_step(const compiler::Step& step, Running& running);
  void run_program(const compiler::ProgramStep& step, Running& running);
  // Where its arguments and results lie in this run; what the results will be.
  [[nodiscard]] std::vector<runtime::Binding> bind(
      const compiler::ProgramStep& step, Running& running,
      std::vector<std::pair<compiler::SlotId, ArrayRef>>& results) const;
  // Of a body that has been timed before, with other tensors or in another turn, the time is known.
  // `placed`: the instances of the step where they run.
  [[nodiscard]] std::vector<Run> run_once(const Loaded& loaded, const GridInstances& placed,
                                          Running& running);
  [[nodiscard]] std::vector<Run> run_unknown_once(const Loaded& loaded, Running& running);
  [[nodiscard]] std::vector<Run> simulate(const Loaded& loaded, const GridInstances& placed,
                                          const Options& options);
  static void count(const compiler::ProgramStep& step, const std::shared_ptr<Instance>& instance,
                    std::vector<Run> runs, Running& running);
  void run_routine(const compiler::RoutineStep& step, Running& running);
  // Again only where it has other operands than before.
  void prepare(const compiler::RoutineStep& step, Running& running);
  // `ended`: slots that nobody reads behind its beginning.
  void run_loop(const compiler::LoopStep& step, std::span<const compiler::SlotId> ended,
                Running& running);
  void count_turns(const compiler::LoopStep& step, Running& running);
  void run_branch(const compiler::BranchStep& step, Running& running);
  void check_inputs(std::span<const ArrayRef> inputs) const;

  graph::Module module_, lowered_module_;
  std::vector<graph::ClassUse> class_uses_;
  compiler::PassLog passes_;
  Session session_;
  Evaluate evaluate_;
  int cores_;
  bool in_halves_ = false;  // each of both cores has half of the batch
  std::string_view schedule_;
  std::int64_t resident_percent_ = 0, temporary_bytes_ = 0;
  std::vector<std::pair<std::int64_t, base::Ticks>> shares_;
  compiler::Lowered lowered_;
  std::map<const compiler::Step*, SlotEnds> ends_;
  std::vector<ArrayRef> constants_;  // in the order of lowered_'s
  std::vector<Loaded> loaded_;
  std::map<const compiler::RoutineStep*, Prepared> prepared_;
};

}  // namespace trainyard::session
