// The parties of a finding as Python sees them: dictionaries.
#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "base/error.h"

namespace trainyard::binding {

// Keys role, actor, what, place, time_ns and run; the last two are None where they mean nothing.
[[nodiscard]] nanobind::list list_of_sides(const std::vector<base::Side>& sides);

}  // namespace trainyard::binding
