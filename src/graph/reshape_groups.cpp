#include "graph/reshape_groups.h"

namespace trainyard::graph {

std::vector<ReshapeGroup> reshape_groups(const std::vector<std::int64_t>& from,
                                         const std::vector<std::int64_t>& to) {
  std::vector<ReshapeGroup> all;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    ReshapeGroup group{i, i, j, j};
    std::int64_t left = i < from.size() ? from[i++] : 1, right = j < to.size() ? to[j++] : 1;
    while (left != right && (left < right ? i < from.size() : j < to.size())) {
      if (left < right) {
        left *= from[i++];
      } else {
        right *= to[j++];
      }
    }
    group.from_last = i;
    group.to_last = j;
    all.push_back(group);
  }
  return all;
}

}  // namespace trainyard::graph
