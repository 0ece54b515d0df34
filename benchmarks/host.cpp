// The peaks of the core that runs the benchmarks: fused multiply-adds a second, and bytes a second
// loaded and stored, by the level of memory they lie in. Other limits are judged by these.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "host_peak.h"
#include "rate.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host.cpp"
#include <hwy/aligned_allocator.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace trainyard::benchmarks::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::ScalableTag<float>;

// `count` is a multiple of four vectors.
float Load(const float* from, std::size_t count) {
  const Floats d;
  const std::size_t n = hn::Lanes(d);
  hn::Vec<Floats> s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (std::size_t i = 0; i < count; i += 4 * n) {
    s0 = hn::Max(s0, hn::Load(d, from + i));
    s1 = hn::Max(s1, hn::Load(d, from + i + n));
    s2 = hn::Max(s2, hn::Load(d, from + i + 2 * n));
    s3 = hn::Max(s3, hn::Load(d, from + i + 3 * n));
  }
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(s0, s1), hn::Max(s2, s3))));
}

void Store(float* to, std::size_t count, float value) {
  const Floats d;
  const std::size_t n = hn::Lanes(d);
  const auto content = hn::Set(d, value);
  for (std::size_t i = 0; i < count; i += 4 * n) {
    hn::Store(content, d, to + i);
    hn::Store(content, d, to + i + n);
    hn::Store(content, d, to + i + 2 * n);
    hn::Store(content, d, to + i + 3 * n);
  }
}

}  // namespace trainyard::benchmarks::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::benchmarks {

HWY_EXPORT(Load);
HWY_EXPORT(Store);

namespace {

using Content = hwy::AlignedFreeUniquePtr<float[]>;

Content filled(std::size_t count) {
  Content content = hwy::AllocateAligned<float>(count);
  for (std::size_t i = 0; i < count; ++i) content[i] = 1;
  return content;
}

void loads(benchmark::State& state, std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float);
  const Content content = filled(count);
  for (auto _ : state) {
    float most = HWY_DYNAMIC_DISPATCH(Load)(content.get(), count);
    benchmark::DoNotOptimize(most);
  }
  report_rate(state, static_cast<double>(bytes), 1e9, "GB/s");
}

void stores(benchmark::State& state, std::size_t bytes) {
  const std::size_t count = bytes / sizeof(float);
  const Content content = filled(count);
  for (auto _ : state) {
    HWY_DYNAMIC_DISPATCH(Store)(content.get(), count, 2);
    benchmark::ClobberMemory();
  }
  report_rate(state, static_cast<double>(bytes), 1e9, "GB/s");
}

// Sizes that lie well inside a level on all hosts of the last ten years.
constexpr std::array<std::pair<const char*, std::size_t>, 4> levels{{
    {"16 KiB, level 1", 16 << 10},
    {"192 KiB, level 2", 192 << 10},
    {"4 MiB, level 3", 4 << 20},
    {"256 MiB, memory", 256 << 20},
}};

const bool registered = [] {
  benchmark::RegisterBenchmark("host: peak of fused multiply-adds", host_peak);
  for (const auto& [name, bytes] : levels) {
    benchmark::RegisterBenchmark((std::string("host: loads of ") + name).c_str(), loads, bytes);
    benchmark::RegisterBenchmark((std::string("host: stores to ") + name).c_str(), stores, bytes);
  }
  return true;
}();

}  // namespace
}  // namespace trainyard::benchmarks
#endif
