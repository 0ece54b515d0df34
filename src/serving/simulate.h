// The planned engine: the scheduler's steps take what tables say, and nothing is computed. Runs of
// equal decoding steps are advanced together, with the same result as one by one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "serving/scheduler.h"
#include "serving/step_costs.h"

namespace trainyard::serving {

// Counts of durations, exact to a 256th of each.
class Durations {
 public:
  void add(std::int64_t ticks, std::int64_t times = 1);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double mean() const;
  [[nodiscard]] double deviation() const;
  // The duration, in ticks, that a share of them does not exceed.
  [[nodiscard]] double quantile(double share) const;

 private:
  static constexpr int digits = 8;
  std::array<std::int64_t, 64 << digits> counts_{};
  std::int64_t count_ = 0;
  double sum_ = 0, squares_ = 0;
};

struct Simulation {
  // 0: requests arrive when they say. Else so many users, each with one request at a time; arrival
  // times are ignored.
  std::int64_t users = 0;
  double acceptance = 0;  // chance that a drafted token is right, if those before it are
  std::uint64_t seed = 0;
  std::int64_t watched = -1;  // a request whose events are kept
  bool keeps_steps = false;
  bool one_by_one = false;  // no steps together: the plain definition, for tests
};

struct StepRecord {
  std::int64_t begin = 0, end = 0;
  std::int32_t prefills = 0, prefill_tokens = 0, decodes = 0;
  std::int64_t steps = 1;
  std::int32_t waiting = 0, blocks = 0;
};

struct Simulated {
  std::vector<Record> records = {};
  std::vector<Event> events = {};
  std::vector<StepRecord> steps = {};
  Counters counters = {};
  Durations gaps = {};                     // between the tokens of a request
  std::int64_t tokens_per_second_max = 0;  // that were generated between two whole seconds
  std::int64_t end = 0, busy = 0;
  double joules = 0;
};

// Serves `requests`, sorted by arrival, until all are over. Throws InputError where a table does
// not cover a step.
[[nodiscard]] Simulated simulate(std::vector<Request> requests, const Settings& settings,
                                 const StepCosts& costs, const Simulation& simulation);

}  // namespace trainyard::serving
