// How a value lies on the devices of a mesh: each dimension is divided along axes of the mesh, or
// whole on all of them. Read from the text that Shardy's attributes are kept as. An axis of that
// text is kept as its prime factors, the slowest first, each an axis of its own: parts of axes, and
// dimensions that share one, are lists of axes like all others.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

struct Mesh {
  struct Axis {
    std::string name;
    std::int64_t size = 1;
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::vector<Axis> axes{};         // of one name side by side: factors of one
  std::vector<std::int64_t> ids{};  // the device at each place, row-major; none: in order

  [[nodiscard]] std::int64_t devices() const;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

using Axes = std::vector<std::size_t>;  // of a mesh; the first one is the slowest
[[nodiscard]] bool starts_with(const Axes& all, const Axes& first);

struct Sharding {
  std::shared_ptr<const Mesh> mesh{};  // none: whole on every device
  std::vector<Axes> dims{};            // of each dimension
  std::vector<bool> open{};            // "?": the partitioner may divide it further

  [[nodiscard]] bool is_whole() const;
  [[nodiscard]] const Axes& axes(std::size_t dim) const;
  [[nodiscard]] bool uses(std::size_t axis) const;
  [[nodiscard]] std::int64_t ways(std::size_t dim) const;  // parts of that dimension
  [[nodiscard]] std::int64_t parts() const;                // of the value
};
// Divided along whole axes only, as far as those come first in each dimension.
[[nodiscard]] Sharding along_whole_axes(Sharding sharding);
[[nodiscard]] bool lies_alike(const Sharding& a, const Sharding& b);

[[nodiscard]] std::int64_t size_of(const Mesh& mesh, const Axes& axes);
// What a device holds of it.
[[nodiscard]] Type part_of(Type type, const Sharding& sharding);
// The devices that differ in those axes only, each list in their order.
[[nodiscard]] std::vector<std::vector<std::int64_t>> groups_along(const Mesh& mesh,
                                                                  const Axes& axes);
// For each device its place along those axes.
[[nodiscard]] std::vector<std::int64_t> places_along(const Mesh& mesh, const Axes& axes);

using Meshes = std::map<std::string, std::shared_ptr<const Mesh>, std::less<>>;
[[nodiscard]] Meshes meshes_of(const Module& module);

// "#sdy.sharding<@mesh, [{"x"}, {"y":(2)4}]>". Throws InputError "graph.devices" for what is not
// known: parts of axes that are no product of their factors, sums that are not complete.
[[nodiscard]] Sharding read_sharding(std::string_view text, const Meshes& meshes,
                                     const std::string& place);
// "#sdy.sharding_per_value<[...]>".
[[nodiscard]] std::vector<Sharding> read_shardings(std::string_view text, const Meshes& meshes,
                                                   const std::string& place);

}  // namespace trainyard::graph
