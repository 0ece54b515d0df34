// Runs the turns of a hardware loop once that are alike. When the state of a timed core and its
// memory side equals that of k turns before, seen from now, the turns to come repeat those k,
// shifted in time; so all but the last of them are added up instead of run. Exact: the same times,
// summaries and findings as without it. For one core alone, without values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/state_visitor.h"
#include "engines/steady_loops.h"
#include "engines/timed_core.h"
#include "events/queue.h"
#include "memory/dma.h"
#include "memory/hbm_stack.h"
#include "trace/recorder.h"

namespace trainyard::system {

class LoopFolder {
 public:
  // What is folded together; `recorder` may be null, and keeps no intervals.
  struct Parts {
    const isa::Program& program;
    engines::TimedCore& core;
    memory::DmaEngines& dma;
    memory::HbmStack& hbm;
    events::Queue& queue;
    trace::Recorder* recorder = nullptr;
  };

  // Everything referred to must outlive this. Call before the core starts.
  explicit LoopFolder(const Parts& parts);

  [[nodiscard]] bool has_loops() const { return !loops_.empty(); }
  // Between two events.
  void look() {
    if (const std::optional<std::uint32_t> loop = parts_.core.turn_ended()) turn_ended(*loop);
  }
  // Turns that were not run.
  [[nodiscard]] std::int64_t turns_folded() const { return turns_folded_; }

 private:
  using Numbers = base::StateVisitor::Numbers;
  static constexpr std::size_t turns_compared = 16;

  // Two images with nothing but a repetition in between: of turns [turn - length, turn).
  struct Period {
    std::int64_t length = 0;  // in turns
    std::int64_t ends = 0;    // the turn at which it is over
    base::Ticks began;
    std::int64_t first = 0;             // the least count of then
    Numbers image, before;              // when it began
    Numbers throttle, throttle_before;  // the same of the tensor engine's clock limit
    std::size_t work = 0;               // kept until then
    std::int64_t rate_changes = 0;      // until then
    std::uint64_t jumps = 0;            // until then
  };
  struct Loop {
    std::uint32_t entries = 0;
    std::int64_t turn = 0;          // since it was entered
    std::vector<Numbers> images{};  // of the last turns
    std::optional<Period> period{};
  };

  void turn_ended(std::uint32_t loop);
  [[nodiscard]] Numbers image_of(const engines::SteadyLoop& loop);
  void show(base::StateVisitor visitor, const engines::SteadyLoop& loop);
  // Whether the image is that of some turns before; how many.
  [[nodiscard]] static std::int64_t turns_since(const Loop& loop, const Numbers& image);
  void begin_period(std::uint32_t loop, std::int64_t length, Numbers image);
  void end_period(std::uint32_t loop);
  // Lets the rest of the loop pass, but for what ends it.
  void jump(std::uint32_t loop, const Period& period);
  // Whether the clock limit allows it; then it has passed on.
  [[nodiscard]] bool jump_throttle(const Period& period, std::int64_t times);
  void forget_others(std::uint32_t loop);
  void keep_work();

  Parts parts_;
  engines::SteadyLoops steady_;
  std::vector<Loop> loops_;  // as in steady_
  std::vector<std::uint64_t> transfers_;
  std::uint64_t images_taken_ = 0;
  std::uint64_t jumps_ = 0;
  std::int64_t turns_folded_ = 0;
};

}  // namespace trainyard::system
