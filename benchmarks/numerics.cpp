// How fast are conversions, next to the host's own copy of the same number of bytes?
#include <cstring>
#include <vector>

#include "numerics/convert.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

// Half a level-two cache: the hot loops of the simulator work on tiles of this size.
constexpr std::size_t elements = 1 << 17;

std::vector<float> values() {
  std::vector<float> result(elements);
  for (std::size_t i = 0; i < elements; ++i)
    result[i] = static_cast<float>(i % 4093) * 0.03125F - 60.0F;
  return result;
}

void narrow(benchmark::State& state, numerics::DType dtype) {
  const std::vector<float> source = values();
  std::vector<std::byte> destination(elements * sizeof(float));
  for (auto _ : state) {
    numerics::narrow(dtype, source.data(), destination.data(), elements);
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

void widen(benchmark::State& state, numerics::DType dtype) {
  const std::vector<float> source = values();
  std::vector<std::byte> packed(elements * sizeof(float));
  numerics::narrow(dtype, source.data(), packed.data(), elements);
  std::vector<float> destination(elements);
  for (auto _ : state) {
    numerics::widen(dtype, packed.data(), destination.data(), elements);
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

// What the host can do at best: read four bytes and write four bytes an element.
void copy(benchmark::State& state) {
  const std::vector<float> source = values();
  std::vector<float> destination(elements);
  for (auto _ : state) {
    std::memcpy(destination.data(), source.data(), elements * sizeof(float));
    benchmark::DoNotOptimize(destination.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, elements, 1e9, "G elements/s");
}

BENCHMARK_CAPTURE(narrow, bf16, numerics::DType::bfloat16)->Name("float32 to bfloat16");
BENCHMARK(copy)->Name("float32 to bfloat16 | host limit");
BENCHMARK_CAPTURE(narrow, fp8, numerics::DType::float8_e4m3)->Name("float32 to float8_e4m3");
BENCHMARK(copy)->Name("float32 to float8_e4m3 | host limit");
BENCHMARK_CAPTURE(widen, bf16, numerics::DType::bfloat16)->Name("bfloat16 to float32");
BENCHMARK(copy)->Name("bfloat16 to float32 | host limit");
BENCHMARK_CAPTURE(widen, fp8, numerics::DType::float8_e4m3)->Name("float8_e4m3 to float32");
BENCHMARK(copy)->Name("float8_e4m3 to float32 | host limit");

}  // namespace
}  // namespace trainyard::benchmarks
