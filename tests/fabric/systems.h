// Networks that several tests use, made once.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "fabric/network.h"
#include "fabric/problem.h"

namespace trainyard::fabric {

inline const Network& network(const std::string& name, std::int64_t cores_per_rank) {
  static std::map<std::pair<std::string, std::int64_t>, Network> known;
  return known.try_emplace({name, cores_per_rank}, machine::load_system(name), cores_per_rank)
      .first->second;
}

inline Group every(std::int32_t first, std::int32_t count, std::int32_t stride = 1) {
  Group group;
  for (std::int32_t i = 0; i < count; ++i) group.push_back(first + i * stride);
  return group;
}

}  // namespace trainyard::fabric
