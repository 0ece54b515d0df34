#include "serving/groups.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::serving {

namespace {

constexpr int parts_max = 16;       // of the layers of one window
constexpr double unused_max = 0.1;  // of the cache

double count_groups(double elements, double of_group) { return std::ceil(elements / of_group); }

}  // namespace

Groups group_layers(const std::vector<CachedLayers>& layers) {
  std::map<std::int32_t, double> kinds;
  double all = 0;
  for (const CachedLayers& one : layers) {
    if (one.elements <= 0) continue;
    kinds[one.window] += one.elements;
    all += one.elements;
  }
  if (kinds.empty()) return {.windows = {0}, .elements = 0};
  const double most = std::max(parts_max, static_cast<int>(kinds.size()));
  double best = 0, best_unused = 0;
  for (const auto& [window, elements] : kinds) {
    for (int parts = 1; parts <= parts_max; ++parts) {
      const double of_group = std::ceil(elements / parts);
      double groups = 0;
      for (const auto& kind : kinds) groups += count_groups(kind.second, of_group);
      const double unused = groups * of_group / all - 1;
      if (groups > most) continue;
      const bool is_better = unused <= unused_max
                                 ? best_unused > unused_max || of_group > best
                                 : best_unused > unused_max && unused < best_unused;
      if (best > 0 && !is_better) continue;
      best = of_group;
      best_unused = unused;
    }
  }
  Groups found{.elements = best};
  for (const auto& [window, elements] : kinds)
    found.windows.insert(found.windows.end(),
                         static_cast<std::size_t>(count_groups(elements, best)), window);
  return found;
}

double kept_tokens(const std::vector<std::int32_t>& windows, double tokens) {
  double sum = 0;
  for (const std::int32_t window : windows)
    sum += window == 0 ? tokens : std::min(tokens, static_cast<double>(window));
  return sum;
}

}  // namespace trainyard::serving
