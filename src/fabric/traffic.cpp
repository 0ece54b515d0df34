#include "fabric/traffic.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::fabric {

namespace {

using base::Ticks;

}  // namespace

Traffic::Traffic(const Folded& folded, const Problem& problem, std::vector<Span>* spans)
    : folded_(folded),
      problem_(problem),
      spans_(spans),
      capacity_(folded.capacity),
      carried_(folded.capacity.size(), 0),
      moving_(folded.flows.size()),
      rates_(folded.flows.size(), 0),
      line_of_(folded.flows.size()),
      users_(folded.capacity.size()),
      place_(folded.resource.size()),
      weight_(folded.capacity.size(), 0),
      is_seen_(folded.capacity.size(), 0),
      is_found_(folded.flows.size(), 0),
      sites_(folded.sites.size()) {
  const auto differs = [](const FlowClass& one) { return one.flow.share != 1; };
  if (std::ranges::any_of(folded.flows, differs)) {
    for (const FlowClass& one : folded.flows) shares_.push_back(one.flow.share);
  }
  make_stages();
  make_actors();
  make_lines();
}

void Traffic::make_stages() {
  std::int32_t stages = 0;
  for (const PhaseRepeats& phase : problem_.phases) {
    first_stage_.push_back(stages);
    stages += phase.repeat;
  }
  first_stage_.push_back(stages);
  for (std::uint32_t p = 0; p < problem_.phases.size(); ++p)
    phase_of_.insert(phase_of_.end(), static_cast<std::size_t>(problem_.phases[p].repeat), p);
  for (std::size_t s = 0; s < sites_.size(); ++s) {
    const Site& site = folded_.sites[s];
    sites_[s].first_stage = first_stage_[site.first_phase];
    sites_[s].end_stage = first_stage_[site.first_phase + site.phases];
  }
}

void Traffic::make_actors() {
  actors_.resize(folded_.actor_rank.size());
  for (std::uint32_t a = 0; a < actors_.size(); ++a) {
    const std::uint32_t site = folded_.site_of_actor[a];
    sites_[site].actors.push_back(a);
    actors_[a].need.resize(folded_.sites[site].phases, 0);
  }
  for (const FlowClass& one : folded_.flows) {
    const std::uint32_t site = folded_.site_of_actor[one.flow.target];
    actors_[one.flow.target].need[one.flow.phase - folded_.sites[site].first_phase] += one.arrivals;
    const auto times = static_cast<std::uint64_t>(problem_.phases[one.flow.phase].repeat);
    sites_[site].arrivals_all += times;
    sites_[site].bytes_all +=
        one.flow.bytes * static_cast<double>(one.members) * static_cast<double>(times);
  }
}

void Traffic::make_lines() {
  lines_.resize(folded_.queues);
  for (std::uint32_t f = 0; f < folded_.flows.size(); ++f) {
    std::uint32_t line = folded_.flows[f].flow.queue;
    if (line == no_queue) {
      line = static_cast<std::uint32_t>(lines_.size());
      lines_.emplace_back();
    }
    if (lines_[line].flows.empty()) sites_[site_of(f)].lines.push_back(line);
    lines_[line].flows.push_back(f);
    line_of_[f] = line;
  }
  const auto order = [&](std::uint32_t f) {
    return std::pair(folded_.flows[f].flow.phase, folded_.flows[f].flow.position);
  };
  for (Line& line : lines_) std::ranges::stable_sort(line.flows, {}, order);
}

void Traffic::begin(std::uint32_t which, Ticks now) {
  Place& site = sites_[which];
  base::check(site.arrivals == 0, "a collective begins when it is not under way");
  set_time(now);
  site.arrivals = site.arrivals_all;
  site.bytes = 0;
  for (const std::uint32_t l : site.lines) {
    lines_[l].at = 0;
    lines_[l].times = 0;
    lines_[l].waits = false;
  }
  for (const std::uint32_t a : site.actors) {
    Actor& actor = actors_[a];
    actor.done = site.first_stage;
    actor.received.clear();
    actor.waiting.clear();
    actor.times[static_cast<std::size_t>(actor.done) % actor.times.size()] = now + folded_.late[a];
  }
  // Whoever gets nothing at first is ready for what comes later.
  for (const std::uint32_t a : site.actors) advance(a);
  for (const std::uint32_t l : site.lines) look(l);
}

