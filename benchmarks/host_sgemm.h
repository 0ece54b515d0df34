// The host's own limit for matrix products: OpenBLAS's SGEMM on one thread, measured in the same
// run.
#pragma once

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <vector>

#include "rate.h"

namespace trainyard::benchmarks {

// 1024 x 1024 x 1024; G multiply-adds/s.
inline void host_sgemm(benchmark::State& state) {
  openblas_set_num_threads(1);
  constexpr blasint n = 1024;
  std::vector<float> a(n * n, 0.5F), b(n * n, 0.25F), c(n * n);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a.data(), n, b.data(), n, 0,
                c.data(), n);
    benchmark::DoNotOptimize(c.data());
  }
  report_rate(state, 1.0 * n * n * n, 1e9, "G multiply-adds/s");
}

}  // namespace trainyard::benchmarks
