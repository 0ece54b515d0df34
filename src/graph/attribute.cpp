#include "graph/attribute.h"

#include <utility>

#include "base/stable_sort.h"

namespace trainyard::graph {

Dictionary sorted_by_name(Dictionary entries) {
  base::stable_sort(entries, {}, &NamedAttribute::name);
  return entries;
}

}  // namespace trainyard::graph
