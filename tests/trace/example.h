// A small deterministic run for the tests of the trace folder: two engines and a queue over a few
// thousand instructions with random durations, waits and gaps.
#pragma once

#include <vector>

#include "base/random.h"
#include "trace/labels.h"
#include "trace/recorder.h"

namespace trainyard::trace {

inline constexpr TrackId tensor{0}, vector_engine{1}, dma{2};

struct Example {
  Recorder recorder;
  std::vector<std::vector<Interval>> rows;  // by track, as recorded
};

inline Example example_run(Detail detail, int rows_each, std::uint32_t instructions = 64,
                           std::uint64_t seed = 1) {
  Example run{Recorder({{"tensor", TrackKind::engine, 0},
                        {"vector", TrackKind::engine, 0},
                        {"dma0", TrackKind::dma_queue, 0}},
                       instructions, detail),
              std::vector<std::vector<Interval>>(3)};
  base::Random random(seed);
  base::Ticks end;
  for (std::uint32_t t = 0; t < 3; ++t) {
    base::Ticks now;
    for (int i = 0; i < rows_each; ++i) {
      Interval row;
      row.begin =
          now +
          base::Ticks{random.below(4) == 0 ? static_cast<std::int64_t>(random.below(1000)) : 0};
      row.end = row.begin + base::Ticks{static_cast<std::int64_t>(1 + random.below(5000))};
      row.reason = static_cast<Reason>(random.below(reason_count - 1));
      row.instruction = static_cast<std::uint32_t>(i) % instructions;
      row.iteration = static_cast<std::uint32_t>(i) / instructions;
      if (is_waiting(row.reason)) row.cause = TrackId{static_cast<std::uint32_t>(random.below(3))};
      if (random.below(50) == 0) row.instruction = no_instruction;
      run.recorder.interval(TrackId{t}, row.reason, row.begin, row.end, row.instruction,
                            row.iteration, row.cause);
      run.rows[t].push_back(row);
      now = row.end;
    }
    end = std::max(end, now);
  }
  run.recorder.finish(end + base::Ticks{123});
  return run;
}

// Labels of `instructions` instructions with a call stack, an unrolled and a rolled loop.
inline Labels example_labels(std::uint32_t instructions) {
  Labels labels;
  const std::uint32_t file = labels.add_string("kernel.py");
  const std::uint32_t outer =
      labels.add_frame({no_frame, labels.add_string("main.py"), 3, labels.add_string("main")});
  for (std::uint32_t i = 0; i < instructions; ++i) {
    const Loop loops[] = {{labels.add_string("tile"), 0, 128, 0},
                          {labels.add_string("k"), i / 4, 1, 1}};
    labels.add(
        {.mnemonic = labels.add_string(i % 2 == 0 ? "nc_matmul" : "tensor_copy"),
         .operands = labels.add_string("dst=psum[" + std::to_string(i) + "]"),
         .frame = labels.add_frame({outer, file, 10 + i % 4, labels.add_string("attention")}),
         .nest = labels.add_nest(loops)});
  }
  return labels;
}

}  // namespace trainyard::trace
