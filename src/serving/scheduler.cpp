#include "serving/scheduler.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "base/units.h"
#include "serving/bounds.h"

namespace trainyard::serving {

namespace {

void check_settings(const Settings& s) {
  std::vector<base::Violation> violations;
  const auto in = [&](std::string_view name, std::int64_t value) {
    check_bound(setting_bounds, "serve.range", name, static_cast<double>(value), violations);
  };
  in("block_tokens", s.block_tokens);
  in("blocks", s.blocks);
  in("requests_max", s.requests_max);
  in("step_tokens_max", s.step_tokens_max);
  in("chunk_tokens_max", s.chunk_tokens_max);
  in("prompts_max", s.prompts_max);
  in("waiting_max", s.waiting_max);
  in("context_max", s.context_max);
  in("draft_tokens", s.draft_tokens);
  in("groups", static_cast<std::int64_t>(s.windows.size()));
  for (const std::int32_t window : s.windows) in("window", window);
  const std::int64_t needed = std::int64_t{s.requests_max} * (s.draft_tokens + 1);
  if (violations.empty() && s.step_tokens_max < needed)
    violations.push_back({"serve.budget",
                          "a step has room for a token, and what is drafted, of "
                          "each request that may run",
                          "step_tokens_max",
                          fmt::format("{}, and {} are needed", s.step_tokens_max, needed),
                          "raise step_tokens_max, or lower requests_max or draft_tokens"});
  if (!violations.empty()) throw base::InputError(std::move(violations));
}

}  // namespace

Scheduler::Scheduler(const Settings& settings)
    : settings_((check_settings(settings), settings)),
      longest_(longest_request(settings_)),
      pool_(settings.blocks) {}

const Scheduler::Live& Scheduler::live(std::uint32_t request) const {
  base::check(request < slot_of_.size() && slot_of_[request] != no_slot,
              "a request that is over is asked for");
  return slots_[slot_of_[request]];
}

std::span<const std::int32_t> Scheduler::table(std::uint32_t request, std::size_t group) const {
  return live(request).held.at(group).blocks;
}

void Scheduler::note(const Live& one, Event event) {
  if (!one.is_watched) return;
  event.request = one.number;
  events_.push_back(event);
}

std::uint32_t Scheduler::add(Request request, bool is_watched) {
  const auto number = static_cast<std::uint32_t>(records_.size());
  Record& record = records_.emplace_back();
  record.arrival = request.arrival;
  record.prompt = request.prompt;
  slot_of_.push_back(no_slot);
  // What a request may need at most must fit alone, or it would wait for ever.
  const std::int64_t most = std::int64_t{request.prompt} + request.output;
  base::check(request.generated < request.output || request.generated == 0,
              "a request that is over is added");
  const bool fits = request.prompt >= 1 && request.output >= 1 && most <= longest_;
  if (!fits || static_cast<std::int64_t>(waiting_.size()) >= settings_.waiting_max) {
    record.state = State::rejected;
    record.end = request.arrival;
    ++counters_.rejections;
    return number;
  }
  if (spare_.empty()) {
    spare_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = spare_.back();
  spare_.pop_back();
  record.output = request.generated;
  record.first_token = request.first_token;
  slots_[slot] = {.request = std::move(request), .number = number, .is_watched = is_watched};
  Live& one = slots_[slot];
  one.generated = one.request.generated;
  one.last_token = one.request.last_token;
  one.brought = one.request.computed;
  one.held.resize(settings_.windows.size());
  slot_of_[number] = slot;
  waiting_.push_back(slot);
  counters_.peak_waiting =
      std::max(counters_.peak_waiting, static_cast<std::int64_t>(waiting_.size()));
  return number;
}

void Scheduler::cancel(std::uint32_t request, std::int64_t now) {
  if (request >= slot_of_.size() || slot_of_[request] == no_slot) return;  // it is over already
  base::check(step_.is_empty(), "a request is cancelled during a step");
  const std::uint32_t slot = slot_of_[request];
  finish(slots_[slot], now, State::cancelled);
  std::erase(waiting_, slot);
  remove_finished();
}

std::vector<std::pair<std::uint32_t, Request>> Scheduler::unfinished() const {
  std::vector<std::pair<std::uint32_t, Request>> found;
  for (std::uint32_t number = 0; number < slot_of_.size(); ++number) {
    if (slot_of_[number] == no_slot) continue;
    const Live& one = live(number);
    Request& request = found.emplace_back(number, one.request).second;
    request.generated = one.generated;
    request.first_token = records_[number].first_token;
    request.last_token = one.last_token;
    request.computed = one.brought;  // which is still on its way
  }
  return found;
}

void Scheduler::lose_cache(std::int64_t now) {
  base::check(step_.is_empty(), "a cache is lost during a step");
  const auto kept = settings_.preemption;
  settings_.preemption = Preemption::recompute;
  while (!running_.empty()) preempt_last(now);
  settings_.preemption = kept;
  pool_.forget();
}

void Scheduler::place_item(Live& one, std::int32_t count, std::int32_t& budget) {
  const std::uint32_t slot = slot_of_[one.number];
  if (one.decodes()) {
    step_.decodes.push_back({one.number, one.computed, count, true});
    decode_slots_.push_back(slot);
  } else {
    step_.prefills.push_back(
        {one.number, one.computed, count, one.computed + count == one.total()});
    prefill_slots_.push_back(slot);
  }
  budget -= count;
}

// Decoding first, the oldest request first: a token that a user waits for is not held up by the
// prompts of others. One that finds no block takes those of the youngest.
void Scheduler::schedule_decodes(std::int64_t now, std::int32_t& budget) {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Live& one = slots_[running_[i]];
    if (!one.decodes()) continue;
    const std::int32_t count = draft_count(one);
    base::check(count <= budget, "a step has no room for all decoding requests");
    while (!reserve(one, one.computed + count) && i + 1 < running_.size()) preempt_last(now);
    if (!reserve(one, one.computed + count)) {
      preempt_last(now);  // itself: those before it need all blocks
      return;
    }
    place_item(one, count, budget);
  }
}

// The rest of the prompts that are being read. One that finds no block waits for those that decode,
// and takes blocks of younger prompts where nobody does.
void Scheduler::schedule_prompts(std::int64_t now, std::int32_t& budget) {
  for (std::size_t i = 0; i < running_.size() && budget > 0; ++i) {
    Live& one = slots_[running_[i]];
    if (one.decodes()) continue;
    if (static_cast<std::int32_t>(step_.prefills.size()) >= settings_.prompts_max) return;
    const std::int32_t count = chunk_count(one, budget);
    if (step_.is_empty())
      while (!reserve(one, one.computed + count) && i + 1 < running_.size()) preempt_last(now);
    if (!reserve(one, one.computed + count)) return;
    place_item(one, count, budget);
  }
}

// Tokens of a request that decodes, with those that are drafted.
std::int32_t Scheduler::draft_count(const Live& one) const {
  return std::min(1 + settings_.draft_tokens, one.left());
}

std::int32_t Scheduler::chunk_count(const Live& one, std::int32_t budget) const {
  return std::min({one.total() - one.computed, budget, settings_.chunk_tokens_max});
}

void Scheduler::preempt_last(std::int64_t now) {
  const std::uint32_t slot = running_.back();
  running_.pop_back();
  Live& one = slots_[slot];
  ++counters_.preemptions;
  ++records_[one.number].preemptions;
  note(one, {.kind = Event::Kind::preempted, .begin = now, .end = now});
  if (settings_.preemption == Preemption::swap && one.computed > 0) {
    step_.swaps_out.push_back({one.number, computed_blocks(one)});
    one.swapped = static_cast<std::int32_t>(step_.swaps_out.back().blocks.size());
    records_[one.number].state = State::swapped;
  } else {
    one.computed = 0;
    records_[one.number].state = State::waiting;
  }
  release_blocks(one);
  waiting_.push_front(slot);
}

// Lets the first of the queue in; false: it has to wait.
bool Scheduler::admit(Live& one, std::int32_t& budget, std::int64_t now) {
  const bool is_swapped = one.swapped > 0, is_brought = one.brought > 0;
  if (is_brought)
    one.computed = one.brought;
  else if (!is_swapped)
    take_prefix(one);
  const bool decodes = one.decodes();
  const std::int32_t count = decodes ? draft_count(one) : chunk_count(one, budget);
  const bool has_place =
      decodes || static_cast<std::int32_t>(step_.prefills.size()) < settings_.prompts_max;
  if (!has_place || count > budget || !reserve(one, one.computed + count)) {
    if (is_swapped) return false;
    release_blocks(one);
    one.computed = 0;
    return false;
  }
  one.brought = 0;
  if (is_swapped) {
    step_.swaps_in.push_back({one.number, computed_blocks(one)});
    base::check(static_cast<std::int32_t>(step_.swaps_in.back().blocks.size()) == one.swapped,
                "other blocks come back from the host than went there");
    one.swapped = 0;
  } else if (!is_brought) {
    counters_.prefix_queries += one.total();
    counters_.prefix_hits += one.computed;
  }
  Record& record = records_[one.number];
  const bool is_first = record.first_scheduled < 0;
  if (is_first) {
    record.first_scheduled = now;
    record.cached = one.computed;
    note(one, {.kind = Event::Kind::queued, .begin = record.arrival, .end = now});
  }
  note(one, {.kind = is_first ? Event::Kind::admitted : Event::Kind::resumed,
             .begin = now,
             .end = now,
             .tokens = one.computed});
  record.state = State::running;
  running_.push_back(slot_of_[one.number]);
  place_item(one, count, budget);
  return true;
}

void Scheduler::schedule_waiting(std::int64_t now, std::int32_t& budget) {
  while (!waiting_.empty() && budget > 0 &&
         static_cast<std::int32_t>(running_.size()) < settings_.requests_max &&
         admit(slots_[waiting_.front()], budget, now))
    waiting_.pop_front();
}

const Step& Scheduler::schedule(std::int64_t now) {
  base::check(step_.is_empty(), "a step begins before the last one is complete");
  step_.swaps_out.clear();
  step_.swaps_in.clear();
  begin_ = now;
  ended_.clear();
  gaps_.clear();
  std::int32_t budget = settings_.step_tokens_max;
  const std::int64_t preemptions = counters_.preemptions;
  schedule_decodes(now, budget);
  schedule_prompts(now, budget);
  has_preempted_ = counters_.preemptions != preemptions;
  if (!has_preempted_) schedule_waiting(now, budget);
  base::check(!step_.is_empty() || is_idle(), "requests wait and none can be computed");
  counters_.peak_blocks = std::max<std::int64_t>(counters_.peak_blocks, used_blocks());
  counters_.peak_running =
      std::max(counters_.peak_running, static_cast<std::int64_t>(running_.size()));
  return step_;
}

}  // namespace trainyard::serving
