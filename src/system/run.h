// Runs a compiled program on one core with its DMA engines and HBM stack: the call that sessions
// and benchmarks use. It joins what the engines and the memory side know, and sums up what
// happened.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engines/watch.h"
#include "fabric/select.h"
#include "isa/core/program.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/meeting.h"
#include "isa/semantics/observer.h"
#include "machine/machine.h"
#include "machine/topology.h"
#include "trace/recorder.h"

namespace trainyard::system {

// A link between chips, or one of several that carried the same.
struct LinkUse {
  std::string name;
  std::uint64_t alike = 1;  // links, this one among them
  double bytes = 0;
  double share = 0;         // of what it could carry in the run
  std::vector<double> use;  // the same of equal parts of the run
};

// Collectives between chips that are alike.
struct CrossCollective {
  isa::CollectiveKind kind = isa::CollectiveKind::reduce;
  std::int64_t bytes = 0, ranks = 0;
  std::string algorithm;
  std::int64_t steps = 0;
  std::uint64_t times = 0;  // by each group
  std::uint64_t groups = 1;
  std::vector<fabric::Candidate> candidates;  // with their times alone on the network
};

// What a run of several chips did between them.
struct LinkRecord {
  base::Ticks end;
  std::int64_t chips = 0, chips_run = 0;  // of the chips, those that did not stand for another one
  std::uint64_t transfers = 0;
  std::vector<CrossCollective> collectives;
  std::vector<LinkUse> links;       // busiest first
  std::int64_t left_out = 0;        // links that carried something and are not in the list
  bool is_cut = false;              // `use` leaves out the transfers after the first half a million
  std::vector<std::string> faults;  // that happened and were survived
};

struct RunOptions {
  bool values = true;         // apply the instructions; the time does not depend on it
  bool unknown_once = false;  // without values: loops and branches that read memory run once
  trace::Recorder* recorder =
      nullptr;                        // made with tracks(program, machine); see CoreJob for several
  isa::Observer* observer = nullptr;  // with values only; see CoreJob for several
  bool folds_loops = true;            // turns that are alike run once; see loop_folder.h
  engines::Watch watch{};             // may end the run by throwing
  // The system that the chip is part of, for ranks of several chips; null: the chip alone.
  const machine::System* system = nullptr;
  std::span<const std::string> faults{};  // of a system; see faults.h
  bool folds_chips = true;  // without values, one of several chips that do the same stands for all
  LinkRecord* links = nullptr;  // where to tell what went between chips
  // Of the host, without values: at most one for each chip that runs.
  std::size_t threads_max = std::numeric_limits<std::size_t>::max();
};

// What the instructions did, counted over the whole run.
struct ActivityTotals {
  std::map<numerics::DType, std::int64_t> macs;  // by format of the multipliers
  std::array<std::int64_t, isa::engine_count> elements{};
  std::int64_t sbuf_bytes = 0, psum_bytes = 0, hbm_read_bytes = 0, hbm_written_bytes = 0;
  std::int64_t dma_bytes = 0;
  std::int64_t instructions = 0, transfers = 0;

  friend bool operator==(const ActivityTotals&, const ActivityTotals&) = default;
};

struct EngineSummary {
  trace::ReasonTotals reasons;  // they add up to the length of the run
  std::int64_t instructions = 0;
};

struct RunResult {
  base::Ticks time;
  std::array<EngineSummary, isa::engine_count> engines;
  base::Ticks dma_active;       // any DMA engine moved data
  base::Ticks dma_engine_busy;  // added over the DMA engines
  base::Ticks hbm_busy;
  base::Ticks throttled;  // the tensor engine's clock was limited
  ActivityTotals activity;
  std::uint64_t events = 0;
  std::int64_t turns_folded = 0;  // of hardware loops, which stand for others that were run
  std::size_t ran_as = 0;         // the job whose run this is; another one where that stands for it
};

// The tracks of a run: five engines, the DMA rings the program uses, the DMA engines, the HBM
// stack.
[[nodiscard]] std::vector<trace::Track> tracks(const isa::Program& program,
                                               const machine::Machine& machine);

// What one of several cores runs.
struct CoreJob {
  const isa::Program& program;
  isa::Execution& execution;
  trace::Recorder* recorder = nullptr;  // made with tracks(program, machine)
  isa::Observer* observer = nullptr;    // with values only
  // The logical core that it belongs to.
  [[nodiscard]] std::int32_t rank() const { return execution.rank; }
};

// Which rank each job belongs to, and its place among the rank's jobs.
[[nodiscard]] isa::Seats seats_of(std::span<const std::int32_t> ranks);

// Throws InputError "system.cores" for a rank of more cores than an HBM stack has.
void check_ranks(const isa::Seats& seats, const machine::Chip& chip);

// Cores that start together: those of a rank on one HBM stack, the ranks on one chip, or on as many
// chips of a system as they fill. Results in the order of the jobs. Options' recorder and observer
// are not used. Throws InputError "system.cores" for more cores than a stack has, or than the chip
// has where no system is named, "system.ranks", "fabric.fault", and Fault.
[[nodiscard]] std::vector<RunResult> run_together(std::span<const CoreJob> jobs,
                                                  const machine::Machine& machine,
                                                  const RunOptions& options = {});

// Throws Fault (deadlock, out_of_bounds, ...). The program must be compiled for the machine.
[[nodiscard]] RunResult run(const isa::Program& program, const machine::Machine& machine,
                            isa::Execution& execution, const RunOptions& options = {});
// Time only, without any memory content. Programs whose control flow depends on data need run()
// with values.
[[nodiscard]] RunResult time(const isa::Program& program, const machine::Machine& machine,
                             trace::Recorder* recorder = nullptr, engines::Watch watch = {});

}  // namespace trainyard::system
