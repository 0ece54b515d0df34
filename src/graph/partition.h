// What each device does of a program for several devices: values are divided as their shardings
// say, other values follow from those that they are computed from, and devices exchange what they
// lack. What no rule knows how to divide is computed whole on every device.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/module.h"
#include "graph/partition/products.h"
#include "graph/sharding.h"

namespace trainyard::graph {

// What readers leave of Shardy's operations, as targets of custom calls.
inline constexpr std::string_view sharding_constraint = "sdy.sharding_constraint";
inline constexpr std::string_view manual_computation = "sdy.manual_computation";

// The devices that the program is for: of JAX's attribute.
inline constexpr std::string_view partitions_attribute = "mhlo.num_partitions";
[[nodiscard]] std::int64_t partitions(const Module& module);

struct Partitioned {
  Module module;  // of one device
  std::vector<Sharding> arguments, results;
  // What had to be gathered to be computed whole, with places in the author's source.
  std::vector<std::string> computed_whole;
  std::vector<PlacedProduct> products;  // in order, those of loops once
};

// Throws InputError "graph.devices".
[[nodiscard]] Partitioned partition(const Module& module);

}  // namespace trainyard::graph
