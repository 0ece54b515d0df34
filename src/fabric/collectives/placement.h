// Where the ranks of a group are: which share a chip, which chips share a level. Algorithms choose
// their rings and stages by it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/network.h"
#include "fabric/problem.h"
#include "fabric/schedule.h"

namespace trainyard::fabric {

// The coordinates of a group's ranks on the cores of a chip and the levels that it spans.
struct Levels {
  std::vector<std::int32_t> size;
  std::vector<std::vector<std::int32_t>> at;  // of each rank, by axis
  std::vector<double> rate;                   // as Placement::axis_rate
  std::vector<bool> is_cable;                 // joins the chips at one place of several blocks
};

struct Placement {
  std::int32_t ranks = 0;
  std::vector<std::int64_t> chips;                 // in the order of their first ranks
  std::vector<std::vector<std::int32_t>> on_chip;  // places in the group, by chip
  // The axes of a group, the cores of a chip first, then the levels that it spans, and each rank's
  // place on every axis. Levels that it does not fill are one axis, and of chips that hold
  // different numbers of its ranks, equal parts are the first one; none where there is no such
  // part.
  std::vector<std::int32_t> axes;
  std::vector<std::vector<std::int32_t>> at;
  std::vector<double> axis_rate;  // of a chip, bytes per second; of the first axis: of a rank
  Levels levels;                  // of a group that fills no box; else empty
  std::int16_t rings = 1;         // each way, that the links between its chips have room for
  bool spans_switches = false;    // some level of the group is a switch or a network
  bool pairs_share_hbm = false;   // two neighbours of a chip have one stack
  // The sides of a full torus of two equal dimensions, innermost levels; 0: it is none.
  std::int32_t torus = 0;
  std::vector<std::int64_t> torus_chips;  // by x + side * y

  // All chips hold the same number of ranks.
  [[nodiscard]] bool is_even() const;
};

[[nodiscard]] Placement place(const Network& network, const Group& group);

// The two halves of an algorithm: a reduction to all is a scatter and a gather.
struct Halves {
  std::string algorithm = {};
  std::vector<Stripe> stripes = {{}};
  std::vector<Phase> scatter = {}, gather = {};
};

[[nodiscard]] std::optional<Halves> ring(const Placement& placement);
[[nodiscard]] std::optional<Halves> kanga_ring(const Placement& placement);
[[nodiscard]] std::optional<Halves> mesh(const Placement& placement);
[[nodiscard]] std::optional<Halves> halving(const Placement& placement);
// Stages along one axis after the other, the innermost first.
[[nodiscard]] std::optional<Halves> hierarchical(const Placement& placement);
// The same in stripes that begin at different axes, so that all levels are busy at once.
[[nodiscard]] std::optional<Halves> switch_mesh(const Placement& placement);
// The same for a group that fills no box.
[[nodiscard]] std::optional<Halves> partial_mesh(const Placement& placement);

// Schedules that are no halves.
[[nodiscard]] Schedule single_step_mesh(const Placement& placement);  // all_reduce
[[nodiscard]] Schedule exchange(const Placement& placement);          // all_to_all
[[nodiscard]] Schedule shift(const Placement& placement);             // permute
[[nodiscard]] Schedule send(const Placement& placement, std::int32_t source, std::int32_t target);
[[nodiscard]] Schedule barrier(const Placement& placement);
// The root's buffer in pieces to all ranks, then a gather.
[[nodiscard]] Schedule broadcast(const Placement& placement, const Halves& halves,
                                 std::int32_t root);

}  // namespace trainyard::fabric
