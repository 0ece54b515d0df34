// Collectives in time on one network. Each begins when it is told to; its transfers start when what
// they wait for has arrived, share the resources of their paths max-min fair, and end; all changes
// of one instant are taken together. It knows no event queue: who drives it asks for next() and
// calls step(). Every collective that ends asserts that its bytes are conserved.
#pragma once

#include <array>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "fabric/fold.h"
#include "fabric/sharing.h"

namespace trainyard::fabric {

inline constexpr double ticks_per_second = static_cast<double>(base::ticks_per_nanosecond) * 1e9;

// When a transfer class began and ended, for traces.
struct Span {
  std::uint32_t flow = 0;
  std::int32_t times = 0;  // repetition of its phase
  base::Ticks begin, end;
};

// Why nothing moves any more.
struct Stuck {
  std::uint32_t flow = 0;  // a transfer class that cannot go on
  std::uint32_t use = 0;   // its use of a resource without capacity
  bool is_cut = false;     // else it waits
};

class Traffic {
 public:
  static constexpr base::Ticks never{0x7FFFFFFFFFFFFFFF};

  // Both must outlive this. `spans`: where to tell of transfers, or nobody.
  Traffic(const Folded& folded, const Problem& problem, std::vector<Span>* spans = nullptr);

  // A site that is not under way begins. `now` is not before the last step or beginning.
  void begin(std::uint32_t site, base::Ticks now);
  // When something happens next; `never` while nothing moves or can.
  [[nodiscard]] base::Ticks next() const;
  // Everything that happens at next(). The sites that end by it, in order.
  std::span<const std::uint32_t> step();

  [[nodiscard]] std::span<const FlowClass> flows() const { return folded_.flows; }
  [[nodiscard]] bool is_under_way(std::uint32_t site) const { return sites_[site].arrivals > 0; }
  // The transfers of collectives under way that are cut off or wait for others.
  [[nodiscard]] std::vector<Stuck> stuck() const;
  // Through one resource of each class.
  [[nodiscard]] std::span<const double> carried() const { return carried_; }
  [[nodiscard]] double capacity(std::uint32_t resource) const { return capacity_[resource]; }
  [[nodiscard]] base::Ticks last_arrival() const { return end_; }
  [[nodiscard]] std::uint64_t events() const { return handled_; }
  [[nodiscard]] std::uint64_t transfers() const { return transfers_; }  // of members
  [[nodiscard]] double bytes() const { return bytes_; }                 // moved, of members

 private:
  // Transfers that follow one another: a queue, or a transfer with a ring of its own.
  struct Line {
    std::vector<std::uint32_t> flows;  // by phase and position
    std::size_t at = 0;
    std::int32_t times = 0;
    bool waits = false;  // for an actor
  };
  // A rank's share of a stripe: which stages have arrived in full. A stage is one repetition of a
  // phase; they are counted from the first phase of all collectives on.
  struct Actor {
    std::vector<std::uint32_t> need;                              // by phase of its site
    std::vector<std::uint32_t> received;                          // by stage, from `done` on
    std::vector<std::pair<std::uint32_t, std::int32_t>> waiting;  // lines, for a stage
    std::int32_t done = 0;
    std::array<base::Ticks, 8> times{};  // when the last ones were
  };
  struct Event {
    base::Ticks time;
    std::uint32_t flow = 0;
    std::int32_t stage = 0;
    bool arrives = false;  // else it begins
    std::uint64_t order = 0;

    friend bool operator>(const Event& a, const Event& b) {
      return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
  };
  struct Moving {
    double left = 0, rate = 0;  // bytes at `since`, bytes per tick from then on
    base::Ticks begin, since, end = never;
    bool is_active = false;
  };
  // A transfer that uses a resource, and which of its uses that is.
  struct User {
    std::uint32_t flow = 0, use = 0;
  };
  struct Place {  // of a collective
    std::vector<std::uint32_t> actors, lines;
    std::int32_t first_stage = 0, end_stage = 0;
    std::uint64_t arrivals = 0, arrivals_all = 0;  // still to come; of a whole run
    double bytes = 0, bytes_all = 0;
  };

  void make_stages();
  void make_actors();
  void make_lines();
  [[nodiscard]] std::uint32_t site_of(std::uint32_t flow) const {
    return folded_.site_of_actor[folded_.flows[flow].flow.source];
  }
  [[nodiscard]] std::int32_t stage_of(std::uint32_t flow, std::int32_t times) const {
    return first_stage_[folded_.flows[flow].flow.phase] + times;
  }
  void set_time(base::Ticks now);
  void advance(std::uint32_t actor);
  void look(std::uint32_t line);
  void push(Event event);
  void go_on(Line& line) const;
  bool apply_changes();
  bool begin_transfer(const Event& event);
  bool end_transfers();
  void end_one(std::uint32_t flow);
  void arrive(const Event& event);
  void enter(std::uint32_t flow);
  void leave(std::uint32_t flow);
  // The transfers whose rates may have changed: all that are joined by resources to a change.
  std::span<const std::uint32_t> affected();
  [[nodiscard]] bool can_fill(std::uint32_t resource) const;
  void share();
  void set_rate(std::uint32_t flow, double rate);
  void forget_old_ends();
  [[nodiscard]] Stuck why(std::uint32_t flow) const;

  const Folded& folded_;
  const Problem& problem_;
  std::vector<Span>* spans_;
  std::vector<double> capacity_, carried_;
  std::vector<Moving> moving_;
  std::vector<double> rates_;
  std::vector<float> shares_;  // of transfer classes; none where all are alike
  std::vector<std::uint32_t> line_of_, phase_of_, ended_;
  std::vector<std::vector<User>> users_;  // of each resource, at work
  std::vector<std::uint32_t> place_;      // by use: where it stands among its resource's users
  std::vector<double> weight_;            // of each resource's users
  // Resources and transfers that have changed since rates were shared, and what affected() found.
  std::vector<std::uint32_t> changed_resources_, begun_, affected_;
  std::vector<std::uint8_t> is_seen_, is_found_;  // by resource, by transfer: by affected()
  std::vector<std::int32_t> first_stage_;
  std::vector<Line> lines_;
  std::vector<Actor> actors_;
  std::vector<Place> sites_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  using End = std::pair<base::Ticks, std::uint32_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;  // some are out of date
  Sharing sharing_;
  base::Ticks now_, end_;
  std::size_t active_ = 0;
  std::size_t changed_ = 0;
  std::uint64_t pushed_ = 0, handled_ = 0, transfers_ = 0;
  double bytes_ = 0;
};

}  // namespace trainyard::fabric
