// Runs loaded programs: the cores of a device's grid, or devices that meet at collectives, together
// from start to end. Values only, with time, or time only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "checkers/finding.h"
#include "engines/watch.h"
#include "runtime/program.h"
#include "system/run.h"
#include "trace/recorder.h"

namespace trainyard::runtime {

struct RunOptions {
  bool timed = false;  // simulate time too
  bool values = true;  // compute; without it only time passes
  // Without values: a loop whose turns depend on what nobody filled in runs once, a branch is not
  // taken; else they are the Fault "time.data".
  bool unknown_once = false;
  bool checks = true;   // of a run with values; see checkers and lint
  bool record = false;  // keep the full trace of a timed run
  // Of stochastic rounding in this run, instead of the machine's.
  std::optional<std::uint32_t> rounding_seed{};
  checkers::FindingPolicy findings{};
  engines::Watch watch{};  // is told how far the run is; may end it by throwing
  // Of timed runs on several chips: the system that they are part of, and what fails in it
  // (system/faults.h).
  std::shared_ptr<const machine::System> system{};
  std::vector<std::string> faults{};
  bool folds_alike = true;  // of chips that do the same, or equal programs of a model, one is timed
  // What else somebody needs to know to repeat the run, for its report: (key, value).
  std::vector<std::pair<std::string, std::string>> about{};
};

// What a timed run of one core tells besides.
struct TimedRun {
  system::RunResult result;
  std::shared_ptr<const trace::Recorder> recorder;  // finished; of the core that it ran as
};

struct Result {
  std::uint64_t instructions = 0;  // executed
  std::vector<checkers::Finding> findings{};
  std::optional<TimedRun> timing{};                   // of a timed run
  std::shared_ptr<const system::LinkRecord> links{};  // of a timed run on a system
};

// The programs start together, each on a fresh physical core. Those of one device are the instances
// of its grid: they share its HBM and meet at core_barrier and sendrecv; devices meet at
// collectives. Results in the order of the programs. Throws InputError ("run.binding",
// "system.cores", "grid.conflict" when one core reads what another writes and no barrier is in
// between) and Fault; buffers and programs stay usable.
[[nodiscard]] std::vector<Result> run(std::span<const ProgramRef> programs,
                                      const RunOptions& options);

}  // namespace trainyard::runtime
