// The answers about one run: where the time of every engine and queue went, what bounds it, how far
// it is from the speed of light, what it moved and computed, and which figures of the machine
// nobody has published. Plain data, made from the program, the machine and the trace; text.h and
// json.h print it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "economics/cost.h"
#include "economics/energy.h"
#include "isa/core/program.h"
#include "machine/machine.h"
#include "machine/schema.h"
#include "report/critical_path.h"
#include "report/sensitivity.h"
#include "report/work.h"
#include "trace/directory.h"
#include "trace/summary.h"

namespace trainyard::report {

// A part of the run's length.
struct Part {
  std::string name;
  base::Ticks ticks;
  double share = 0;  // of the whole that it is a part of
};

// How one track spent the run.
struct TrackUsage {
  std::string name;
  trace::TrackKind kind = trace::TrackKind::engine;
  std::uint32_t core = 0;
  trace::ReasonTotals totals;   // adds up to the run
  std::vector<Part> waits_for;  // the tracks that ended its waits, longest first; shares of the run
  [[nodiscard]] double share(trace::Reason reason) const;
};

// What holds the run back: the unit that is busiest, or, when none is busy for half of the run,
// latency.
struct Bound {
  std::string name;  // "tensor", "dma", "hbm", "latency"
  double busy = 0;   // the share of the run that the busiest unit worked
  std::string busiest;
  std::string why;  // one sentence
};

// A part of the work at its full rate, or what a unit needs for its instructions.
struct Limit {
  std::string name;
  base::Ticks ticks_min;
  double share = 0;  // of the run's length
};

struct Throughput {
  std::string format;
  std::int64_t macs = 0;
  double teraflops = 0;       // over the whole run
  double teraflops_peak = 0;  // of the format
  double share = 0;
};

struct Traffic {
  std::string memory;
  BytesMoved bytes;
  double gigabytes_per_second = 0;
  std::optional<double> gigabytes_per_second_peak;  // absent where the machine file has none
};

// Where the run stands between the memory's and the arithmetic's limit.
struct Roofline {
  double intensity = 0;             // FLOP per HBM byte
  double ridge = 0;                 // the intensity from which arithmetic is the limit
  double teraflops = 0;             // achieved
  double teraflops_peak = 0;        // of the mix of formats used
  double teraflops_attainable = 0;  // at this intensity
};

// Engine time of one line of the user's source, or of one mnemonic.
struct Line {
  std::string place;    // "attention.py:41", a mnemonic, or "" where the source is not known
  std::string library;  // "flax/linen/linear.py:287": what of a library the line calls, if anything
  std::string function;
  std::string mnemonics;  // on that line, most time first
  std::int64_t executions = 0;
  trace::ReasonTotals engine;                            // of all engines together; no idle time
  std::array<base::Ticks, isa::engine_count> busy_on{};  // of it, what each engine worked
  trace::ReasonTotals service;  // of queues, DMA engines, memories and links on its behalf
  // By how much the most pressing of its instructions could have ended later (slack.h); needs the
  // full trace.
  std::optional<base::Ticks> slack{};
};

// A collective of the program: what its ranks do and by which algorithm (fabric/collective_plan.h).
struct Collective {
  std::string place;  // "attention.py:41"
  std::string mnemonic, algorithm;
  std::int64_t ranks = 0, bytes = 0, steps = 0;  // bytes: the larger of what a rank gives and gets
  std::int64_t executions = 0;
};

// What a run costs when chips are rented on one basis ("on_demand"), by the share of the chip that
// it used.
struct Cost {
  std::string basis;
  economics::Estimate<economics::Dollars> dollars;
};

// A figure that nobody has published.
struct Assumption {
  std::string key, value, unit, kind, source;
  machine::Effect effect;
  std::string low, high;  // the range where one is known
};

// Something that an author can do, and what the run then takes.
struct NextStep {
  std::string text;
  base::Ticks time;
  // The time without a cost that the author can lower: the gain is at most that. Else the kernel
  // was changed as the text says, and this is its time.
  bool is_limit = false;
  // Of a changed kernel: the schedule by which it takes that time, "author" where that runs as
  // written, and else what it takes as written where both were simulated.
  std::string order{};
  std::optional<base::Ticks> as_written{};
};

struct Report {
  trace::Metadata run;
  std::string machine_title;
  base::Ticks duration;
  // What it takes in its author's order, where the compiler was free to choose another.
  std::optional<base::Ticks> as_written{};
  std::vector<TrackUsage> tracks;
  Bound bound;
  // What follows from the work, longest first: no kernel that does it is shorter than the longest.
  std::vector<Limit> limits;
  std::vector<Limit> units;  // what each unit needs for this kernel's instructions, never waiting
  Work work;
  std::vector<Throughput> throughput;  // of the formats used
  std::vector<Traffic> traffic;
  Roofline roofline;
  economics::EnergyReport energy;
  std::vector<Cost> costs;  // empty without a price list
  std::optional<economics::Estimate<economics::Dollars>> electricity{};  // likewise
  std::vector<Line> lines;                                               // most engine time first
  std::vector<Line> operations;           // likewise, of the model; empty for a kernel
  std::vector<Line> mnemonics;            // likewise
  std::vector<Collective> collectives{};  // in the program's order
  std::optional<CriticalPath> critical_path;
  std::vector<Assumption> assumptions;
  std::optional<TimeBracket> interval{};  // of the time; where somebody asked
  std::vector<WhatIf> what_ifs{};         // likewise, shortest time first
  std::vector<NextStep> next_steps{};     // what makes the run shorter, most first; where simulated
  std::string try_next{};                 // the first of them in words
  std::string no_answer{};                // why there is no interval although somebody asked

  // The run's length at the speed of light, and the share of it that was reached.
  [[nodiscard]] base::Ticks ticks_min() const;
  [[nodiscard]] double speed_of_light() const;
};

// What a report is made from.
struct Inputs {
  const isa::Program& program;
  std::int32_t rank = 0;  // that ran it
  const machine::Machine& machine;
  const trace::Summary& summary;  // of a finished run of the program on the machine
  const Work& work;               // of it, by work_of
  std::span<const trace::Track> tracks;
  const trace::Metadata& run;
  // A full recording, for the critical path and slacks, which are left out without one.
  const trace::Recorder* recording = nullptr;
  const economics::Prices* prices = nullptr;  // for dollars, likewise
  // Of a rank of several cores, which share an HBM stack: how many, what the others did, and how
  // long the stack was at work for all of them. Energy, rent and the use of HBM count them in.
  std::int64_t cores = 1;
  economics::Activity others{};
  base::Ticks stack_busy{0};
  std::int64_t others_hbm_least = 0;  // of their bytes, those that any kernel moves
};

[[nodiscard]] Report make_report(const Inputs& inputs);

}  // namespace trainyard::report
