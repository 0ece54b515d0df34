// Products of matrices of a program for several devices: how they were divided, and each alone,
// divided otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/module.h"
#include "graph/sharding.h"

namespace trainyard::graph {

// How a product lies among the program's values: its operands as they are before it, its result as
// those who read it want it.
struct PlacedProduct {
  Op op{};  // dot_general
  std::vector<Type> operands{};
  Type result{};
  std::vector<Sharding> operands_lie{};
  Sharding result_lies{};
};

// What an axis of a mesh divides of a product.
enum class ProductRole : std::uint8_t { nothing, batch, rows, columns, contraction };
[[nodiscard]] std::string_view name(ProductRole role);

// A role for each axis of the mesh, by name.
struct ProductWay {
  std::vector<std::pair<std::string, ProductRole>> roles{};
};

// The ways that divide evenly, the largest free and contracted dimensions each. Empty where nothing
// of the product lies on a mesh.
[[nodiscard]] std::vector<ProductWay> ways_of(const PlacedProduct& product);

// A program of that product alone: arguments and result lie as they do in the program that it is
// of, whose attributes (meshes, number of partitions) are given; it is divided in that way, or as
// the partitioner likes best.
[[nodiscard]] Module alone(const PlacedProduct& product, const Dictionary& attributes,
                           const ProductWay* way = nullptr);

}  // namespace trainyard::graph
