// The host's own limit for multiply-adds: fused ones on one core, as many at a time as it has, on
// numbers in registers. No matrix product gets beyond it, whatever its library.
#pragma once

#include <benchmark/benchmark.h>

namespace trainyard::benchmarks {

// G multiply-adds/s.
void host_peak(benchmark::State& state);

}  // namespace trainyard::benchmarks
