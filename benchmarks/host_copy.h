// The host's own limit for what moves bytes: its copy, measured in the same run.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "rate.h"

namespace trainyard::benchmarks {

// Reads half of `bytes` and writes as many; GB/s.
inline void host_copy(benchmark::State& state, std::size_t bytes) {
  std::vector<std::byte> from(bytes / 2, std::byte{1}), to(bytes / 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, static_cast<double>(bytes), 1e9, "GB/s");
}

}  // namespace trainyard::benchmarks
