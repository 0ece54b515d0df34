// Where the cores of a run wait for each other in time. It knows who is there and for what, checks
// that they fit together, and tells all of them at once when they may go on; what they do then is
// their affair. Where chips have queues of their own, each has a point of its own, and those that
// meet across chips do so at one between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "events/partitions.h"
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
  isa::SharedSum* sum = nullptr;
};

// What one core does of a collective: after a while its DMA engines move bytes.
struct CollectiveWork {
  base::Ticks latency;
  base::Bytes read, written;
};
// Of `core`, when `cores` cores of each rank take part.
using CollectiveShare = std::function<CollectiveWork(
    std::size_t core, const isa::Program&, std::uint32_t instruction, std::int64_t cores)>;

// Bytes of collectives that go between chips while their cores do their part: whoever moves them.
struct Crossings {
  // The collective of these cores begins now. Its number; nothing where it stays on a chip.
  std::function<std::optional<std::uint32_t>(std::span<const std::size_t> cores,
                                             const isa::Attendant& first)>
      begin{};
  // Its last byte is there.
  std::function<bool(std::uint32_t crossing)> is_done{};
};

// Where one core stands for many that do the same: who meets at an instruction of it. Nobody: those
// that the program names.
using Members = std::vector<std::size_t>;
using MembersOf = std::function<Members(std::size_t core, std::uint32_t instruction)>;

// Of a point between parts of the run.
struct Apart {
  events::Partitions* parts = nullptr;  // null: all cores have one queue
  std::vector<std::size_t> part_of{};   // by core
};

class MeetingPoint final : private events::Handler {
 public:
  // What it refers to must outlive this. `members`: empty where every core is there itself.
  MeetingPoint(events::Queue& queue, const machine::Collective& costs, const isa::Seats& seats,
               CollectiveShare share, Crossings crossings = {}, MembersOf members = {},
               Apart apart = {})
      : spec_{.queue = queue,
              .costs = costs,
              .seats = seats,
              .share = std::move(share),
              .crossings = std::move(crossings),
              .members = std::move(members),
              .apart = std::move(apart),
              .ports = std::vector<events::Port<Met>*>(seats.size())} {
    state_.coming.resize(spec_.apart.parts == nullptr ? 0 : seats.size());
  }
  // Cores meet at `between` where `crosses` says so.
  using Crosses = std::function<bool(std::size_t core, std::uint32_t instruction)>;
  void lead_to(MeetingPoint& between, Crosses crosses) {
    spec_.between = &between;
    spec_.crosses = std::move(crosses);
  }

  // How long cores take to tell each other something.
  [[nodiscard]] const machine::Collective& costs() const { return spec_.costs; }
  [[nodiscard]] const isa::Seats& seats() const { return spec_.seats; }
  // What `core` does of a collective.
  [[nodiscard]] CollectiveWork work(std::size_t core, const isa::Program& program,
                                    std::uint32_t instruction) const;

  // Once for each core, before anyone arrives. The core hears of its meetings through `port`.
  void join(std::size_t core, events::Port<Met>& port);
  // Throws Fault "meeting.match" and "meeting.ranks".
  void arrive(std::size_t core, Arrival arrival);
  // Nobody moves any more. Throws Fault "meeting.match" where two wait for each other on different
  // streams, or at collectives of different points.
  static void check_standing(std::span<const MeetingPoint* const> points);
  // The last byte of a crossing is there.
  void crossed(std::uint32_t crossing);

 private:
  // Those who meet, by their number in groups_.
  using GroupId = std::uint32_t;
  using Key = std::tuple<Occasion, std::int32_t, GroupId>;
  struct Gathering {
    GroupId group = 0;
    std::vector<Arrival> arrivals;  // of the members, in their order
  };

  struct Waiting {
    std::vector<std::deque<Arrival>> arrivals;  // by member
    std::size_t present = 0;                    // members with an arrival
    events::Rendezvous parts{};                 // where cores have several queues
  };

  // The head of a core's line of collectives on a channel.
  struct Standing {
    isa::Attendant attendant;
    GroupId group = 0;
  };
  using Heads = std::map<std::size_t, std::deque<Standing>>;  // by core; none is empty
  enum What : std::uint32_t { all_there, comes, will_come };

  void handle(events::Message message) override;
  void take(std::size_t core, Arrival arrival);
  // Of a core of another part, before take().
  void announce(std::size_t core);
  // All members have come, each of them at least once.
  [[nodiscard]] Gathering remove_firsts(Waiting& waiting, GroupId group);
  void meet(std::uint32_t number);
  // And whether these stand for others, whose programs were compared before the run.
  [[nodiscard]] std::pair<GroupId, bool> group(std::size_t core, const isa::Attendant& attendant);
  [[nodiscard]] const Members& members(GroupId group) const { return *state_.groups[group]; }
  [[nodiscard]] bool has(GroupId group, std::size_t core) const;
  // Faults where two stand at collectives that can never take place.
  void check_standing(std::size_t core, const Arrival& arrival, GroupId group);
  void begin_crossing(const Gathering& met);

  // What connects it, set before anyone arrives.
  struct Spec {
    events::Queue& queue;
    machine::Collective costs;
    const isa::Seats& seats;
    CollectiveShare share;
    Crossings crossings;
    MembersOf members;
    Apart apart;
    std::vector<events::Port<Met>*> ports;  // by core
    MeetingPoint* between = nullptr;
    Crosses crosses{};
  };
  struct Coming {
    std::deque<Arrival> arrivals;
    std::size_t announced = 0;
  };
  struct State {
    std::map<Members, GroupId> group_ids;
    std::vector<const Members*> groups;                                  // the keys of group_ids
    std::map<std::int32_t, Heads> standing;                              // by channel
    std::map<std::pair<std::int32_t, GroupId>, std::uint32_t> crossing;  // those under way
    std::map<std::uint32_t, std::uint32_t> held;  // by crossing: the meeting that waits for it
    std::vector<Coming> coming;                   // by core, from its part
    std::map<Key, Waiting> waiting;
    std::deque<Gathering> meetings;  // by number, from first_meeting on
    std::uint32_t first_meeting = 0;
  };

  Spec spec_;
  State state_;
};

}  // namespace trainyard::engines
