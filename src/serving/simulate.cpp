#include "serving/simulate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "base/units.h"

namespace trainyard::serving {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::int64_t ticks_of(double seconds) {
  return std::llround(seconds * 1e9 * static_cast<double>(base::ticks_per_nanosecond));
}

class Run {
 public:
  Run(std::vector<Request> requests, const Settings& settings, const StepCosts& costs,
      const Simulation& simulation)
      : requests_(std::move(requests)),
        scheduler_(settings),
        costs_(costs),
        simulation_(simulation),
        random_(simulation.seed) {}

  Simulated serve() {
    admit_users();
    while (true) {
      push_arrivals();
      const Step& step = scheduler_.schedule(now_);
      if (step.is_empty()) {
        if (next_arrival() == never) break;
        now_ = std::max(now_, next_arrival());
        continue;
      }
      if (simulation_.one_by_one || scheduler_.count_steady() == 1)
        run_step(step);
      else
        run_steady(step);
      admit_users();
    }
    result_.records = scheduler_.records();
    result_.events = scheduler_.events();
    result_.counters = scheduler_.counters();
    result_.end = now_;
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t next_arrival() const {
    if (simulation_.users > 0 || next_ == requests_.size()) return never;
    return requests_[next_].arrival;
  }

  void add_next() {
    const bool is_watched = static_cast<std::int64_t>(next_) == simulation_.watched;
    scheduler_.add(std::move(requests_[next_++]), is_watched);
  }

  void push_arrivals() {
    while (next_arrival() <= now_) add_next();
  }

  // Closed loop: who has an answer, or none for ever, asks the next question.
  void admit_users() {
    if (simulation_.users == 0) return;
    const auto busy = [&] {
      return static_cast<std::int64_t>(scheduler_.running() + scheduler_.waiting());
    };
    while (next_ < requests_.size() && busy() < simulation_.users) {
      requests_[next_].arrival = now_;
      add_next();
    }
  }

  void run_step(const Step& step) {
    const StepCost cost = cost_of(step, costs_);
    const std::int64_t begin = now_;
    now_ += std::max<std::int64_t>(1, ticks_of(cost.seconds));
    keep(step, begin, 1);
    outcomes_.clear();
    for (const Item& item : step.prefills)
      if (item.samples) outcomes_.emplace_back();
    for (const Item& item : step.decodes)
      outcomes_.push_back({.tokens = accepted(item.count - 1) + 1});
    scheduler_.complete(now_, cost.joules, outcomes_,
                        simulation_.watched < 0 ? StepParts{} : parts_of(step, costs_));
    for (const Outcome& outcome : outcomes_) count_tokens(outcome.tokens);
    close(begin, cost.joules);
  }

  std::int32_t accepted(std::int32_t drafted) {
    std::int32_t count = 0;
    while (count < drafted && random_.uniform() < simulation_.acceptance) ++count;
    return count;
  }

  // Equal steps until one is different, or until somebody comes who would be let in.
  void run_steady(const Step& step) {
    const std::int64_t many = scheduler_.count_steady();
    const std::int64_t until = scheduler_.would_admit() ? next_arrival() : never;
    const auto requests = static_cast<std::int64_t>(step.decodes.size());
    std::int64_t context = total_context(step, costs_);
    const std::int64_t begin = now_;
    std::int64_t first_end = 0, steps = 0;
    double joules = 0;
    while (steps < many && (steps == 0 || now_ < until)) {
      const StepCost cost = decode_cost(requests, context, costs_);
      const std::int64_t ticks = std::max<std::int64_t>(1, ticks_of(cost.seconds));
      now_ += ticks;
      joules += cost.joules;
      if (steps++ == 0)
        first_end = now_;
      else
        result_.gaps.add(ticks, requests);
      count_tokens(requests);
      context += requests;
    }
    keep(step, begin, steps);
    scheduler_.complete_steady(steps, first_end, now_, joules);
    close(begin, joules);
  }

  void close(std::int64_t begin, double joules) {
    result_.busy += now_ - begin;
    result_.joules += joules;
    for (const Scheduler::Gap& gap : scheduler_.gaps()) {
      result_.gaps.add(gap.ticks);
      if (gap.tokens > 1) result_.gaps.add(0, gap.tokens - 1);  // drafted ones come together
    }
  }

  void count_tokens(std::int64_t tokens) {
    constexpr std::int64_t second = base::ticks_per_nanosecond * 1'000'000'000;
    if (now_ / second != second_) {
      second_ = now_ / second;
      tokens_in_second_ = 0;
    }
    tokens_in_second_ += tokens;
    result_.tokens_per_second_max = std::max(result_.tokens_per_second_max, tokens_in_second_);
  }

  void keep(const Step& step, std::int64_t begin, std::int64_t steps) {
    if (!simulation_.keeps_steps) return;
    StepRecord& one = result_.steps.emplace_back();
    one = {.begin = begin,
           .end = now_,
           .prefills = static_cast<std::int32_t>(step.prefills.size()),
           .decodes = static_cast<std::int32_t>(step.decodes.size()),
           .steps = steps,
           .waiting = static_cast<std::int32_t>(scheduler_.waiting()),
           .blocks = scheduler_.used_blocks()};
    for (const Item& item : step.prefills) one.prefill_tokens += item.count;
  }

  std::vector<Request> requests_;
  Scheduler scheduler_;
  const StepCosts& costs_;
  const Simulation& simulation_;
  base::Random random_;
  std::size_t next_ = 0;
  std::int64_t now_ = 0, second_ = 0, tokens_in_second_ = 0;
  std::vector<Outcome> outcomes_;
  Simulated result_;
};

}  // namespace

void Durations::add(std::int64_t ticks, std::int64_t times) {
  base::check(ticks >= 0 && times >= 0, "a duration is negative");
  const auto word = static_cast<std::uint64_t>(ticks);
  const int width = 64 - std::countl_zero(word);
  const int shift = std::max(0, width - digits - 1);
  counts_[(static_cast<std::size_t>(shift) << digits) + (word >> shift)] += times;
  count_ += times;
  const auto value = static_cast<double>(ticks), weight = static_cast<double>(times);
  sum_ += weight * value;
  squares_ += weight * value * value;
}

double Durations::mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }

double Durations::deviation() const {
  if (count_ == 0) return 0;
  return std::sqrt(std::max(0.0, squares_ / static_cast<double>(count_) - mean() * mean()));
}

double Durations::quantile(double share) const {
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen < std::max<std::int64_t>(1, wanted)) continue;
    if (i < (std::size_t{2} << digits)) return static_cast<double>(i);
    const std::size_t shift = (i >> digits) - 1;
    const std::size_t low = (i - (shift << digits)) << shift;
    return static_cast<double>(low) + static_cast<double>((std::size_t{1} << shift) - 1) / 2;
  }
  return 0;
}

Simulated simulate(std::vector<Request> requests, const Settings& settings, const StepCosts& costs,
                   const Simulation& simulation) {
  const auto by_arrival = [](const Request& a, const Request& b) { return a.arrival < b.arrival; };
  base::check(std::ranges::is_sorted(requests, by_arrival), "requests are not sorted by arrival");
  return Run(std::move(requests), settings, costs, simulation).serve();
}

}  // namespace trainyard::serving
