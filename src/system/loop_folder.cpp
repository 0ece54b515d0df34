#include "system/loop_folder.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace trainyard::system {

namespace {

using base::StateVisitor;
using base::Ticks;

// An image takes as long as a handful of instructions; so many run for each, so that looking for
// repetitions where there are none costs little.
constexpr std::uint64_t instructions_per_image = 64;
constexpr std::uint64_t images_free = 64;
// Fewer turns are not worth a look.
constexpr std::int64_t turns_min = 4;

}  // namespace

LoopFolder::LoopFolder(const Parts& parts)
    : parts_(parts), steady_(parts.program), loops_(steady_.list().size()) {
  if (!steady_.empty()) parts_.core.tell_turns(steady_);
}

void LoopFolder::turn_ended(std::uint32_t index) {
  const engines::SteadyLoop& steady = steady_.list()[index];
  Loop& loop = loops_[index];
  const engines::TimedCore::Turns turns = parts_.core.turns(steady);
  if (turns.entries != loop.entries) loop = {.entries = turns.entries};
  ++loop.turn;
  if (loop.period) {
    if (loop.turn == loop.period->ends) end_period(index);
    return;
  }
  if (turns.left < turns_min) return;
  if (loop.images.empty() && (images_taken_ + turns_compared) * instructions_per_image >
                                 parts_.core.executed() + images_free * instructions_per_image)
    return;
  Numbers image = image_of(steady);
  if (const std::int64_t length = turns_since(loop, image); length > 0)
    return begin_period(index, length, std::move(image));
  loop.images.push_back(std::move(image));
  if (loop.images.size() > turns_compared) loop.images.clear();
}

LoopFolder::Numbers LoopFolder::image_of(const engines::SteadyLoop& loop) {
  ++images_taken_;
  Numbers image;
  show(StateVisitor::taking(parts_.queue.now(), image), loop);
  return image;
}

void LoopFolder::show(StateVisitor visitor, const engines::SteadyLoop& loop) {
  transfers_.clear();
  parts_.dma.show(visitor, transfers_);
  parts_.core.show(visitor, loop, transfers_);
  parts_.hbm.show(visitor);
  if (parts_.recorder != nullptr) parts_.recorder->show(visitor, loop.instructions);
  parts_.queue.show(visitor, [&](const events::Handler& handler, events::Message message) {
    if (const auto meaning = parts_.dma.meaning(handler, message)) return *meaning * 2;
    return parts_.core.meaning(handler, message).value_or(-1) * 2 + 1;
  });
}

std::int64_t LoopFolder::turns_since(const Loop& loop, const Numbers& image) {
  const auto found = std::ranges::find(loop.images.rbegin(), loop.images.rend(), image);
  return found == loop.images.rend() ? 0 : found - loop.images.rbegin() + 1;
}

void LoopFolder::begin_period(std::uint32_t index, std::int64_t length, Numbers image) {
  Loop& loop = loops_[index];
  loop.images.clear();
  Period& period = loop.period.emplace(Period{});
  period.length = length;
  period.ends = loop.turn + length;
  period.began = parts_.queue.now();
  period.first = parts_.core.turns(steady_.list()[index]).first;
  period.image = std::move(image);
  show(StateVisitor::noting(period.before), steady_.list()[index]);
  engines::Throttle& throttle = parts_.core.throttle();
  auto taking = StateVisitor::taking(period.began, period.throttle);
  throttle.show(taking);
  auto noting = StateVisitor::noting(period.throttle_before);
  throttle.show(noting);
  throttle.keep_work(true);
  period.work = throttle.work_kept().size();
  period.rate_changes = throttle.changes();
  period.jumps = jumps_;
}

void LoopFolder::end_period(std::uint32_t index) {
  Loop& loop = loops_[index];
  const Period period = std::move(*loop.period);
  loop.period.reset();
  if (image_of(steady_.list()[index]) == period.image) jump(index, period);
  keep_work();
}

void LoopFolder::jump(std::uint32_t index, const Period& period) {
  const engines::SteadyLoop& steady = steady_.list()[index];
  const engines::TimedCore::Turns turns = parts_.core.turns(steady);
  // The last turns run: what follows the loop begins while they do.
  const std::int64_t times = (turns.left - 1) / period.length;
  if (times < 1 || !steady.in_bounds(parts_.program, period.first) ||
      !steady.in_bounds(parts_.program, turns.last) || !jump_throttle(period, times))
    return;
  const Ticks length = parts_.queue.now() - period.began;
  show(StateVisitor::jumping(length, times, period.before), steady);
  parts_.core.skip_turns(steady, times * period.length);
  turns_folded_ += times * period.length;
  ++jumps_;
  forget_others(index);
}

bool LoopFolder::jump_throttle(const Period& period, std::int64_t times) {
  engines::Throttle& throttle = parts_.core.throttle();
  // Another loop's jump in between has left no trace of the work it stands for.
  const bool whole = period.jumps == jumps_;
  const std::span<const engines::WorkSpan> work =
      std::span(throttle.work_kept()).subspan(whole ? period.work : 0);
  const Ticks length = parts_.queue.now() - period.began;
  Numbers now;
  auto taking = StateVisitor::taking(parts_.queue.now(), now);
  throttle.show(taking);
  if (now == period.throttle) {
    auto jumping = StateVisitor::jumping(length, times, period.throttle_before);
    throttle.show(jumping);
    return true;
  }
  if (!whole || throttle.changes() != period.rate_changes || !throttle.is_constant(work, length))
    return false;
  throttle.repeat(work, length, times);
  return true;
}

// Those around the loop see what was added up as if it had run; the others would take it for
// something of their own.
void LoopFolder::forget_others(std::uint32_t index) {
  const engines::SteadyLoop& jumped = steady_.list()[index];
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    const engines::SteadyLoop& other = steady_.list()[k];
    if (other.begin < jumped.begin && jumped.end < other.end) continue;
    loops_[k].images.clear();
    loops_[k].period.reset();
  }
}

void LoopFolder::keep_work() {
  const bool needed =
      std::ranges::any_of(loops_, [](const Loop& l) { return l.period.has_value(); });
  if (!needed) parts_.core.throttle().keep_work(false);
}

}  // namespace trainyard::system
