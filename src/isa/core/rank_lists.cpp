#include "isa/core/rank_lists.h"

#include <algorithm>
#include <utility>

#include "base/stable_sort.h"

namespace trainyard::isa {

IndexedRankLists::IndexedRankLists(RankLists lists) : lists_(std::move(lists)) {
  for (std::uint32_t list = 0; list < lists_.size(); ++list) {
    std::uint32_t position = 0;
    for (const std::int32_t rank : lists_[list]) places_.push_back({rank, list, position++});
  }
  base::stable_sort(places_, {}, &RankPlace::rank);
  are_disjoint_ = std::ranges::none_of(lists_, &std::vector<std::int32_t>::empty) &&
                  std::ranges::adjacent_find(places_, {}, &RankPlace::rank) == places_.end();
}

std::span<const RankPlace> IndexedRankLists::places_of(std::int32_t rank) const {
  return std::ranges::equal_range(places_, rank, {}, &RankPlace::rank);
}

}  // namespace trainyard::isa
