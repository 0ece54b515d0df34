// How long does the simulator take over collectives of whole systems? Rates are collectives a
// second: 10 is 0.1 s for one.
#include <numeric>
#include <string>

#include "fabric/collectives/placement.h"
#include "fabric/cost_table.h"
#include "fabric/select.h"
#include "rate.h"

namespace trainyard::benchmarks {
namespace {

using fabric::CollectiveOp;
using fabric::Group;
using fabric::Network;

constexpr double gib = 1 << 30;

Group first_ranks(std::int64_t ranks) {
  Group group(static_cast<std::size_t>(ranks));
  std::iota(group.begin(), group.end(), 0);
  return group;
}

void price(benchmark::State& state, const char* system, std::int64_t cores, std::int64_t ranks,
           CollectiveOp operation) {
  const Network network(machine::load_system(system), cores);
  const Group group = first_ranks(ranks);
  for (auto _ : state)
    benchmark::DoNotOptimize(fabric::price(network, operation, gib, std::span(&group, 1)));
  report_rate(state, 1, 1, "collectives/s");
}
BENCHMARK_CAPTURE(price, all_reduce of 1 GiB on 144 chips of 8 ranks, "trn3-gen2", 1, 1152,
                  CollectiveOp::all_reduce)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(price, all_to_all of 1 GiB on 144 chips, "trn3-gen2", 8, 144,
                  CollectiveOp::all_to_all)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(price, all_to_all of 1 GiB on 1152 ranks, "trn3-gen2", 1, 1152,
                  CollectiveOp::all_to_all)
    ->Unit(benchmark::kMillisecond);

// Everybody to everybody on 1,024 chips behind one switch, as one step a half.
void direct(benchmark::State& state, bool folds) {
  machine::System flat = machine::load_system("trn3-gen2");
  for (const char* setting : {"sled.size=1024", "rack.size=1", "twin.size=1"})
    flat = machine::apply_override(std::move(flat), setting);
  const Network network(std::move(flat), 8);
  const Group group = first_ranks(1024);
  for (auto _ : state) {
    const fabric::Placement placement = fabric::place(network, group);
    const auto halves = fabric::mesh(placement);
    fabric::Schedule schedule{.algorithm = "mesh", .ranks = 1024};
    schedule.phases = {halves->scatter[0], halves->gather[0]};
    benchmark::DoNotOptimize(fabric::run(network, CollectiveOp::all_reduce, gib,
                                         std::span(&group, 1), std::span(&schedule, 1),
                                         {.folds_ranks = folds}));
  }
  report_rate(state, 1, 1, "collectives/s");
}
BENCHMARK_CAPTURE(direct, all_reduce on 1024 chips folded, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(direct, all_reduce on 1024 chips every rank, false)
    ->Unit(benchmark::kMillisecond);

// A training step: 1,000 collectives of four kinds and ten sizes.
void step(benchmark::State& state) {
  const Network network(machine::load_system("trn3-gen2"), 8);
  const Group group = first_ranks(144);
  for (auto _ : state) {
    fabric::CostTable table(network);
    for (int i = 0; i < 1000; ++i) {
      const auto operation = static_cast<CollectiveOp>(i % 4);
      const double bytes = static_cast<double>(1 << (14 + i % 10));
      benchmark::DoNotOptimize(table.price(operation, bytes, std::span(&group, 1)));
    }
  }
  report_rate(state, 1000, 1, "collectives/s");
}
BENCHMARK(step)->Name("a step of 1000 collectives on 144 chips")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trainyard::benchmarks
