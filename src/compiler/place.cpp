#include "compiler/place.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

#include "base/units.h"

namespace trainyard::compiler {

namespace {

// Bytes [first, second).
using Range = std::pair<std::int64_t, std::int64_t>;

// Pieces in the order of first use, none of them fixed: each takes free bytes until its life ends.
class InTurn {
 public:
  InTurn(std::vector<Storage>& pieces, const PlacementLimits& limits)
      : pieces_(pieces), limits_(limits), free_{{0, limits.capacity}} {}

  // The first free place at or after `from`, going round once.
  bool find(std::size_t i, std::int64_t from) {
    return found(
        i, [&](Storage& piece) { return take(piece, from) || (from != 0 && take(piece, 0)); });
  }
  // The last free place.
  bool find_last(std::size_t i) {
    return found(i, [&](Storage& piece) { return take_last(piece); });
  }

 private:
  template <typename F>
  bool found(std::size_t i, F&& take_place) {
    Storage& piece = pieces_[i];
    while (!ends_.empty() && ends_.top().first < piece.life.first) {
      give(pieces_[ends_.top().second]);
      ends_.pop();
    }
    if (!take_place(piece)) return false;
    ends_.emplace(piece.life.last, i);
    return true;
  }
  bool take_last(Storage& piece) {
    for (auto range = free_.rbegin(); range != free_.rend(); ++range) {
      const auto [begin, end] = *range;
      const std::int64_t at = (end - piece.size) / limits_.alignment * limits_.alignment;
      if (end - piece.size < 0 || at < begin) continue;
      return take(piece, at);
    }
    return false;
  }
  bool take(Storage& piece, std::int64_t from) {
    auto range = free_.upper_bound(from);
    if (range != free_.begin() && std::prev(range)->second > from) --range;
    for (; range != free_.end(); ++range) {
      const auto [begin, end] = *range;
      const std::int64_t at = base::round_up(std::max(begin, from), limits_.alignment);
      if (at + piece.size > end) continue;
      free_.erase(range);
      if (begin < at) free_.emplace(begin, at);
      if (at + piece.size < end) free_.emplace(at + piece.size, end);
      piece.address = at;
      return true;
    }
    return false;
  }
  void give(const Storage& piece) {
    Range range{piece.address, piece.address + piece.size};
    auto next = free_.lower_bound(range.first);
    if (next != free_.end() && next->first == range.second) {
      range.second = next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin() && std::prev(next)->second == range.first) {
      std::prev(next)->second = range.second;
    } else {
      free_.emplace(range);
    }
  }

  std::vector<Storage>& pieces_;
  PlacementLimits limits_;
  std::map<std::int64_t, std::int64_t> free_;  // ranges that do not touch each other
  using End = std::pair<std::uint32_t, std::size_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;  // of the pieces in place
};

class Placer {
 public:
  Placer(std::vector<Storage>& pieces, const PlacementLimits& limits, Policy policy,
         unsigned variant)
      : pieces_(pieces), limits_(limits), policy_(policy), variant_(variant) {}

