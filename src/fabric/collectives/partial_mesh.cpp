// The switch mesh of a group that fills no box: a rack without one chip, or one that ends inside a
// sled. Stages go along one axis after the other as in a box. A piece whose owner's place on a line
// is missing is summed by the others of the line, each taking an equal part of such pieces.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "fabric/collectives/placement.h"

namespace trainyard::fabric {

namespace {

using Order = std::vector<std::size_t>;  // axes, the one of the first stage first
using Rank = std::int32_t;
using Coordinates = std::vector<Rank>;  // on the axes of an order, from some stage on
using Holders = std::vector<Rank>;      // by piece: the rank of a block that has its sum
// Of every block, the ranks that are alike on all axes of later stages.
using Blocks = std::map<Coordinates, Holders>;

class Stages {
 public:
  Stages(const Levels& levels, const Order& order, Rank ranks) : order_(order), ranks_(ranks) {
    at_.resize(static_cast<std::size_t>(ranks));
    for (std::size_t r = 0; r < at_.size(); ++r) {
      for (const std::size_t axis : order) at_[r].push_back(levels.at[axis][r]);
    }
    rank_at_.resize(at_.size());
    std::iota(rank_at_.begin(), rank_at_.end(), 0);
    std::ranges::sort(rank_at_, {}, [&](Rank r) { return at(r); });
  }

  // The pieces in the order of their owners' places: those of a target lie together.
  [[nodiscard]] Stripe stripe(double weight) const {
    Stripe result{.weight = weight, .place = std::vector<Rank>(at_.size()), .rank_at = rank_at_};
    for (Rank p = 0; p < ranks_; ++p)
      result.place[static_cast<std::size_t>(rank_at_[static_cast<std::size_t>(p)])] = p;
    return result;
  }

  // Of the lines along the axis of a stage, the members of the shortest one.
  [[nodiscard]] std::size_t shortest_line(std::size_t stage) const {
    std::map<Coordinates, std::set<Rank>> lines;
    for (Coordinates where : at_) {
      const Rank coordinate = where[stage];
      where[stage] = 0;
      lines[std::move(where)].insert(coordinate);
    }
    std::size_t shortest = at_.size();
    for (const auto& [where, members] : lines) shortest = std::min(shortest, members.size());
    return shortest;
  }

  // The transfers of each stage, towards the owners.
  [[nodiscard]] std::vector<std::vector<Transfer>> transfers(std::int16_t stripe) const {
    std::vector<std::vector<Transfer>> result;
    Blocks blocks;
    for (Rank r = 0; r < ranks_; ++r) blocks[at(r)] = Holders(at_.size(), r);
    for (std::size_t stage = 0; stage < order_.size(); ++stage) {
      std::map<Coordinates, std::map<Rank, const Holders*>> lines;
      for (const auto& [where, holders] : blocks)
        lines[{where.begin() + 1, where.end()}].emplace(where[0], &holders);
      Blocks joined;
      result.emplace_back();
      for (const auto& [where, line] : lines) {
        joined[where] = targets(line, stage);
        add(result.back(), line, joined[where], stripe);
      }
      blocks = std::move(joined);
    }
    return result;
  }

 private:
  using Line = std::map<Rank, const Holders*>;  // by coordinate

  [[nodiscard]] const Coordinates& at(Rank rank) const {
    return at_[static_cast<std::size_t>(rank)];
  }

  // Who sums each piece on a line.
  [[nodiscard]] Holders targets(const Line& line, std::size_t stage) const {
    std::vector<const Holders*> present;
    for (const auto& [coordinate, holders] : line) present.push_back(holders);
    Holders result(at_.size());
    // Apart by the core of their owner, so that the cores of a chip do the same.
    std::map<Rank, std::vector<std::size_t>> missing;
    for (std::size_t piece = 0; piece < at_.size(); ++piece) {
      const Coordinates& owner = at(rank_at_[piece]);
      const auto found = line.find(owner[stage]);
      if (found == line.end())
        missing[order_[0] == 0 ? owner[0] : 0].push_back(piece);
      else
        result[piece] = (*found->second)[piece];
    }
    for (const auto& [core, pieces] : missing) {
      for (std::size_t i = 0; i < pieces.size(); ++i)
        result[pieces[i]] = (*present[i * present.size() / pieces.size()])[pieces[i]];
    }
    return result;
  }

  // Neighbouring pieces with the same ends are one transfer.
  void add(std::vector<Transfer>& list, const Line& line, const Holders& targets,
           std::int16_t stripe) const {
    for (const auto& [coordinate, holders] : line) {
      for (Rank piece = 0; piece < ranks_; ++piece) {
        const Rank source = (*holders)[static_cast<std::size_t>(piece)];
        const Rank target = targets[static_cast<std::size_t>(piece)];
        if (source == target) continue;
        const bool goes_on = !list.empty() && list.back().source == source &&
                             list.back().target == target &&
                             list.back().first + list.back().count == piece;
        if (goes_on) {
          ++list.back().count;
          continue;
        }
        list.push_back({.source = source,
                        .target = target,
                        .first = piece,
                        .to = piece,
                        .stripe = stripe,
                        .move = Move::add});
      }
    }
  }

  const Order& order_;
  Rank ranks_;
  std::vector<Coordinates> at_;  // of each rank
  std::vector<Rank> rank_at_;    // the owner of each piece
};

// Cables lead to the chip at the same place, and a route takes them first. Where that chip is no
// member, and may be lost, a transfer goes in two steps, across the levels inside first.
class Detours {
 public:
  Detours(const Levels& levels, Rank ranks) : levels_(levels) {
    for (Rank r = 0; r < ranks; ++r) rank_[where(r)] = r;
  }

