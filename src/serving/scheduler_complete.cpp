// What a step that is over leaves: tokens, names of blocks, requests that end.
#include <algorithm>
#include <limits>

#include "base/error.h"
#include "serving/scheduler.h"

namespace trainyard::serving {

// An item of a step that is over; `outcome`: of one that samples.
void Scheduler::advance(Live& one, const Item& item, std::int64_t end, const Outcome* outcome) {
  Record& record = records_[one.number];
  if (outcome == nullptr) {
    one.computed += item.count;
    name_blocks(one);
    release_passed(one);
    return;
  }
  const bool decodes = one.decodes();
  const std::int32_t gained = outcome->tokens;
  base::check(gained >= 1 && gained <= (decodes ? item.count : 1), "a step gave too many tokens");
  one.computed += decodes ? gained : item.count;
  if (!one.request.tokens.empty())
    one.request.tokens.insert(one.request.tokens.end(), outcome->ids.begin(), outcome->ids.end());
  name_blocks(one);
  release_passed(one);
  one.generated += gained;
  record.output = one.generated;
  counters_.generated_tokens += gained;
  if (record.first_token < 0)
    record.first_token = end;
  else
    gaps_.push_back({end - one.last_token, gained});
  one.last_token = end;
  if (outcome->is_stopped || one.left() == 0) finish(one, end, State::finished);
}

void Scheduler::complete(std::int64_t end, double joules, std::span<const Outcome> outcomes,
                         const StepParts& parts) {
  std::int64_t tokens = 0;
  for (const auto* items : {&step_.prefills, &step_.decodes})
    for (const Item& item : *items) tokens += item.count;
  base::check(tokens > 0, "a step that is empty is completed");
  const double each = joules / static_cast<double>(tokens);
  const auto batch = static_cast<std::int32_t>(prefill_slots_.size() + decode_slots_.size());
  std::size_t next = 0;
  const auto outcome_of = [&](const Item& item) -> const Outcome* {
    if (!item.samples) return nullptr;
    base::check(next < outcomes.size(), "a step has fewer outcomes than items that sample");
    return &outcomes[next++];
  };
  for (std::size_t i = 0; i < prefill_slots_.size(); ++i) {
    const Item item = step_.prefills[i];
    Live& one = slots_[prefill_slots_[i]];
    Record& record = records_[one.number];
    ++record.chunks;
    record.prefill_ticks += end - begin_;
    record.joules += each * item.count;
    counters_.prompt_tokens += item.count;
    note(one, {.kind = Event::Kind::prefill,
               .begin = begin_,
               .end = end,
               .tokens = item.count,
               .batch = batch,
               .parts = parts});
    advance(one, item, end, outcome_of(item));
  }
  for (std::size_t i = 0; i < decode_slots_.size(); ++i) {
    const Item item = step_.decodes[i];
    Live& one = slots_[decode_slots_[i]];
    Record& record = records_[one.number];
    ++record.decodes;
    record.decode_ticks += end - begin_;
    record.joules += each * item.count;
    const Outcome* outcome = outcome_of(item);
    note(one, {.kind = Event::Kind::decode,
               .begin = begin_,
               .end = end,
               .tokens = outcome->tokens,
               .batch = batch,
               .parts = parts});
    advance(one, item, end, outcome);
  }
  ++counters_.steps;
  remove_finished();
}

void Scheduler::abandon(std::int64_t now) {
  base::check(!step_.is_empty(), "a step that is empty has failed");
  for (const auto* slots : {&prefill_slots_, &decode_slots_})
    for (const std::uint32_t slot : *slots) finish(slots_[slot], now, State::cancelled);
  remove_finished();
}

void Scheduler::finish(Live& one, std::int64_t end, State state) {
  release_blocks(one);
  records_[one.number].end = end;
  records_[one.number].state = state;
  const auto kind = state == State::finished ? Event::Kind::finished : Event::Kind::cancelled;
  note(one, {.kind = kind, .begin = end, .end = end});
  ended_.push_back(one.number);
}

// Closes the step: slots of requests that ended are free again.
void Scheduler::remove_finished() {
  step_.prefills.clear();
  step_.decodes.clear();
  prefill_slots_.clear();
  decode_slots_.clear();
  if (ended_.empty()) return;
  std::erase_if(running_, [&](std::uint32_t slot) {
    return records_[slots_[slot].number].state != State::running;
  });
  for (const std::uint32_t number : ended_) {
    const std::uint32_t slot = slot_of_[number];
    if (slot == no_slot) continue;
    slot_of_[number] = no_slot;
    slots_[slot] = {};
    spare_.push_back(slot);
  }
}

std::int64_t Scheduler::count_steady() const {
  if (!step_.only_decodes() || step_.decodes.size() != running_.size() || has_preempted_ ||
      settings_.draft_tokens > 0)
    return 1;
  // What is given back meanwhile may let somebody in.
  if (has_windows() && !waiting_.empty() &&
      static_cast<std::int32_t>(running_.size()) < settings_.requests_max)
    return 1;
  std::int32_t steps = std::numeric_limits<std::int32_t>::max();
  for (const std::uint32_t slot : decode_slots_) {
    const Live& one = slots_[slot];
    if (!one.request.tokens.empty() || one.is_watched) return 1;  // its tokens must be known
    steps = std::min(steps, one.left());
  }
  if (fits_steady(steps)) return steps;
  std::int32_t low = 1;
  for (std::int32_t high = steps; high - low > 1;) {
    const std::int32_t middle = low + (high - low) / 2;
    (fits_steady(middle) ? low : high) = middle;
  }
  return low;
}

void Scheduler::complete_steady(std::int64_t steps, std::int64_t first_end, std::int64_t end,
                                double joules) {
  base::check(steps >= 1 && step_.only_decodes() && !step_.is_empty(),
              "steps that are not alike are completed together");
  const auto many = static_cast<std::int32_t>(steps);
  const double each = joules / static_cast<double>(decode_slots_.size());
  take_steady_blocks(many);
  for (const std::uint32_t slot : decode_slots_) {
    Live& one = slots_[slot];
    Record& record = records_[one.number];
    base::check(many <= one.left(), "steps that are alike give more tokens than are asked for");
    record.decodes += many;
    record.decode_ticks += end - begin_;
    record.joules += each;
    one.generated += many;
    record.output = one.generated;
    gaps_.push_back({first_end - one.last_token, 1});
    one.last_token = end;
    if (one.left() == 0) finish(one, end, State::finished);
  }
  counters_.steps += steps;
  counters_.generated_tokens += steps * static_cast<std::int64_t>(decode_slots_.size());
  counters_.peak_blocks = std::max<std::int64_t>(counters_.peak_blocks, used_blocks());
  remove_finished();
}

}  // namespace trainyard::serving
