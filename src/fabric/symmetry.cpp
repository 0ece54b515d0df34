#include "fabric/symmetry.h"

#include <algorithm>
#include <set>

namespace trainyard::fabric {

namespace {

// A coordinate of ranks, and where translations carry its values: to the first of their orbit.
struct MovedAxis {
  std::int64_t size = 1;
  std::vector<std::int64_t> first;
  std::size_t occupied = 0;
  std::uint32_t each = 1;
};

// Members of a switch may change places in any way, those of a ring or of cables only go around,
// and all of them: around an even ring by two, as ties are broken by the parity of a place.
MovedAxis axis_of(const Dimension& dimension, const std::set<std::int64_t>& occupied, Moves moves) {
  MovedAxis axis{.size = dimension.size, .first = {}, .occupied = occupied.size()};
  for (std::int64_t i = 0; i < axis.size; ++i) axis.first.push_back(i);
  if (moves == Moves::chips && dimension.is_on_chip) return axis;
  const auto count = static_cast<std::int64_t>(occupied.size());
  if (dimension.is_ordered && count < dimension.size) return axis;
  const std::int64_t step = std::min(dimension.stride, count);
  if (count % step != 0) return axis;
  const std::vector<std::int64_t> places(occupied.begin(), occupied.end());
  for (std::int64_t i = 0; i < count; ++i)
    axis.first[static_cast<std::size_t>(places[static_cast<std::size_t>(i)])] =
        places[static_cast<std::size_t>(i % step)];
  axis.each = static_cast<std::uint32_t>(count / step);
  return axis;
}

std::int64_t first_of(std::int64_t rank, const std::vector<MovedAxis>& axes) {
  std::int64_t result = 0, stride = 1;
  for (const MovedAxis& axis : axes) {
    result += axis.first[static_cast<std::size_t>(rank / stride % axis.size)] * stride;
    stride *= axis.size;
  }
  return result;
}

}  // namespace

std::optional<Orbits> orbits(const Network& network, const std::vector<std::int32_t>& ranks,
                             Moves moves) {
  if (network.is_altered()) return std::nullopt;
  std::vector<MovedAxis> axes;
  Orbits result;
  std::size_t box = 1;
  std::int64_t stride = 1;
  for (const Dimension& dimension : network.dimensions()) {
    std::set<std::int64_t> occupied;
    for (const std::int32_t rank : ranks) occupied.insert(rank / stride % dimension.size);
    axes.push_back(axis_of(dimension, occupied, moves));
    box *= axes.back().occupied;
    result.each *= axes.back().each;
    stride *= dimension.size;
  }
  if (box != ranks.size()) return std::nullopt;
  std::vector<std::int64_t> first;
  for (std::int64_t rank = 0; rank < network.ranks(); ++rank) first.push_back(first_of(rank, axes));
  std::vector<std::uint32_t> place(first.size());
  for (std::uint32_t i = 0; i < ranks.size(); ++i) place[static_cast<std::size_t>(ranks[i])] = i;
  for (const std::int32_t rank : ranks) {
    const auto of = static_cast<std::size_t>(first[static_cast<std::size_t>(rank)]);
    result.actors.push_back(place[of]);
  }
  for (std::uint32_t r = 0; r < network.resources(); ++r)
    result.resources.push_back(network.moved(r, first));
  return result;
}

}  // namespace trainyard::fabric
