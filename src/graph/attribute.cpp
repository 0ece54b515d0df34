#include "graph/attribute.h"

#include <algorithm>
#include <utility>

namespace trainyard::graph {

Dictionary sorted_by_name(Dictionary entries) {
  std::ranges::stable_sort(entries, {}, &NamedAttribute::name);
  return entries;
}

}  // namespace trainyard::graph
