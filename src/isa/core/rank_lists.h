// Lists of ranks that a program names, and where in them each rank is: found in logarithmic time,
// since a run asks for every rank of every collective.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard::isa {

// Groups, each in its order, or pairs of a source and a target.
using RankLists = std::vector<std::vector<std::int32_t>>;

struct RankPlace {
  std::int32_t rank = 0;
  std::uint32_t list = 0, position = 0;
};

class IndexedRankLists {
 public:
  explicit IndexedRankLists(RankLists lists);

  [[nodiscard]] const RankLists& lists() const { return lists_; }
  // Whether each list holds a rank, and no rank is there twice.
  [[nodiscard]] bool are_disjoint() const { return are_disjoint_; }
  // The lowest and the highest rank; there is one.
  [[nodiscard]] std::int32_t lowest() const { return places_.front().rank; }
  [[nodiscard]] std::int32_t highest() const { return places_.back().rank; }
  // Of one rank, in the order of the lists; usually there is at most one.
  [[nodiscard]] std::span<const RankPlace> places_of(std::int32_t rank) const;

 private:
  RankLists lists_;
  std::vector<RankPlace> places_;  // by rank
  bool are_disjoint_ = false;
};

}  // namespace trainyard::isa
