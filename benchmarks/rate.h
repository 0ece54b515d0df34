// How a benchmark tells benchmarks/run.py its result: a rate in a named unit, and optionally the
// host's own limit, which is a second benchmark of the same name plus " | host limit", or
// " | host peak" where it is the core's peak of multiply-adds, measured in the same run.
#pragma once

#include <benchmark/benchmark.h>

namespace trainyard::benchmarks {

// Reports `per_iteration` x iterations / second, divided by `scale` (1e9 for "G..."), as the
// result.
inline void report_rate(benchmark::State& state, double per_iteration, double scale,
                        const char* unit) {
  state.counters["rate"] =
      benchmark::Counter(per_iteration / scale, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(unit);
}

}  // namespace trainyard::benchmarks
