#include "host_peak.h"

#include <cstddef>

#include "rate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host_peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace trainyard::benchmarks::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// Enough chains of dependent operations to hide the latency of each.
constexpr std::size_t chains = 12;

// Multiply-adds done: lanes of `rounds` times `chains` instructions.
std::size_t MultiplyAdd(std::size_t rounds, float* result) {
  const Floats d;
  const auto factor = hn::Set(d, *result), term = hn::Set(d, 1e-3F);
  // They begin apart: equal chains would be made one by the compiler.
  const auto start = [&](float at) { return hn::Set(d, at + *result); };
  hn::Vec<Floats> s0 = start(0), s1 = start(1), s2 = start(2), s3 = start(3), s4 = start(4),
                  s5 = start(5), s6 = start(6), s7 = start(7), s8 = start(8), s9 = start(9),
                  s10 = start(10), s11 = start(11);
  for (std::size_t r = 0; r < rounds; ++r) {
    s0 = hn::MulAdd(s0, factor, term);
    s1 = hn::MulAdd(s1, factor, term);
    s2 = hn::MulAdd(s2, factor, term);
    s3 = hn::MulAdd(s3, factor, term);
    s4 = hn::MulAdd(s4, factor, term);
    s5 = hn::MulAdd(s5, factor, term);
    s6 = hn::MulAdd(s6, factor, term);
    s7 = hn::MulAdd(s7, factor, term);
    s8 = hn::MulAdd(s8, factor, term);
    s9 = hn::MulAdd(s9, factor, term);
    s10 = hn::MulAdd(s10, factor, term);
    s11 = hn::MulAdd(s11, factor, term);
  }
  const auto sum =
      hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), hn::Add(s6, s7)));
  *result =
      hn::GetLane(hn::SumOfLanes(d, hn::Add(sum, hn::Add(hn::Add(s8, s9), hn::Add(s10, s11)))));
  return rounds * chains * hn::Lanes(d);
}

}  // namespace trainyard::benchmarks::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::benchmarks {

HWY_EXPORT(MultiplyAdd);

void host_peak(benchmark::State& state) {
  float result = 0.5F;
  std::size_t done = 0;
  for (auto _ : state) {
    done = HWY_DYNAMIC_DISPATCH(MultiplyAdd)(100'000, &result);
    result = 0.5F + 0 * result;  // the next one takes numbers like these
    benchmark::DoNotOptimize(result);
  }
  report_rate(state, static_cast<double>(done), 1e9, "G multiply-adds/s");
}

}  // namespace trainyard::benchmarks
#endif
