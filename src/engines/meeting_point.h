// Where the cores of a run wait for each other in time. It knows who is there and for what, checks
// that they fit together, and tells all of them at once when they may go on; what they do then is
// their affair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "events/port.h"
#include "events/queue.h"
#include "isa/semantics/meeting.h"
#include "machine/system.h"

namespace trainyard::engines {

// The parts of a meeting: a barrier, or the beginning and the end of an exchange or a collective.
enum class Occasion : std::uint8_t { barrier, begin, end };

struct Arrival {
  Occasion occasion = Occasion::barrier;
  std::int32_t channel = 0;  // with the occasion: arrivals meet in order on each channel
  isa::Attendant attendant;
  base::Ticks delay;        // from the last arrival until all go on
  std::uint32_t token = 0;  // comes back
  isa::Message sent{};      // of an end
};
// To a core: all are there.
struct Met {
  Occasion occasion = Occasion::barrier;
  std::uint32_t token = 0;
  std::span<const isa::Message> received{};  // at an end: what each of them has sent
};

// What one core does of a collective: after a while its DMA engines move bytes.
struct CollectiveWork {
  base::Ticks latency;
  base::Bytes read, written;
};
// When `cores` cores of each rank take part.
using CollectiveShare = std::function<CollectiveWork(const isa::Program&, std::uint32_t instruction,
                                                     std::int64_t cores)>;

class MeetingPoint final : private events::Handler {
 public:
  // `queue` must outlive this.
  MeetingPoint(events::Queue& queue, const machine::Collective& costs, isa::Seats seats,
               CollectiveShare share)
      : queue_(queue),
        costs_(costs),
        seats_(std::move(seats)),
        share_(std::move(share)),
        ports_(seats_.size()) {}

  // How long cores take to tell each other something.
  [[nodiscard]] const machine::Collective& costs() const { return costs_; }
  [[nodiscard]] const isa::Seats& seats() const { return seats_; }
  // What `core` does of a collective.
  [[nodiscard]] CollectiveWork work(std::size_t core, const isa::Program& program,
                                    std::uint32_t instruction) const;

  // Once for each core, before anyone arrives. The core hears of its meetings through `port`.
  void join(std::size_t core, events::Port<Met>& port) { ports_[core] = &port; }
  // Throws Fault "meeting.match" and "meeting.ranks".
  void arrive(std::size_t core, Arrival arrival);

 private:
  using Members = std::vector<std::size_t>;
  using Key = std::tuple<Occasion, std::int32_t, Members>;
  struct Gathering {
    Members members;
    std::vector<Arrival> arrivals;  // of the members, in their order
  };

  void handle(events::Message message) override;

  events::Queue& queue_;
  machine::Collective costs_;
  isa::Seats seats_;
  CollectiveShare share_;
  std::vector<events::Port<Met>*> ports_;
  std::map<Key, std::vector<std::deque<Arrival>>> waiting_;  // by member
  std::deque<Gathering> meetings_;                           // by number, from first_meeting_ on
  std::uint32_t first_meeting_ = 0;
};

}  // namespace trainyard::engines
