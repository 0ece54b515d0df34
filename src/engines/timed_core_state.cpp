// How a timed core shows its state, so that turns of a loop that are alike are run once.
#include <algorithm>
#include <limits>

#include "engines/timed_core.h"

namespace trainyard::engines {

using base::Ticks;

TimedCore::Turns TimedCore::turns(const SteadyLoop& loop) const {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Turns turns{.entries = iteration(loop.begin), .first = most, .left = most};
  for (std::size_t e = 0; e < sequencers_.size(); ++e) {
    if (!loop.places[e] || !loop.places[e]->holds(sequencers_[e].at())) continue;
    const isa::LoopState& state = sequencers_[e].state.cursor.loop(loop.places[e]->depth);
    const std::int64_t left = base::ceil_div(state.stop - state.next, loop.bounds.step);
    turns.first = std::min(turns.first, state.next - loop.bounds.step);
    turns.left = std::min(turns.left, left);
    turns.last = state.next + (left - 1) * loop.bounds.step;
    if (e == loop.pilot) turns.pilot = state.next;
  }
  return turns;
}

void TimedCore::show(base::StateVisitor& visitor, Sequencer& unit, const SteadyLoop& loop,
                     std::int64_t from) {
  const std::optional<SteadyLoop::Place>& place =
      loop.places[static_cast<std::size_t>(unit.spec.engine)];
  const bool turns = place && place->holds(unit.at());
  visitor.value(turns);
  visitor.value(unit.at());
  visitor.value(unit.state.phase);
  visitor.value(unit.state.waits_taken);
  if (unit.state.phase == Sequencer::Phase::waiting_semaphore) visitor.value(unit.state.waits_for);
  unit.account.show(visitor, !turns);
  if (!turns) {
    // It waits for others or is through, and has done nothing since.
    visitor.value(unit.state.commits.count());
    visitor.value(unit.state.free_at.value);
    return;
  }
  // What lies before the account's end is told already.
  const Ticks told = std::min(queue_.now(), unit.account.at());
  if (unit.state.waits_taken) visitor.past(unit.state.waits_checked, told);
  visitor.past(unit.state.free_at, queue_.now() - spec_.core.scalar_rates.table_load);
  visitor.past(unit.state.last_commit, told);
  unit.state.commits.show(visitor, unit.spec.commits_needed, told);
  unit.state.cursor.show(visitor, place->depth, from);
}

void TimedCore::show(base::StateVisitor& visitor, const SteadyLoop& loop,
                     std::span<const std::uint64_t> transfers) {
  const std::int64_t from = turns(loop).pilot;
  for (Sequencer& unit : sequencers_) show(visitor, unit, loop, from);
  for (const std::uint64_t token : transfers) {
    const Flight& flight = dma_[token];
    visitor.value(flight.issued.engine);
    visitor.value(flight.position);
  }
  visitor.value(dma_.pending());
  signals_.show(visitor);
  paths_.show(visitor);
  visitor.past(state_.end);
  for (const std::uint32_t i : loop.instructions) visitor.counter(state_.executions[i]);
  visitor.counter(state_.executed);
  state_.work.show(visitor);
  steps_.show(visitor);
}

std::optional<std::int64_t> TimedCore::meaning(const events::Handler& handler,
                                               events::Message message) const {
  if (&handler != this) return std::nullopt;
  return std::int64_t{message.what} << 32 | message.index;
}

void TimedCore::skip_turns(const SteadyLoop& loop, std::int64_t turns) {
  isa::Execution& execution = steps_.execution();
  for (std::size_t e = 0; e < sequencers_.size(); ++e) {
    if (!loop.places[e] || !loop.places[e]->holds(sequencers_[e].at())) continue;
    isa::LoopState& state = sequencers_[e].state.cursor.loop(loop.places[e]->depth);
    state.next += turns * loop.bounds.step;
    execution.engine = sequencers_[e].spec.engine;
    isa::write_register(loop.bounds.counter,
                        static_cast<std::int32_t>(state.next - loop.bounds.step), execution);
  }
}

}  // namespace trainyard::engines