  // Leaves the first steps of `transfers`; returns the second ones. What several ranks add to one
  // piece is added up on the way.
  [[nodiscard]] std::vector<Transfer> split(std::vector<Transfer>& transfers) const {
    std::vector<Transfer> first, second;
    std::set<std::pair<Rank, Rank>> passed;  // ranks and the pieces that they pass on
    for (const Transfer& one : transfers) {
      const std::optional<Rank> over = relay(one.source, one.target);
      if (!over) {
        first.push_back(one);
        continue;
      }
      for (Rank piece = one.first; piece < one.first + one.count; ++piece) {
        const bool is_new = passed.emplace(*over, piece).second;
        const bool adds = one.move == Move::add;
        if (is_new || adds)
          append(first, one, piece, {one.source, *over, is_new ? Move::copy : Move::add});
        if (is_new || !adds) append(second, one, piece, {*over, one.target, one.move});
      }
    }
    transfers = std::move(first);
    return second;
  }

 private:
  [[nodiscard]] Coordinates where(Rank rank) const {
    Coordinates result;
    for (const auto& at : levels_.at) result.push_back(at[static_cast<std::size_t>(rank)]);
    return result;
  }

  struct Step {
    Rank source = 0, target = 0;
    Move move = Move::copy;
  };

  static void append(std::vector<Transfer>& list, const Transfer& like, Rank piece,
                     const Step& step) {
    if (!list.empty()) {
      Transfer& last = list.back();
      if (last.source == step.source && last.target == step.target && last.move == step.move &&
          last.first + last.count == piece) {
        ++last.count;
        return;
      }
    }
    list.push_back(like);
    Transfer& added = list.back();
    added.source = step.source;
    added.target = step.target;
    added.move = step.move;
    added.first = added.to = piece;
    added.count = 1;
  }

  [[nodiscard]] std::optional<Rank> relay(Rank source, Rank target) const {
    const Coordinates from = where(source), to = where(target);
    for (std::size_t axis = 0; axis < from.size(); ++axis) {
      if (!levels_.is_cable[axis] || from[axis] == to[axis]) continue;
      Coordinates across = from, inside = to;
      across[axis] = to[axis];
      inside[axis] = from[axis];
      const auto found = rank_.find(inside);
      if (!rank_.contains(across) && found != rank_.end()) return found->second;
    }
    return std::nullopt;
  }

  const Levels& levels_;
  std::map<Coordinates, Rank> rank_;
};

// The way back.
std::vector<Transfer> reversed(std::vector<Transfer> transfers) {
  for (Transfer& one : transfers) {
    std::swap(one.source, one.target);
    one.move = Move::copy;
  }
  return transfers;
}

// The share of a stripe that begins at an axis. As in a box, the first stage of all stripes takes
// the same time. Who is alone on its line has all of the stripe in the later stages, so that such a
// stripe gets less: of 0.3, 0.45, 0.6, 0.7 and 0.85, this was the fastest for all-reduces of 143
// of 144 chips.
double weight_of(const Levels& levels, std::size_t axis, std::size_t shortest_line) {
  constexpr double share_of_lonely = 0.6;
  const double n = levels.size[axis];
  return levels.rate[axis] * n / (n - 1) * (shortest_line == 1 ? share_of_lonely : 1);
}

void add(std::array<Phase, 2>& stage, std::vector<Transfer> transfers, const Detours& detours) {
  const std::vector<Transfer> second = detours.split(transfers);
  auto& to = stage[0].transfers;
  to.insert(to.end(), transfers.begin(), transfers.end());
  stage[1].transfers.insert(stage[1].transfers.end(), second.begin(), second.end());
}

std::vector<Phase> flattened(std::vector<std::array<Phase, 2>> stages) {
  std::vector<Phase> phases;
  for (auto& [first, second] : stages) {
    phases.push_back(std::move(first));
    if (!second.transfers.empty()) phases.push_back(std::move(second));
  }
  return phases;
}

}  // namespace

std::optional<Halves> partial_mesh(const Placement& placement) {
  // Transfers grow with the square of the ranks of a line, and few of them are alike: with chips
  // that hold different numbers of ranks, not even those of a chip's cores.
  const std::int32_t ranks_max = placement.is_even() ? 2048 : 512;
  const Levels& levels = placement.levels;
  const std::size_t axes = levels.size.size();
  if (axes < 3 || !placement.spans_switches || placement.ranks > ranks_max) return std::nullopt;
  const bool has_cores = levels.size[0] > 1;
  Halves halves{.algorithm = "switch mesh", .stripes = {}};
  const std::size_t stages_count = axes - (has_cores ? 0 : 1);
  // Of each stage, its transfers and the second steps of those that go in two.
  std::vector<std::array<Phase, 2>> scatter(stages_count), gather(stages_count);
  const Detours detours(levels, placement.ranks);
  for (std::size_t first = 1; first < axes; ++first) {
    Order order;
    if (has_cores) order.push_back(0);
    for (std::size_t i = 0; i + 1 < axes; ++i) order.push_back(1 + (first - 1 + i) % (axes - 1));
    const Stages stages(levels, order, placement.ranks);
    const auto stripe = static_cast<std::int16_t>(halves.stripes.size());
    const std::size_t shortest = stages.shortest_line(has_cores ? 1 : 0);
    halves.stripes.push_back(stages.stripe(weight_of(levels, first, shortest)));
    const auto transfers = stages.transfers(stripe);
    for (std::size_t stage = 0; stage < stages_count; ++stage) {
      add(scatter[stage], transfers[stage], detours);
      add(gather[stages_count - 1 - stage], reversed(transfers[stage]), detours);
    }
  }
  halves.scatter = flattened(std::move(scatter));
  halves.gather = flattened(std::move(gather));
  return halves;
}

}  // namespace trainyard::fabric