Ticks Traffic::next() const {
  const Ticks event = events_.empty() ? never : events_.top().time;
  if (event == never && active_ == 0) return never;
  const Ticks end = ends_.empty() ? never : ends_.top().first;
  const Ticks change = changed_ < folded_.changes.size() ? folded_.changes[changed_].time : never;
  return std::max(now_, std::min({event, end, change}));
}

std::span<const std::uint32_t> Traffic::step() {
  const Ticks now = next();
  ended_.clear();
  if (now == never) return ended_;
  set_time(now);
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
  return ended_;
}

void Traffic::set_time(Ticks now) {
  base::check(now >= now_, "time goes on");
  now_ = now;
}

// Passes the stages of an actor that have arrived.
void Traffic::advance(std::uint32_t which) {
  Actor& actor = actors_[which];
  const std::int32_t before = actor.done;
  const std::uint32_t site = folded_.site_of_actor[which];
  std::size_t passed = 0;
  while (actor.done < sites_[site].end_stage) {
    const std::uint32_t phase = phase_of_[static_cast<std::size_t>(actor.done)];
    const std::uint32_t need = actor.need[phase - folded_.sites[site].first_phase];
    const std::uint32_t got = passed < actor.received.size() ? actor.received[passed] : 0;
    if (got < need) break;
    base::check(got == need, "no more arrives than was sent");
    ++passed;
    const Ticks since = actor.times[static_cast<std::size_t>(actor.done) % actor.times.size()];
    ++actor.done;
    actor.times[static_cast<std::size_t>(actor.done) % actor.times.size()] = std::max(since, now_);
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
void Traffic::look(std::uint32_t which) {
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
  const std::uint32_t site = site_of(f);
  if (stage == sites_[site].first_stage) wait += folded_.sites[site].start;
  push({std::max(now_, arrived + wait), f, stage, false, 0});
}

void Traffic::push(Event event) {
  event.order = pushed_++;
  events_.push(event);
}

// The line goes on to its next transfer; within a phase it repeats first.
void Traffic::go_on(Line& line) const {
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

bool Traffic::apply_changes() {
  const std::size_t before = changed_;
  while (changed_ < folded_.changes.size() && folded_.changes[changed_].time <= now_) {
    capacity_[folded_.changes[changed_].resource] = folded_.changes[changed_].capacity;
    changed_resources_.push_back(folded_.changes[changed_].resource);
    ++changed_;
  }
  return changed_ != before;
}

bool Traffic::begin_transfer(const Event& event) {
  Moving& moving = moving_[event.flow];
  moving.left = folded_.flows[event.flow].flow.bytes;
  moving.begin = moving.since = now_;
  moving.rate = 0;
  if (moving.left > 0) {
    enter(event.flow);
    return true;
  }
  end_one(event.flow);
  return false;
}

bool Traffic::end_transfers() {
  bool any = false;
  while (!ends_.empty() && ends_.top().first == now_) {
    const std::uint32_t f = ends_.top().second;
    ends_.pop();
    if (moving_[f].end != now_) continue;
    leave(f);
    end_one(f);
    any = true;
  }
  return any;
}

void Traffic::enter(std::uint32_t f) {
  moving_[f].is_active = true;
  ++active_;
  begun_.push_back(f);
  for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u) {
    std::vector<User>& users = users_[folded_.resource[u]];
    place_[u] = static_cast<std::uint32_t>(users.size());
    users.push_back({f, u});
    weight_[folded_.resource[u]] += folded_.weight[u];
  }
}

void Traffic::leave(std::uint32_t f) {
  moving_[f].is_active = false;
  --active_;
  for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u) {
    const std::uint32_t resource = folded_.resource[u];
    if (can_fill(resource)) changed_resources_.push_back(resource);
    weight_[resource] -= folded_.weight[u];
    std::vector<User>& users = users_[resource];
    users[place_[u]] = users.back();
    place_[users.back().use] = place_[u];
    users.pop_back();
  }
}

void Traffic::end_one(std::uint32_t f) {
  const FlowClass& one = folded_.flows[f];
  Moving& moving = moving_[f];
  const double took = static_cast<double>((now_ - moving.begin).value);
  base::check(one.flow.bytes <= (took + 1) * problem_.rate_max / ticks_per_second * (1 + 1e-9),
              "no transfer beats the rate of its channel");
  moving.end = never;
  for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u)
    carried_[folded_.resource[u]] += one.flow.bytes * folded_.weight[u];
  const double bytes = one.flow.bytes * static_cast<double>(one.members);
  bytes_ += bytes;
  sites_[site_of(f)].bytes += bytes;
  transfers_ += one.members;
  Line& line = lines_[line_of_[f]];
  const std::int32_t stage = stage_of(f, line.times);
  if (spans_ != nullptr) spans_->push_back({f, line.times, moving.begin, now_});
  // The semaphore follows the data on the same path, so it is there with the last byte, not before.
  push({now_ + one.flow.latency, f, stage, true, 0});
  go_on(line);
  look(line_of_[f]);
}

