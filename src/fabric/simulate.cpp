#include "fabric/simulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>

#include "base/error.h"
#include "fabric/sharing.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

constexpr double ticks_per_second = static_cast<double>(base::ticks_per_nanosecond) * 1e9;
constexpr Ticks never{std::numeric_limits<std::int64_t>::max()};
constexpr std::uint32_t nobody = 0xFFFFFFFFu;

// Transfers that follow one another: a queue, or a transfer with a ring of its own.
struct Line {
  std::vector<std::uint32_t> flows;  // by phase and position
  std::size_t at = 0;
  std::int32_t times = 0;
  bool waits = false;  // for its actor
};

// A rank's share of a lane: which stages have arrived in full. A stage is one repetition of a
// phase.
struct Actor {
  std::vector<std::uint32_t> need;                              // by phase
  std::vector<std::uint32_t> received;                          // by stage, from `done` on
  std::vector<std::pair<std::uint32_t, std::int32_t>> waiting;  // lines, for a stage
  std::int32_t done = 0;                                        // stages
  std::array<Ticks, 8> times{};                                 // when the last ones were
};

struct Event {
  Ticks time;
  std::uint32_t flow = 0;
  std::int32_t stage = 0;
  bool arrives = false;  // else it begins
  std::uint64_t order = 0;

  friend bool operator>(const Event& a, const Event& b) {
    return a.time != b.time ? a.time > b.time : a.order > b.order;
  }
};

struct Moving {
  double left = 0, rate = 0;  // bytes, bytes per tick
  Ticks begin, end = never;
};

class Simulation {
 public:
  Simulation(const Folded& folded, const Problem& problem, std::vector<Span>* spans)
      : folded_(folded),
        problem_(problem),
        spans_(spans),
        capacity_(folded.capacity),
        carried_(folded.capacity.size(), 0),
        moving_(folded.flows.size()),
        rates_(folded.flows.size(), 0),
        line_of_(folded.flows.size()) {
    for (const PhaseTimes& phase : problem.phases) {
      first_stage_.push_back(stages_);
      stages_ += phase.repeat;
    }
    for (std::uint32_t p = 0; p < problem.phases.size(); ++p)
      phase_of_.insert(phase_of_.end(), static_cast<std::size_t>(problem.phases[p].repeat), p);
    make_actors();
    make_lines();
  }

  Run run() {
    for (std::uint32_t a = 0; a < actors_.size(); ++a) {
      actors_[a].times[0] = folded_.late[a];
      advance(a, folded_.late[a]);
    }
    for (std::uint32_t l = 0; l < lines_.size(); ++l) look(l);
    while (instant()) {
    }
    return finish();
  }

 private:
  void make_actors() {
    actors_.resize(folded_.actor_rank.size());
    for (Actor& actor : actors_) actor.need.resize(problem_.phases.size(), 0);
    for (const FlowClass& one : folded_.flows)
      actors_[one.flow.target].need[one.flow.phase] += one.arrivals;
  }

  void make_lines() {
    lines_.resize(folded_.queues);
    for (std::uint32_t f = 0; f < folded_.flows.size(); ++f) {
      std::uint32_t line = folded_.flows[f].flow.queue;
      if (line == no_queue) {
        line = static_cast<std::uint32_t>(lines_.size());
        lines_.emplace_back();
      }
      lines_[line].flows.push_back(f);
      line_of_[f] = line;
    }
    const auto order = [&](std::uint32_t f) {
      return std::pair(folded_.flows[f].flow.phase, folded_.flows[f].flow.position);
    };
    for (Line& line : lines_) std::ranges::stable_sort(line.flows, {}, order);
  }

  [[nodiscard]] std::int32_t stage_of(std::uint32_t flow, std::int32_t times) const {
    return first_stage_[folded_.flows[flow].flow.phase] + times;
  }

  // Passes the stages of an actor that have arrived.
  void advance(std::uint32_t which, Ticks now) {
    Actor& actor = actors_[which];
    const std::int32_t before = actor.done;
    std::size_t passed = 0;
    while (actor.done < stages_) {
      const std::uint32_t need = actor.need[phase_of_[static_cast<std::size_t>(actor.done)]];
      const std::uint32_t got = passed < actor.received.size() ? actor.received[passed] : 0;
      if (got < need) break;
      base::check(got == need, "no more arrives than was sent");
      ++passed;
      ++actor.done;
      actor.times[static_cast<std::size_t>(actor.done) % actor.times.size()] = now;
    }
    actor.received.erase(actor.received.begin(),
                         actor.received.begin() +
                             static_cast<std::ptrdiff_t>(std::min(passed, actor.received.size())));
    if (actor.done == before) return;
    std::vector<std::uint32_t> woken;
    std::erase_if(actor.waiting, [&](const auto& waiting) {
      if (waiting.second > actor.done) return false;
      woken.push_back(waiting.first);
      return true;
    });
    for (const std::uint32_t line : woken) {
      lines_[line].waits = false;
      look(line);
    }
  }

