#include "session/product_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "graph/partition/estimate.h"
#include "graph/print.h"
#include "session/several_devices.h"

namespace trainyard::session {

namespace {

TimedWay timed(const DividedProgram& divided, graph::Module module) {
  const auto executable = simulated_on(std::move(module), divided.machine, divided.precision, {},
                                       divided.cores, divided.devices);
  const Spent spent = executable->estimate();
  return {.seconds = spent.seconds, .collectives = spent.collective_seconds.value_or(0)};
}

struct Candidate {
  double bytes = 0;  // estimated
  graph::ProductWay way;
  graph::Module module;
};

std::vector<Candidate> candidates(const DividedProgram& divided,
                                  const graph::PlacedProduct& product) {
  std::vector<Candidate> all;
  for (graph::ProductWay& way : graph::ways_of(product)) {
    graph::Module module =
        graph::partition(graph::alone(product, divided.shell.attributes, &way)).module;
    const double bytes = graph::estimated_bytes(module);
    all.push_back({bytes, std::move(way), std::move(module)});
  }
  std::ranges::stable_sort(all, {}, &Candidate::bytes);
  return all;
}

TimedProduct timed_product(const DividedProgram& divided, const graph::PlacedProduct& product,
                           const graph::Module& taken, std::size_t most) {
  TimedProduct result{.place = divided.shell.describe(product.op.location),
                      .operands = fmt::format("{}, {}", graph::to_string(product.operands[0]),
                                              graph::to_string(product.operands[1])),
                      .result = graph::to_string(product.result),
                      .count = 1};
  const std::string text = graph::print(taken);
  result.ways.push_back(timed(divided, taken));
  result.ways.front().is_taken = true;
  for (Candidate& each : candidates(divided, product)) {
    if (result.ways.size() > most) break;
    if (graph::print(each.module) == text) {
      result.ways.front().way = std::move(each.way);
      continue;
    }
    result.ways.push_back(timed(divided, std::move(each.module)));
    result.ways.back().way = std::move(each.way);
  }
  std::stable_sort(result.ways.begin() + 1, result.ways.end(),
                   [](const TimedWay& a, const TimedWay& b) { return a.seconds < b.seconds; });
  return result;
}

}  // namespace

std::vector<TimedProduct> time_products(const DividedProgram& divided, std::size_t most) {
  std::vector<TimedProduct> all;
  std::map<std::string, std::size_t> known;  // by the program of one alone
  for (const graph::PlacedProduct& product : divided.products) {
    if (graph::ways_of(product).empty()) continue;
    const graph::Module module = graph::alone(product, divided.shell.attributes);
    const auto [at, is_new] = known.try_emplace(graph::print(module), all.size());
    if (is_new)
      all.push_back(timed_product(divided, product, graph::partition(module).module, most));
    else
      ++all[at->second].count;
  }
  return all;
}

}  // namespace trainyard::session
