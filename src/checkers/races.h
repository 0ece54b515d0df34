// Check: two accesses of the same bytes, one of them a write, are ordered by the program's
// semaphores and not only by luck of time. Every engine and every DMA queue has a vector clock;
// accesses that later ones could still race with are kept by memory and place.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/units.h"
#include "checkers/coverage.h"
#include "checkers/finding.h"
#include "isa/core/program.h"
#include "isa/core/region.h"
#include "machine/core.h"

namespace trainyard::checkers {

class RaceCheck {
 public:
  RaceCheck(const isa::Program& program, const machine::Core& core, Findings& findings);

  // An engine's waits are satisfied: it now knows what the signals told.
  void waited(isa::Engine engine, std::span<const isa::Wait> waits);
  // A stream item is issued at `time`. `record` has its run-time addresses resolved.
  void issued(isa::Engine engine, const isa::StreamItem& item, const void* record,
              std::uint32_t iteration, base::Ticks time);
  // A branch passes over items, which count as issued and complete.
  void skipped(isa::Engine engine, std::size_t items) {
    issued_[static_cast<std::size_t>(engine)] += static_cast<std::uint32_t>(items);
  }
  // The signals of the item issued longest ago on that engine (or, for a transfer, on its queue) go
  // out.
  void signalled(isa::Engine engine, const isa::StreamItem& item);
  // The run is over: every signal must have been waited for.
  void finish();

 private:
  static constexpr std::size_t queues_max = isa::queue_count;
  static constexpr std::size_t actors_max = isa::engine_count + queues_max;
  using Actor = std::uint8_t;  // an engine, or engine_count + a DMA queue
  // How many items of each actor are known to be complete.
  using Clock = std::array<std::uint32_t, actors_max>;

  struct TimedAccess {
    Actor actor = 0;
    bool writes = false;
    bool solid = false;          // every byte of the rectangle
    bool estimated = false;      // the place is known only roughly (an index list)
    std::uint32_t position = 0;  // of the item among its actor's, from 1
    std::uint32_t instruction = 0;
    std::uint32_t iteration = 0;
    base::Ticks time;
    isa::Region region;
    isa::Tile tile;

    // In the bytes [from, to), this one covers all that `other` touches.
    [[nodiscard]] bool covers(const TimedAccess& other, std::int64_t from, std::int64_t to) const {
      if (estimated) return false;
      if (region.dense && region.contains(other.region)) return true;
      return solid && region.first_partition <= other.region.first_partition &&
             region.end_partition >= other.region.end_partition &&
             region.first_byte <= std::max(other.region.first_byte, from) &&
             region.end_byte >= std::min(other.region.end_byte, to);
    }
  };
  // The accesses of one memory by place: bucket b holds those that touch [b, b + 1) * granule.
  struct Memory {
    std::int64_t granule = 0;
    std::vector<std::vector<TimedAccess>> buckets;
  };
  struct Told {
    std::int64_t amount = 0;
    Clock clock{};
    std::uint32_t instruction = 0;
  };

  [[nodiscard]] Memory& memory_of(const isa::Tile& tile);
  [[nodiscard]] TimedAccess access_of(const isa::Tile& tile, isa::Access how) const;
  void enter(const TimedAccess& access, const Clock& clock, Memory& memory);
  [[nodiscard]] bool ordered(const TimedAccess& before, const TimedAccess& now,
                             const Clock& clock) const;
  [[nodiscard]] bool really_overlap(const TimedAccess& a, const TimedAccess& b);
  void report(const TimedAccess& before, const TimedAccess& now);
  [[nodiscard]] Side side_of(const TimedAccess& access) const;

  const isa::Program& program_;
  Findings& findings_;
  std::vector<Clock> known_;           // by engine
  std::vector<std::uint32_t> issued_;  // by actor
  std::vector<std::deque<Clock>>
      to_tell_;  // by actor: clocks of issued items whose signals are still to come
  std::vector<std::deque<Told>> semaphores_;
  Memory sbuf_, psum_;
  std::vector<Memory> hbm_;    // by tensor
  std::vector<bool> written_;  // by tensor: anything writes it
  std::vector<Word> words_a_, words_b_;
};

}  // namespace trainyard::checkers
