#include "serving/fleet.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "base/units.h"
#include "serving/groups.h"

namespace trainyard::serving {

namespace {

std::int64_t fleet_ticks(double seconds) {
  return std::llround(seconds * 1e9 * static_cast<double>(base::ticks_per_nanosecond));
}

enum class Phase : std::uint8_t { off, starting, serving, draining, lost };

struct Member {
  std::unique_ptr<Scheduler> scheduler;
  Phase phase = Phase::off;
  bool is_reader = false, is_stepping = false, was_starting = false;
  std::int64_t epoch = 0;  // of the device: what was begun before is void
  std::int64_t begin = 0;  // of the step that is under way
  StepCost cost = {};
  std::vector<std::uint32_t> numbers = {};  // of the fleet's requests, by the scheduler's
  std::int64_t open = 0;                    // requests that are not over
  std::int64_t busy = 0, link_free = 0;
};

// What happens at a time, in this order where it is the same.
enum class Kind : std::uint8_t { step_end, outage, back, ready, scale, arrival, delivery };
struct Happening {
  std::int64_t time = 0;
  Kind kind = Kind::arrival;
  std::uint64_t order = 0;
  std::int32_t replica = -1;
  std::int64_t epoch = 0;
  std::uint32_t request = 0;
  friend bool operator>(const Happening& a, const Happening& b) {
    return std::tie(a.time, a.kind, a.order) > std::tie(b.time, b.kind, b.order);
  }
};

class FleetRun {
 public:
  FleetRun(std::vector<Request> requests, const Settings& settings, const StepCosts& costs,
           const Simulation& simulation, const FleetSettings& fleet)
      : requests_(std::move(requests)),
        settings_(settings),
        costs_(costs),
        simulation_(simulation),
        fleet_(fleet),
        random_(simulation.seed),
        router_(fleet.seed ^ 0x9E3779B97F4A7C15u) {
    result_.records.resize(requests_.size());
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      result_.records[i].arrival = requests_[i].arrival;
      result_.records[i].prompt = requests_[i].prompt;
    }
    for (std::int32_t i = 0; i < fleet.replicas + fleet.readers; ++i)
      add_replica(Phase::serving, i >= fleet.replicas);
    if (!requests_.empty()) paid_until_ = requests_.front().arrival;
    for (const Outage& outage : fleet.outages) {
      push({.time = outage.from, .kind = Kind::outage, .replica = outage.replica});
      if (outage.until >= 0)
        push({.time = outage.until, .kind = Kind::back, .replica = outage.replica});
    }
    if (fleet.scaling.period > 0) push({.time = fleet.scaling.period, .kind = Kind::scale});
    note_size();
  }

  Fleet serve() {
    push_arrival();
    while (left_ > 0 || next_ < requests_.size()) {
      if (happenings_.empty()) {
        abandon();
        break;
      }
      now_ = happenings_.top().time;
      while (!happenings_.empty() && happenings_.top().time == now_) {
        const Happening one = happenings_.top();
        happenings_.pop();
        happen(one);
      }
      for (std::size_t i = 0; i < replicas_.size(); ++i) begin_step(i);
    }
    close();
    return std::move(result_);
  }

 private:
  void push(Happening one) {
    one.order = order_++;
    happenings_.push(one);
  }

  void push_arrival() {
    if (next_ < requests_.size()) push({.time = requests_[next_].arrival, .kind = Kind::arrival});
  }

  void add_replica(Phase phase, bool is_reader) {
    Member& one = replicas_.emplace_back();
    one.phase = phase;
    one.is_reader = is_reader;
    one.scheduler = std::make_unique<Scheduler>(settings_);
  }

  void happen(const Happening& one) {
    switch (one.kind) {
      case Kind::step_end:
        if (replicas_[index(one)].epoch == one.epoch) end_step(index(one));
        break;
      case Kind::outage: lose(index(one)); break;
      case Kind::back:
        if (replicas_[index(one)].phase == Phase::lost) start(index(one));
        break;
      case Kind::ready:
        if (replicas_[index(one)].epoch == one.epoch) start(index(one));
        break;
      case Kind::scale: scale(); break;
      case Kind::arrival: arrive(); break;
      case Kind::delivery: deliver(one); break;
    }
  }

  static std::size_t index(const Happening& one) { return static_cast<std::size_t>(one.replica); }

  void arrive() {
    const auto number = static_cast<std::uint32_t>(next_++);
    ++left_;
    route(number, std::move(requests_[number]));
    push_arrival();
  }