  std::optional<std::size_t> run() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].fixed) keep(i);
    }
    InTurn in_turn(pieces_, limits_);
    const bool is_in_turn = !packs() && placed_.empty();
    std::int64_t cursor = 0;
    const std::vector<std::size_t> all = order();
    std::vector<bool> outlives;
    if (policy_ == Policy::rotate_short && is_in_turn) outlives = outlive_a_round(all);
    for (const std::size_t i : all) {
      if (!outlives.empty() && outlives[i]) {
        if (!in_turn.find_last(i)) return i;
        continue;
      }
      const std::int64_t from = policy_ == Policy::first_fit || packs() ? 0 : cursor;
      if (is_in_turn ? !in_turn.find(i, from) : !find(i, from)) return i;
      cursor = pieces_[i].address + pieces_[i].size;
      if (!is_in_turn) keep(i);
    }
    return std::nullopt;
  }

 private:
  // Of each piece, whether those that begin while it lives fill the memory.
  [[nodiscard]] std::vector<bool> outlive_a_round(const std::vector<std::size_t>& in_turn) const {
    std::vector<bool> outlives(pieces_.size(), false);
    std::vector<std::int64_t> begun{0};  // bytes, before each in turn
    std::vector<std::uint32_t> firsts;
    for (const std::size_t i : in_turn) {
      begun.push_back(begun.back() + pieces_[i].size);
      firsts.push_back(pieces_[i].life.first);
    }
    for (std::size_t k = 0; k < in_turn.size(); ++k) {
      const auto end = std::ranges::upper_bound(firsts, pieces_[in_turn[k]].life.last);
      const auto last = static_cast<std::size_t>(end - firsts.begin());
      outlives[in_turn[k]] = begun[last] - begun[k] > limits_.capacity;
    }
    return outlives;
  }

  [[nodiscard]] Range range(std::size_t i) const {
    return {pieces_[i].address, pieces_[i].address + pieces_[i].size};
  }
  void keep(std::size_t i) {
    const auto by_range = [&](std::size_t a, std::size_t b) { return range(a) < range(b); };
    placed_.insert(std::ranges::upper_bound(placed_, i, by_range), i);
  }

  [[nodiscard]] bool packs() const {
    return policy_ == Policy::largest_first || policy_ == Policy::side_by_side;
  }

  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> all;
    all.reserve(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].fixed) all.push_back(i);
    }
    std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
      if (packs()) return pieces_[a].size > pieces_[b].size;
      return pieces_[a].life.first < pieces_[b].life.first;
    });
    return all;
  }

  // The first free place at or after `from`, going round once, at the partitions that are best.
  bool find(std::size_t i, std::int64_t from) {
    Storage& piece = pieces_[i];
    std::optional<std::int64_t> best;
    const std::size_t choice = start_of_.size();  // groups that have chosen
    const bool high = choice < 32 && (variant_ >> choice & 1U) != 0;
    for (const int start : starts(piece)) {
      const std::optional<std::int64_t> address = find_at(i, start, from);
      if (!address || (best && (high ? *best >= *address : *best <= *address))) continue;
      best = address;
      piece.partition_start = start;
    }
    if (!best) return false;
    piece.address = *best;
    if (piece.group != 0) start_of_.emplace(piece.group, piece.partition_start);
    return true;
  }

  [[nodiscard]] std::vector<int> starts(const Storage& piece) const {
    if (policy_ != Policy::side_by_side || piece.group == 0) return {piece.partition_start};
    if (const auto known = start_of_.find(piece.group); known != start_of_.end())
      return {known->second};
    std::vector<int> all;
    for (int start = 0; start + piece.start_step <= limits_.partitions; start += piece.start_step)
      all.push_back(start);
    return all;
  }

  [[nodiscard]] std::optional<std::int64_t> find_at(std::size_t i, int start, std::int64_t from) {
    busy_.clear();
    for (const std::size_t other : placed_) {
      const Storage& piece = pieces_[other];
      if (!piece.life.meets(pieces_[i].life) || !shares_partitions(piece, pieces_[i], start))
        continue;
      busy_.push_back(range(other));
    }
    if (const auto address = gap(pieces_[i].size, from)) return address;
    return from == 0 ? std::nullopt : gap(pieces_[i].size, 0);
  }

  [[nodiscard]] bool shares_partitions(const Storage& placed, const Storage& piece,
                                       int start) const {
    return policy_ != Policy::side_by_side || (placed.partition_start < start + piece.partitions &&
                                               start < placed.partition_start + placed.partitions);
  }

  // The first address from `at` on that a piece of this size may have.
  [[nodiscard]] std::int64_t allowed(std::int64_t at, std::int64_t size) const {
    at = base::round_up(at, limits_.alignment);
    if (limits_.block == 0 || at % limits_.block + size <= limits_.block) return at;
    return base::round_up(at, limits_.block);
  }

  [[nodiscard]] std::optional<std::int64_t> gap(std::int64_t wanted, std::int64_t from) const {
    std::int64_t at = allowed(from, wanted);
    for (const auto& [start, end] : busy_) {
      if (end <= at) continue;
      if (start - at >= wanted) break;
      at = std::max(at, allowed(end, wanted));
    }
    if (at + wanted > limits_.capacity) return std::nullopt;
    return at;
  }

  std::vector<Storage>& pieces_;
  PlacementLimits limits_;
  Policy policy_;
  unsigned variant_;
  std::vector<std::size_t> placed_;  // by their ranges
  std::vector<Range> busy_;
  std::unordered_map<std::uint32_t, int> start_of_;  // of each group
};

}  // namespace

std::optional<std::size_t> place(std::vector<Storage>& pieces, const PlacementLimits& limits,
                                 Policy policy, unsigned variant) {
  return Placer(pieces, limits, policy, variant).run();
}

}  // namespace trainyard::compiler