  // Starts the next transfer of a line, or has it wait for its actor.
  void look(std::uint32_t which) {
    Line& line = lines_[which];
    if (line.at == line.flows.size() || line.waits) return;
    const std::uint32_t f = line.flows[line.at];
    const FlowClass& one = folded_.flows[f];
    const std::int32_t stage = stage_of(f, line.times);
    Actor& actor = actors_[one.flow.source];
    if (actor.done < stage) {
      line.waits = true;
      actor.waiting.emplace_back(which, stage);
      return;
    }
    const bool recent = actor.done - stage < static_cast<std::int32_t>(actor.times.size());
    const Ticks arrived =
        recent ? actor.times[static_cast<std::size_t>(stage) % actor.times.size()] : now_;
    Ticks wait = problem_.phases[one.flow.phase].rings ? problem_.ring_step : problem_.step;
    if (stage == 0) wait += problem_.start;
    push({std::max(now_, arrived + wait), f, stage, false, 0});
  }

  void push(Event event) {
    event.order = pushed_++;
    events_.push(event);
  }

  // The line goes on to its next transfer; within a phase it repeats first.
  void step(Line& line) {
    const std::uint32_t phase = folded_.flows[line.flows[line.at]].flow.phase;
    const auto same = [&](std::size_t i) {
      return i < line.flows.size() && folded_.flows[line.flows[i]].flow.phase == phase;
    };
    if (same(line.at + 1)) {
      ++line.at;
      return;
    }
    if (++line.times < problem_.phases[phase].repeat) {
      while (line.at > 0 && same(line.at - 1)) --line.at;
      return;
    }
    line.times = 0;
    ++line.at;
  }

  // Everything that happens at the next moment. False when nothing is left.
  bool instant() {
    const Ticks change = changed_ < folded_.changes.size() ? folded_.changes[changed_].time : never;
    const Ticks event = events_.empty() ? never : events_.top().time;
    const Ticks next = std::min({event, next_end_, change});
    if (next == never || (event == never && active_.empty())) return false;
    const auto passed = static_cast<double>((next - now_).value);
    for (const std::uint32_t f : active_) moving_[f].left -= moving_[f].rate * passed;
    now_ = next;
    bool differs = apply_changes();
    differs = end_transfers() || differs;
    while (!events_.empty() && events_.top().time == now_) {
      const Event one = events_.top();
      events_.pop();
      ++handled_;
      if (one.arrives)
        arrive(one);
      else
        differs = begin_transfer(one) || differs;
    }
    if (differs) share();
    return true;
  }

  bool apply_changes() {
    const std::size_t before = changed_;
    while (changed_ < folded_.changes.size() && folded_.changes[changed_].time <= now_) {
      capacity_[folded_.changes[changed_].resource] = folded_.changes[changed_].capacity;
      ++changed_;
    }
    return changed_ != before;
  }

  bool begin_transfer(const Event& event) {
    Moving& moving = moving_[event.flow];
    moving.left = folded_.flows[event.flow].flow.bytes;
    moving.begin = now_;
    if (moving.left > 0) {
      active_.push_back(event.flow);
      return true;
    }
    end_one(event.flow);
    return false;
  }

  bool end_transfers() {
    if (next_end_ != now_) return false;
    std::vector<std::uint32_t> ended;
    std::erase_if(active_, [&](std::uint32_t f) {
      if (moving_[f].end != now_) return false;
      ended.push_back(f);
      return true;
    });
    for (const std::uint32_t f : ended) end_one(f);
    return true;
  }