  // To a replica that reads prompts, where there are such.
  void route(std::uint32_t number, Request request) {
    const bool wants_reader = fleet_.readers > 0 && request.computed == 0;
    const std::int32_t chosen = choose(request, wants_reader);
    if (chosen < 0) {
      homeless_.emplace_back(number, std::move(request));
      if (!can_change()) abandon();
      return;
    }
    give(static_cast<std::size_t>(chosen), number, std::move(request));
  }

  void give(std::size_t i, std::uint32_t number, Request request) {
    Member& one = replicas_[i];
    if (one.is_reader) {
      whole_output_[number] = request.output;
      request.output = request.generated + 1;
    }
    ++one.open;
    const std::uint32_t local = one.scheduler->add(std::move(request));
    base::check(local == one.numbers.size(), "a scheduler numbers requests in turn");
    one.numbers.push_back(number);
    if (one.scheduler->records()[local].state == State::rejected) {
      --one.open;
      result_.records[number].state = State::rejected;
      finish(number, now_);
    }
  }

  std::int32_t choose(const Request& request, bool wants_reader) {
    std::vector<std::int32_t> able;
    for (std::size_t i = 0; i < replicas_.size(); ++i)
      if (replicas_[i].phase == Phase::serving && replicas_[i].is_reader == wants_reader)
        able.push_back(static_cast<std::int32_t>(i));
    if (able.empty()) return -1;
    const auto open = [&](std::int32_t i) { return replicas_[static_cast<std::size_t>(i)].open; };
    const auto fewest = [&] {
      return *std::ranges::min_element(able, {}, open);  // the first of equals
    };
    switch (fleet_.routing) {
      case Routing::random: return able[router_.below(able.size())];
      case Routing::round_robin: return able[turn_++ % able.size()];
      case Routing::least_requests: return fewest();
      case Routing::prefix: break;
    }
    if (request.shared == 0 && request.contents.empty()) return fewest();
    const std::uint64_t name = request.contents.empty() ? request.prefix : request.contents.front();
    const auto known = last_of_.find(name);
    const bool is_able =
        known != last_of_.end() && std::ranges::find(able, known->second) != able.end();
    // A crowd of the same beginning is spread: twice the mean, and one, is too many.
    std::int64_t all = 0;
    for (const std::int32_t i : able) all += open(i);
    const bool is_crowded =
        is_able && open(known->second) > 2 * all / static_cast<std::int64_t>(able.size()) + 1;
    const std::int32_t chosen = is_able && !is_crowded ? known->second : fewest();
    last_of_[name] = chosen;
    return chosen;
  }

  void begin_step(std::size_t i) {
    Member& one = replicas_[i];
    const bool is_up = one.phase == Phase::serving || one.phase == Phase::draining;
    if (!is_up || one.is_stepping) return;
    if (one.scheduler->is_idle()) {
      if (one.phase == Phase::draining) {
        one.phase = Phase::off;
        note_size();
      }
      return;
    }
    const Step& step = one.scheduler->schedule(now_);
    one.cost = cost_of(step, costs_);
    one.begin = now_;
    one.is_stepping = true;
    outcomes_of_[i] = outcomes(step);
    push({.time = now_ + std::max<std::int64_t>(1, fleet_ticks(one.cost.seconds)),
          .kind = Kind::step_end,
          .replica = static_cast<std::int32_t>(i),
          .epoch = one.epoch});
  }

  std::vector<Outcome> outcomes(const Step& step) {
    std::vector<Outcome> made;
    for (const Item& item : step.prefills)
      if (item.samples) made.emplace_back();
    for (const Item& item : step.decodes) {
      std::int32_t accepted = 0;
      while (accepted < item.count - 1 && random_.uniform() < simulation_.acceptance) ++accepted;
      made.push_back({.tokens = accepted + 1});
    }
    return made;
  }

