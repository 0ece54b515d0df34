// A collective as a schedule: who sends which piece to whom, and where arrivals are added. The same
// schedule is run on values (values.h) and on time (simulate.h). Ranks are places in a group, from
// 0; where they are is known to the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/network.h"

namespace trainyard::fabric {

enum class CollectiveOp : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  permute,  // each rank to the next one
  send_receive,
  broadcast,
  barrier,
};
[[nodiscard]] std::string_view name(CollectiveOp operation);

inline constexpr std::int16_t own_channel = -1;

// The bytes of a stripe are cut into as many pieces as the group has ranks. A transfer moves
// `count` pieces from place `first` of the source to place `to` of the target.
struct Transfer {
  std::int32_t source = 0, target = 0;
  std::int32_t first = 0, count = 1, to = 0;
  std::int16_t stripe = 0;
  // Transfers of one rank and channel follow one another in the order of the list, as descriptors
  // of a DMA ring do; those of own_channel have a ring of their own.
  std::int16_t channel = own_channel;
  Move move = Move::copy;
  float part = 1;  // of the bytes of its pieces: where the parts of an all-to-all differ
};

// Transfers from every rank to every other one, each on a ring of its own. Not listed one by one:
// they grow with the square of the ranks.
struct Pairs {
  enum class Piece : std::uint8_t { all, of_source, of_target };
  Piece from = Piece::all, to = Piece::all;
  bool is_empty = false;  // a semaphore and no bytes
  Move move = Move::copy;

  [[nodiscard]] Transfer between(std::int32_t source, std::int32_t target,
                                 std::int32_t ranks) const {
    const auto place = [&](Piece piece) {
      return piece == Piece::all ? 0 : piece == Piece::of_source ? source : target;
    };
    const std::int32_t count = is_empty ? 0 : from == Piece::all ? ranks : 1;
    return {.source = source,
            .target = target,
            .first = place(from),
            .count = count,
            .to = place(to),
            .move = move};
  }
};

// Transfers in one stripe between all ranks whose places differ in one digit alone, each on a ring
// of its own: a place is a number whose digits are those of an axis each. Not listed one by one
// either.
struct Lines {
  enum class Piece : std::uint8_t { of_source, of_target };
  std::int16_t stripe = 0;
  std::int32_t block = 1, size = 1;  // what the digit counts, and how many values it has
  Piece piece = Piece::of_source;    // the block of pieces that moves, and stays at its place
  Move move = Move::copy;

  // From the rank at a place to the one that is `step` further on its line.
  [[nodiscard]] Transfer from(std::int32_t at, std::int32_t step,
                              const std::vector<std::int32_t>& rank_at) const {
    const std::int32_t digit = at / block % size;
    const std::int32_t peer = at + ((digit + step) % size - digit) * block;
    const std::int32_t first = (piece == Piece::of_source ? at : peer) / block * block;
    return {.source = rank_at[static_cast<std::size_t>(at)],
            .target = rank_at[static_cast<std::size_t>(peer)],
            .first = first,
            .count = block,
            .to = first,
            .stripe = stripe,
            .move = move};
  }
};

// What happens between two waits: a rank's transfers of a stripe start when all arrivals of earlier
// phases on that stripe are there. Repeated with all places moved on by `shift` each time.
struct Phase {
  std::vector<Transfer> transfers = {};
  std::optional<Pairs> pairs = std::nullopt;  // more of them
  std::vector<Lines> lines = {};              // and more
  std::int32_t repeat = 1;
  std::int32_t shift = 0;
  bool from_input = false;  // sources are the ranks' inputs, not what has arrived
  bool rings = false;       // the wait of a ring, else of a step
};

// A share of the buffer that goes its own way. Places are those of the algorithm; `place` says
// where the piece that belongs to a rank stands, nothing where ranks are in order.
struct Stripe {
  double weight = 1;
  std::vector<std::int32_t> place = {};
  std::vector<std::int32_t> rank_at = {};  // the other way round, where a phase has lines
};

struct Schedule {
  std::string algorithm = {};
  std::int32_t ranks = 1;
  std::vector<Stripe> stripes = {{}};
  std::vector<Phase> phases = {};

  [[nodiscard]] std::int64_t steps() const;
};

// Those of a phase in their order. `sends`: whether a rank's pairs and lines are wanted.
template <typename Sends, typename Visit>
void for_each_transfer(const Phase& phase, const Schedule& schedule, Sends&& sends, Visit&& visit) {
  const std::int32_t ranks = schedule.ranks;
  for (const Transfer& transfer : phase.transfers) visit(transfer);
  for (const Lines& lines : phase.lines) {
    const auto& rank_at = schedule.stripes[static_cast<std::size_t>(lines.stripe)].rank_at;
    for (std::int32_t at = 0; at < ranks; ++at) {
      if (!sends(rank_at[static_cast<std::size_t>(at)])) continue;
      for (std::int32_t step = 1; step < lines.size; ++step) visit(lines.from(at, step, rank_at));
    }
  }
  for (std::int32_t source = 0; phase.pairs && source < ranks; ++source) {
    if (!sends(source)) continue;
    for (std::int32_t target = 0; target < ranks; ++target) {
      if (source != target) visit(phase.pairs->between(source, target, ranks));
    }
  }
}

// `place` moved on by a phase's shift.
[[nodiscard]] inline std::int32_t moved(std::int32_t place, const Phase& phase, std::int32_t times,
                                        std::int32_t ranks) {
  const std::int64_t at = place + static_cast<std::int64_t>(phase.shift) * times;
  return static_cast<std::int32_t>((at % ranks + ranks) % ranks);
}

}  // namespace trainyard::fabric