  void end_one(std::uint32_t f) {
    const FlowClass& one = folded_.flows[f];
    Moving& moving = moving_[f];
    const double took = static_cast<double>((now_ - moving.begin).value);
    base::check(one.flow.bytes <= (took + 1) * problem_.rate_max / ticks_per_second * (1 + 1e-9),
                "no transfer beats the rate of its channel");
    moving.end = never;
    for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u)
      carried_[folded_.resource[u]] += one.flow.bytes * folded_.weight[u];
    bytes_ += one.flow.bytes * static_cast<double>(one.members);
    transfers_ += one.members;
    Line& line = lines_[line_of_[f]];
    const std::int32_t stage = stage_of(f, line.times);
    if (spans_ != nullptr) spans_->push_back({f, line.times, moving.begin, now_});
    push({now_ + one.flow.latency, f, stage, true, 0});
    step(line);
    look(line_of_[f]);
  }

  void arrive(const Event& event) {
    const FlowClass& one = folded_.flows[event.flow];
    Actor& actor = actors_[one.flow.target];
    const auto ahead = static_cast<std::size_t>(event.stage - actor.done);
    base::check(event.stage >= actor.done, "a stage that is done gets nothing more");
    if (actor.received.size() <= ahead) actor.received.resize(ahead + 1, 0);
    actor.received[ahead] += one.arrivals;
    end_ = std::max(end_, now_);
    advance(one.flow.target, now_);
  }

  void share() {
    const Demand demand{capacity_, folded_.begin, folded_.resource, folded_.weight,
                        problem_.rate_max};
    sharing_.share(demand, active_, rates_);
    next_end_ = never;
    for (const std::uint32_t f : active_) {
      Moving& moving = moving_[f];
      moving.rate = rates_[f] / ticks_per_second;
      moving.end = never;
      if (moving.rate <= 0) continue;
      const double rest = std::ceil(std::max(moving.left, 0.0) / moving.rate * (1 - 1e-12));
      if (rest < 4e18) moving.end = now_ + Ticks{static_cast<std::int64_t>(rest)};
      next_end_ = std::min(next_end_, moving.end);
    }
  }

  Run finish() {
    Run result;
    Timing& timing = result.timing;
    timing.time = end_;
    timing.events = handled_;
    timing.transfers = transfers_;
    timing.bytes = bytes_;
    for (const std::uint32_t f : active_) result.stuck.push_back(cut(f));
    for (const Line& line : lines_) {
      if (line.waits) result.stuck.push_back({line.flows[line.at], nobody, false});
    }
    double worst = 0;
    const double seconds = static_cast<double>(end_.value) / ticks_per_second;
    for (std::uint32_t r = 0; r < carried_.size(); ++r) {
      const double capacity = std::max(folded_.capacity[r], capacity_[r]);
      const double alone = carried_[r] == 0 ? 0 : carried_[r] / capacity;
      worst = std::max(worst, alone);
      timing.loads.push_back({r, carried_[r], seconds > 0 ? alone / seconds : 0});
    }
    timing.bound = {static_cast<std::int64_t>(worst * ticks_per_second * (1 - 1e-9))};
    if (!result.stuck.empty()) return result;
    check_conserved();
    base::check(timing.time >= timing.bound, "no collective beats its bound");
    return result;
  }

  [[nodiscard]] Stuck cut(std::uint32_t f) const {
    for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u) {
      if (capacity_[folded_.resource[u]] <= 0) return {f, folded_.resource[u], true};
    }
    return {f, nobody, false};
  }

  void check_conserved() const {
    double sent = 0;
    for (const FlowClass& one : folded_.flows) {
      sent += one.flow.bytes * static_cast<double>(one.members) *
              problem_.phases[one.flow.phase].repeat;
    }
    base::check(std::abs(sent - bytes_) <= 1e-9 * std::max(sent, 1.0), "bytes are conserved");
    for (const Line& line : lines_)
      base::check(line.at == line.flows.size(), "every transfer has ended");
  }

  const Folded& folded_;
  const Problem& problem_;
  std::vector<Span>* spans_;
  std::vector<double> capacity_, carried_;
  std::vector<Moving> moving_;
  std::vector<double> rates_;
  std::vector<std::uint32_t> line_of_, active_, phase_of_;
  std::vector<std::int32_t> first_stage_;
  std::int32_t stages_ = 0;
  std::vector<Line> lines_;
  std::vector<Actor> actors_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Sharing sharing_;
  Ticks now_, end_, next_end_ = never;
  std::size_t changed_ = 0;
  std::uint64_t pushed_ = 0, handled_ = 0, transfers_ = 0;
  double bytes_ = 0;
};

}  // namespace

const Load& Timing::busiest() const {
  base::check(!loads.empty(), "a network has resources");
  return *std::ranges::max_element(loads, {}, &Load::share);
}

Run simulate(const Folded& folded, const Problem& problem, std::vector<Span>* spans) {
  return Simulation(folded, problem, spans).run();
}

}  // namespace trainyard::fabric
