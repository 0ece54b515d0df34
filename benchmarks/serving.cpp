// How many tokens a second does the planned engine generate, on one core, beside the memory's
// limit: what a host needs to write the same number of tokens of eight bytes? Tables are small and
// linear, so that the scheduler is measured and not a model.
#include "serving/simulate.h"

#include <vector>

#include "rate.h"
#include "serving/arrivals.h"

namespace trainyard::benchmarks {
namespace {

constexpr std::int64_t requests = 100'000;
constexpr std::int32_t mean_output = 128;

serving::StepCosts costs() {
  return {
      .prefill =
          serving::CostTable({1, 512}, {0, 8192}, {0.001, 0.002, 0.004, 0.008}, {1, 1, 2, 2}),
      .decode = serving::CostTable({1, 256}, {0, 8192}, {0.005, 0.006, 0.01, 0.03}, {1, 1, 2, 2})};
}

// What a step costs at the middle of the table is about 10 ms, and a request 128 of them: with 256
// at once a server answers some 150 a second.
serving::Load load(double rate, double range) {
  return {.requests = requests,
          .rate = rate,
          .prompt = 512,
          .output = mean_output,
          .range = range,
          .seed = 3};
}

void serve(benchmark::State& state, double rate, double range) {
  const serving::StepCosts steps = costs();
  const serving::Settings settings{.blocks = 40'000};
  std::int64_t tokens = 0;
  for (auto _ : state) {
    const auto run =
        serving::simulate(serving::draw_requests(load(rate, range)), settings, steps, {});
    tokens = run.counters.generated_tokens;
  }
  report_rate(state, static_cast<double>(tokens), 1e6, "M tokens/s");
}
BENCHMARK_CAPTURE(serve, light load, 10, 0.9)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(serve, medium load, 80, 0.9)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(serve, saturated, 1000, 0.9)->Unit(benchmark::kMillisecond);

// Of 256 requests at once, a step after the other.
void count(benchmark::State& state) {
  std::vector<std::int32_t> generated(256);
  for (auto _ : state) {
    for (std::int32_t& one : generated) ++one;
    benchmark::DoNotOptimize(generated.data());
    benchmark::ClobberMemory();
  }
  report_rate(state, static_cast<double>(generated.size()), 1e6, "M tokens/s");
}
BENCHMARK(count)->Name("serve/light load | host limit");
BENCHMARK(count)->Name("serve/medium load | host limit");
BENCHMARK(count)->Name("serve/saturated | host limit");

}  // namespace
}  // namespace trainyard::benchmarks
