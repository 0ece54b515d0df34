// One place where compiling and running meet: a machine with memory for each of its ranks, programs
// loaded into it, and runs of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "engines/checkers/finding.h"
#include "engines/checkers/sharing.h"
#include "engines/watch.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/float32_shadow.h"
#include "isa/views/view.h"
#include "machine/machine.h"
#include "report/report.h"
#include "session/ordering.h"
#include "state/core.h"
#include "system/run.h"

namespace trainyard::session {

struct Options {
  bool timed = false;   // simulate time too
  bool values = true;   // compute; without it only time passes
  bool checks = true;   // of a run with values; see engines/checkers and lint
  bool record = false;  // keep the full trace
  engines::FindingPolicy findings{};
  engines::Watch watch{};  // is told how far the run is; may end it by throwing
  // What else somebody needs to know to repeat the run, for its report: (key, value).
  std::vector<std::pair<std::string, std::string>> about{};
};

// A compiled program with its tensors placed in the session's stack.
class Instance {
 public:
  Instance(Ordered ordered, std::vector<std::int64_t> hbm_base, std::int32_t rank,
           std::string_view schedule)
      : ordered_(std::move(ordered)),
        hbm_base_(std::move(hbm_base)),
        rank_(rank),
        schedule_(schedule) {}

  [[nodiscard]] const isa::Program& program() const { return ordered_.program; }
  [[nodiscard]] std::span<const std::int64_t> hbm_base() const { return hbm_base_; }
  // The logical core that it runs on.
  [[nodiscard]] std::int32_t rank() const { return rank_; }
  // The name of the schedule that was asked for, and what became of it.
  [[nodiscard]] std::string_view schedule() const { return schedule_; }
  [[nodiscard]] const Ordered& ordered() const { return ordered_; }

 private:
  Ordered ordered_;
  std::vector<std::int64_t> hbm_base_;
  std::int32_t rank_ = 0;
  std::string_view schedule_;
};

// What one run of an instance tells.
struct Run {
  std::uint64_t instructions = 0;              // executed
  std::vector<engines::Finding> findings{};    // of the checks
  std::optional<report::Report> report{};      // of a timed run
  std::string trace{};                         // the bytes of a .tytrace file, of a recorded run
  std::shared_ptr<const Instance> instance{};  // what ran
};

// The report of a timed run with the hash of its program. A large program takes longer to hash than
// to simulate, so a run that is not recorded leaves it out until somebody reads the whole report.
[[nodiscard]] const report::Report& whole_report(Run& run);

class Session {
 public:
  explicit Session(machine::Machine machine);

  [[nodiscard]] const machine::Machine& machine() const { return machine_; }

  // Compiles the kernel and places its HBM tensors in the memory of a rank. The instances of one
  // grid are loaded one after the other: their shared tensors, matched by order, are the same
  // memory. Throws InputError.
  [[nodiscard]] std::shared_ptr<Instance> load(isa::Program kernel,
                                               const compiler::Options& options = {},
                                               std::int32_t rank = 0);

  // Row-major content of an HBM tensor, in and out.
  void write(const Instance& instance, isa::TensorId tensor, std::span<const std::byte> content);
  void read(const Instance& instance, isa::TensorId tensor, std::span<std::byte> content) const;
  // The elements of a view of an HBM tensor in row-major order of the view.
  void read(const Instance& instance, const isa::View& view, std::span<std::byte> content);

  // Runs the instances of one grid for each rank, each on a fresh core; they start together. Those
  // of a grid share the HBM of their rank and meet at core_barrier and sendrecv, ranks meet at
  // collectives. Throws InputError "grid.conflict" when one reads what
  // another writes and no barrier is in between, and Fault; the session stays usable. Results in
  // the order of the instances.
  [[nodiscard]] std::vector<Run> run(std::span<const std::shared_ptr<Instance>> instances,
                                     const Options& options);

 private:
  struct Loaded;
  void check_whole(std::span<const std::shared_ptr<Instance>> instances,
                   const std::map<std::size_t, engines::SharingCheck>& sharing,
                   const Options& options, std::vector<Run>& runs) const;
  [[nodiscard]] std::vector<Run> run_timed(std::span<const std::unique_ptr<Loaded>> cores,
                                           const Options& options) const;
  struct Share;
  [[nodiscard]] static std::vector<Share> shares_of(std::span<const system::CoreJob> jobs,
                                                    std::span<const trace::Recorder> recorders,
                                                    const machine::Core& core);
  [[nodiscard]] trace::Metadata metadata_of(const Instance& instance, const Share& share,
                                            const Options& options) const;
  [[nodiscard]] Run describe(const Instance& instance, const trace::Recorder& recorder,
                             const system::RunResult& result, const Share& share,
                             const Options& options) const;

  // The grid's shared tensors in order of creation, as the first instance made them.
  struct Shared {
    isa::Tensor tensor;
    std::int64_t address = 0;
  };
  struct Memory {
    std::shared_ptr<state::Hbm> stack;
    isa::Float32Shadow::Stacks float32;  // the values beside it, where the machine keeps them
    std::vector<Shared> shared;
  };
  [[nodiscard]] Memory& memory_of(std::int32_t rank);
  [[nodiscard]] state::Hbm& stack_of(const Instance& instance) const {
    return *memories_.at(instance.rank()).stack;
  }

  machine::Machine machine_;
  std::map<std::int32_t, Memory> memories_;  // by rank
};

}  // namespace trainyard::session