  void end_step(std::size_t i) {
    Member& one = replicas_[i];
    one.is_stepping = false;
    one.busy += now_ - one.begin;
    result_.joules += one.cost.joules;
    one.scheduler->complete(now_, one.cost.joules, outcomes_of_[i]);
    for (const Outcome& outcome : outcomes_of_[i]) count_tokens(outcome.tokens);
    for (const Scheduler::Gap& gap : one.scheduler->gaps()) {
      result_.gaps.add(gap.ticks);
      if (gap.tokens > 1) result_.gaps.add(0, gap.tokens - 1);
    }
    const auto ended = one.scheduler->ended();
    for (const std::uint32_t local : std::vector<std::uint32_t>(ended.begin(), ended.end())) {
      const std::uint32_t number = one.numbers[local];
      take_over(number, one.scheduler->records()[local]);
      --one.open;
      if (one.is_reader && result_.records[number].output < whole_output_[number])
        send(i, number);
      else
        finish(number, now_);
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

  // What a request has had on a replica that it leaves.
  void take_over(std::uint32_t number, const Record& local) {
    Record& whole = result_.records[number];
    if (whole.first_scheduled < 0) {
      whole.first_scheduled = local.first_scheduled;
      whole.cached = local.cached;
    }
    whole.first_token = local.first_token;
    whole.output = local.output;
    whole.prefill_ticks += local.prefill_ticks;
    whole.decode_ticks += local.decode_ticks;
    whole.joules += local.joules;
    whole.chunks += local.chunks;
    whole.decodes += local.decodes;
    whole.preemptions += local.preemptions;
    whole.state = local.state;
  }

  void finish(std::uint32_t number, std::int64_t end) {
    result_.records[number].end = end;
    --left_;
  }

  // Keys and values of what was read go to a replica that writes the answer.
  void send(std::size_t i, std::uint32_t number) {
    Member& reader = replicas_[i];
    Record& record = result_.records[number];
    record.state = State::waiting;
    sent_at_[number] = now_;
    const double tokens = kept_tokens(settings_.windows, record.prompt + record.output - 1);
    const double seconds = fleet_.sent.seconds + tokens * fleet_.sent_token.seconds;
    const double joules = fleet_.sent.joules + tokens * fleet_.sent_token.joules;
    reader.link_free = std::max(reader.link_free, now_) + fleet_ticks(seconds);
    record.joules += joules;
    result_.joules += joules;
    result_.sent_ticks += reader.link_free - now_;
    push({.time = reader.link_free,
          .kind = Kind::delivery,
          .replica = static_cast<std::int32_t>(i),
          .epoch = reader.epoch,
          .request = number});
  }

  // What a reader that was lost meanwhile had sent has to be read again.
  void deliver(const Happening& one) {
    const Record& record = result_.records[one.request];
    const bool is_whole = replicas_[index(one)].epoch == one.epoch;
    if (!is_whole) ++result_.moved;
    route(one.request, {.arrival = now_,
                        .prompt = record.prompt,
                        .output = whole_output_[one.request],
                        .generated = record.output,
                        .computed = is_whole ? record.prompt + record.output - 1 : 0,
                        .first_token = record.first_token,
                        .last_token = sent_at_[one.request]});
  }

  void lose(std::size_t i) {
    Member& one = replicas_[i];
    if (one.phase == Phase::off || one.phase == Phase::lost) return;
    if (one.is_stepping) one.busy += now_ - one.begin;
    one.phase = Phase::lost;
    one.is_stepping = false;
    ++one.epoch;
    auto left = one.scheduler->unfinished();
    add_counters(one.scheduler->counters());
    std::vector<std::pair<std::uint32_t, Request>> moved;
    for (auto& [local, request] : left) {
      const std::uint32_t number = one.numbers[local];
      take_over(number, one.scheduler->records()[local]);
      result_.records[number].state = State::waiting;
      if (one.is_reader) request.output = whole_output_[number];
      request.computed = 0;
      moved.emplace_back(number, std::move(request));
    }
    one.scheduler = std::make_unique<Scheduler>(settings_);
    one.numbers.clear();
    one.open = 0;
    note_size();
    for (auto& [number, request] : moved) {
      ++result_.moved;
      route(number, std::move(request));
    }
    if (!homeless_.empty() && !can_change()) abandon();
  }

  void start(std::size_t i) {
    replicas_[i].phase = Phase::serving;
    note_size();
    auto waiting = std::move(homeless_);
    homeless_.clear();
    for (auto& [number, request] : waiting) route(number, std::move(request));
  }

  // Whether a replica may yet come that is not there.
  [[nodiscard]] bool can_change() const {
    if (fleet_.scaling.period > 0) return true;
    return std::ranges::any_of(fleet_.outages,
                               [&](const Outage& one) { return one.until >= now_; });
  }

  void abandon() {
    for (const auto& [number, request] : homeless_) {
      result_.records[number].state = State::cancelled;
      finish(number, now_);
    }
    homeless_.clear();
  }

  [[nodiscard]] std::int32_t count(Phase phase) const {
    return static_cast<std::int32_t>(
        std::ranges::count_if(replicas_, [&](const Member& one) { return one.phase == phase; }));
  }

  void scale() {
    const Scaling& s = fleet_.scaling;
    const auto wanted =
        std::clamp(static_cast<std::int32_t>(std::ceil(static_cast<double>(left_) / s.target)),
                   s.least, s.most);
    wanted_.emplace_back(now_, wanted);
    while (wanted_.front().first < now_ - s.patience) wanted_.pop_front();
    std::int32_t lasting = wanted;
    for (const auto& [time, number] : wanted_) lasting = std::max(lasting, number);
    const std::int32_t there = count(Phase::serving) + count(Phase::starting);
    for (std::int32_t i = there; i < wanted; ++i) begin_start();
    for (std::int32_t i = there; i > lasting; --i) begin_stop();
    if (wanted != there) note_size();
    push({.time = now_ + s.period, .kind = Kind::scale});
  }

  void begin_start() {
    const auto is_off = [](const Member& one) { return one.phase == Phase::off; };
    auto found = std::ranges::find_if(replicas_, is_off);
    if (found == replicas_.end()) {
      add_replica(Phase::off, false);
      found = replicas_.end() - 1;
    }
    found->phase = Phase::starting;
    ++found->epoch;
    push({.time = now_ + fleet_.scaling.cold_start,
          .kind = Kind::ready,
          .replica = static_cast<std::int32_t>(found - replicas_.begin()),
          .epoch = found->epoch});
  }

  // The one with the fewest requests, one that is not there yet first.
  void begin_stop() {
    Member* chosen = nullptr;
    for (Member& one : replicas_) {
      if (one.phase == Phase::starting) {
        one.phase = Phase::off;
        ++one.epoch;
        return;
      }
      const bool is_fewer = chosen == nullptr || one.open <= chosen->open;
      if (one.phase == Phase::serving && is_fewer) chosen = &one;
    }
    if (chosen != nullptr) chosen->phase = Phase::draining;
  }

  void note_size() {
    const std::int32_t serving =
        count(Phase::serving) + count(Phase::draining) + count(Phase::lost);
    pay();
    if (!result_.sizes.empty() && result_.sizes.back().time == now_) result_.sizes.pop_back();
    result_.sizes.push_back({now_, serving, count(Phase::starting)});
  }

  // A replica that is lost is paid for until somebody gives it back.
  void pay() {
    if (result_.sizes.empty() || now_ <= paid_until_) return;
    const FleetSize& last = result_.sizes.back();
    result_.paid += (now_ - paid_until_) * (last.serving + last.starting);
    paid_until_ = now_;
  }

  void add_counters(const Counters& one) {
    Counters& all = result_.counters;
    all.steps += one.steps;
    all.prompt_tokens += one.prompt_tokens;
    all.generated_tokens += one.generated_tokens;
    all.preemptions += one.preemptions;
    all.prefix_queries += one.prefix_queries;
    all.prefix_hits += one.prefix_hits;
    all.rejections += one.rejections;
    all.peak_blocks = std::max(all.peak_blocks, one.peak_blocks);
    all.peak_running = std::max(all.peak_running, one.peak_running);
    all.peak_waiting = std::max(all.peak_waiting, one.peak_waiting);
  }

  void close() {
    pay();
    result_.end = now_;
    for (const Member& one : replicas_) {
      add_counters(one.scheduler->counters());
      result_.busy.push_back(one.busy);
    }
  }

  std::vector<Request> requests_;
  const Settings& settings_;
  const StepCosts& costs_;
  const Simulation& simulation_;
  const FleetSettings& fleet_;
  base::Random random_, router_;
  std::vector<Member> replicas_;
  std::unordered_map<std::size_t, std::vector<Outcome>> outcomes_of_;  // of steps under way
  std::unordered_map<std::uint32_t, std::int32_t> whole_output_;       // of what readers were given
  std::unordered_map<std::uint32_t, std::int64_t> sent_at_;            // with its last token
  std::unordered_map<std::uint64_t, std::int32_t> last_of_;            // beginnings
  std::priority_queue<Happening, std::vector<Happening>, std::greater<>> happenings_;
  std::vector<std::pair<std::uint32_t, Request>> homeless_;
  std::deque<std::pair<std::int64_t, std::int32_t>> wanted_;
  std::uint64_t order_ = 0, turn_ = 0;
  std::size_t next_ = 0;
  std::int64_t now_ = 0, paid_until_ = 0, left_ = 0, second_ = 0, tokens_in_second_ = 0;
  Fleet result_;
};

}  // namespace

Fleet serve_fleet(std::vector<Request> requests, const Settings& settings, const StepCosts& costs,
                  const Simulation& simulation, const FleetSettings& fleet) {
  check_fleet(fleet, simulation);
  const auto by_arrival = [](const Request& a, const Request& b) { return a.arrival < b.arrival; };
  base::check(std::ranges::is_sorted(requests, by_arrival), "requests are not sorted by arrival");
  return FleetRun(std::move(requests), settings, costs, simulation, fleet).serve();
}

}  // namespace trainyard::serving
