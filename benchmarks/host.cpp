// The peaks of the core that runs the benchmarks: fused multiply-adds a second, and bytes a second
// loaded and stored, by the level of memory they lie in. Other limits are judged by these.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <string>
#include <utility>

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

HWY_EXPORT(MultiplyAdd);
HWY_EXPORT(Load);
HWY_EXPORT(Store);

namespace {

void multiply_adds(benchmark::State& state) {
  float result = 0.5F;
  std::size_t done = 0;
  for (auto _ : state) {
    done = HWY_DYNAMIC_DISPATCH(MultiplyAdd)(100'000, &result);
    result = 0.5F + 0 * result;  // the next one takes numbers like these
    benchmark::DoNotOptimize(result);
  }
  report_rate(state, static_cast<double>(done), 1e9, "G multiply-adds/s");
}

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
  benchmark::RegisterBenchmark("host: peak of fused multiply-adds", multiply_adds);
  for (const auto& [name, bytes] : levels) {
    benchmark::RegisterBenchmark((std::string("host: loads of ") + name).c_str(), loads, bytes);
    benchmark::RegisterBenchmark((std::string("host: stores to ") + name).c_str(), stores, bytes);
  }
  return true;
}();

}  // namespace
}  // namespace trainyard::benchmarks
#endif
