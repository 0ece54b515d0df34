// How many plans of training a second are checked for memory and timed, on one core? Those that
// were pruned or do not fit are not counted.
#include "planner/plan_search.h"

#include "planner/read_model.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

void search(benchmark::State& state, const char* name, const char* machine, double sequence,
            double batch, std::int64_t chips) {
  const planner::Model model = planner::load_model(name);
  const planner::Sheet sheet(machine::load_accelerator(machine), economics::load_prices());
  const planner::Chip chip = planner::chip_of(sheet);
  const planner::Training training{.sequence = sequence, .global_batch = batch};
  std::int64_t timed = 0;
  for (auto _ : state)
    timed = planner::search_plans(model, chip, training, {.chips = chips}, 100).counts.timed;
  report_rate(state, static_cast<double>(timed), 1e6, "M plans/s");
}
BENCHMARK_CAPTURE(search, GPT3 175B on 1024 A100, "gpt3-175b", "a100", 2048, 3072, 1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, Llama 3.1 405B on 100000 H100, "llama3-405b", "h100", 8192, 2048, 100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, DeepSeek V3 on 2048 H800, "deepseek-v3", "h800", 4096, 15'360, 2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(search, Llama 3.1 70B on 4096 Trainium2, "llama3-70b", "trn2", 8192, 2048, 4096)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trainyard::benchmarks