void Traffic::arrive(const Event& event) {
  const FlowClass& one = folded_.flows[event.flow];
  Actor& actor = actors_[one.flow.target];
  const auto ahead = static_cast<std::size_t>(event.stage - actor.done);
  base::check(event.stage >= actor.done, "a stage that is done gets nothing more");
  if (actor.received.size() <= ahead) actor.received.resize(ahead + 1, 0);
  actor.received[ahead] += one.arrivals;
  end_ = std::max(end_, now_);
  advance(one.flow.target);
  const std::uint32_t which = folded_.site_of_actor[one.flow.target];
  Place& site = sites_[which];
  if (--site.arrivals > 0) return;
  base::check(std::abs(site.bytes - site.bytes_all) <= 1e-9 * std::max(site.bytes_all, 1.0),
              "bytes are conserved");
  ended_.push_back(which);
}

// Whether the transfers at work could use up a resource, each at its fastest. If not, none of them
// notices another one there.
bool Traffic::can_fill(std::uint32_t resource) const {
  return weight_[resource] * problem_.rate_max > capacity_[resource] * (1 - 1e-9);
}

std::span<const std::uint32_t> Traffic::affected() {
  std::vector<std::uint32_t>& open = changed_resources_;  // looked at, then grown
  affected_.clear();
  const auto see = [&](std::uint32_t resource) {
    if (is_seen_[resource] != 0) return false;
    return is_seen_[resource] = 1, true;
  };
  std::erase_if(open, [&](std::uint32_t resource) { return !see(resource); });
  const auto find = [&](std::uint32_t f) {
    if (is_found_[f] != 0 || !moving_[f].is_active) return;
    is_found_[f] = 1;
    affected_.push_back(f);
    for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u) {
      const std::uint32_t resource = folded_.resource[u];
      if (can_fill(resource) && see(resource)) open.push_back(resource);
    }
  };
  for (const std::uint32_t f : begun_) find(f);
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const User user : users_[open[i]]) find(user.flow);
  }
  for (const std::uint32_t resource : open) is_seen_[resource] = 0;
  for (const std::uint32_t f : affected_) is_found_[f] = 0;
  open.clear();
  begun_.clear();
  std::ranges::sort(affected_);  // rates do not depend on the order of events
  return affected_;
}

void Traffic::share() {
  const Demand demand{capacity_,      folded_.begin,     folded_.resource,
                      folded_.weight, problem_.rate_max, shares_};
  const std::span<const std::uint32_t> flows = affected();
  sharing_.share(demand, flows, rates_);
  for (const std::uint32_t f : flows) set_rate(f, rates_[f] / ticks_per_second);
  forget_old_ends();
}

void Traffic::set_rate(std::uint32_t f, double rate) {
  Moving& moving = moving_[f];
  if (moving.rate == rate) return;
  moving.left -= moving.rate * static_cast<double>((now_ - moving.since).value);
  moving.since = now_;
  moving.rate = rate;
  moving.end = never;
  if (rate <= 0) return;
  const double rest = std::ceil(std::max(moving.left, 0.0) / rate * (1 - 1e-12));
  if (rest >= 4e18) return;
  moving.end = now_ + Ticks{static_cast<std::int64_t>(rest)};
  ends_.emplace(moving.end, f);
}

void Traffic::forget_old_ends() {
  while (!ends_.empty() && moving_[ends_.top().second].end != ends_.top().first) ends_.pop();
}

std::vector<Stuck> Traffic::stuck() const {
  std::vector<Stuck> list;
  for (std::uint32_t f = 0; f < moving_.size(); ++f) {
    if (moving_[f].is_active) list.push_back(why(f));
  }
  for (const Line& line : lines_) {
    if (line.waits) list.push_back({.flow = line.flows[line.at]});
  }
  return list;
}

Stuck Traffic::why(std::uint32_t f) const {
  for (std::uint32_t u = folded_.begin[f]; u < folded_.begin[f + 1]; ++u) {
    if (capacity_[folded_.resource[u]] <= 0) return {f, u, true};
  }
  return {.flow = f};
}

}  // namespace trainyard::fabric
