#include "graph/sharding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <utility>

#include "base/error.h"

namespace trainyard::graph {

namespace {

const Axes none;

Axes factors_of(const Mesh& mesh, std::string_view name) {
  Axes factors;
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (mesh.axes[axis].name == name) factors.push_back(axis);
  }
  return factors;
}

class Reader {
 public:
  Reader(std::string_view text, const Meshes& meshes, const std::string& place)
      : text_(text), meshes_(meshes), place_(place) {}

  Sharding sharding() {
    expect("#sdy.sharding<@");
    const auto mesh = meshes_.find(until(",>"));
    if (mesh == meshes_.end()) unknown();
    Sharding result{.mesh = mesh->second};
    expect(", [");
    while (!accept("]")) {
      if (!result.dims.empty()) expect(", ");
      bool open = false;
      result.dims.push_back(axes(*mesh->second, open));
      result.open.push_back(open);
      if (accept("p")) static_cast<void>(until(",]"));
    }
    bool open = false;
    if (accept(", replicated=")) static_cast<void>(axes(*mesh->second, open));
    if (accept(", unreduced=") && !axes(*mesh->second, open).empty()) unknown();
    expect(">");
    return result;
  }

  std::vector<Sharding> shardings() {
    std::vector<Sharding> all;
    expect("#sdy.sharding_per_value<[");
    while (!accept("]")) {
      if (!all.empty()) expect(", ");
      all.push_back(sharding());
    }
    expect(">");
    return all;
  }

 private:
  Axes axes(const Mesh& mesh, bool& open) {
    Axes list;
    expect("{");
    while (!accept("}")) {
      if (!list.empty() || open) expect(", ");
      if (accept("?")) {
        open = true;
        continue;
      }
      expect("\"");
      const std::string_view name = until("\"");
      expect("\"");
      const Axes factors = accept(":(") ? part_of_axis(mesh, name) : all_of_axis(mesh, name);
      list.insert(list.end(), factors.begin(), factors.end());
    }
    std::erase_if(list, [&](std::size_t axis) { return mesh.axes[axis].size == 1; });
    return list;
  }

  Axes all_of_axis(const Mesh& mesh, std::string_view name) const {
    Axes factors = factors_of(mesh, name);
    if (factors.empty()) unknown();
    return factors;
  }

  // Behind "(": what is slower, and the part's size.
  Axes part_of_axis(const Mesh& mesh, std::string_view name) {
    const std::int64_t slower = number(until(")"));
    expect(")");
    const std::int64_t size = number(until(",}"));
    const Axes all = all_of_axis(mesh, name);
    Axes part;
    std::int64_t before = 1;
    for (const std::size_t axis : all) {
      if (before >= slower && size_of(mesh, part) < size) {
        if (before != slower && part.empty()) unknown();
        part.push_back(axis);
      }
      before *= mesh.axes[axis].size;
    }
    if (part.empty() || size_of(mesh, part) != size) unknown();
    return part;
  }

  [[nodiscard]] std::int64_t number(std::string_view digits) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < 1) unknown();
    return value;
  }

  bool accept(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) unknown();
  }
  std::string_view until(std::string_view ends) {
    const std::size_t end = text_.find_first_of(ends, at_);
    if (end == std::string_view::npos) unknown();
    const std::size_t begin = std::exchange(at_, end);
    return text_.substr(begin, end - begin);
  }
  [[noreturn]] void unknown() const {
    throw base::InputError(
        {"graph.devices", "a sharding divides dimensions along axes of a mesh or parts of them",
         place_, std::string(text_), "divide along axes of the mesh, and add sums up"});
  }

  std::string_view text_;
  const Meshes& meshes_;
  const std::string& place_;
  std::size_t at_ = 0;
};

std::vector<std::int64_t> numbers(const Attribute& attribute) {
  const auto* const list = std::get_if<std::vector<std::int64_t>>(&attribute.value);
  return list == nullptr ? std::vector<std::int64_t>() : *list;
}

// Of the place `at` in a mesh, its place along the axes.
std::int64_t along(const Mesh& mesh, const Axes& axes, std::int64_t at) {
  std::vector<std::int64_t> places(mesh.axes.size());
  for (std::size_t i = mesh.axes.size(); i-- > 0;) {
    places[i] = at % mesh.axes[i].size;
    at /= mesh.axes[i].size;
  }
  std::int64_t result = 0;
  for (const std::size_t axis : axes) result = result * mesh.axes[axis].size + places[axis];
  return result;
}

[[noreturn]] void malformed(std::string_view name) {
  throw base::InputError({"graph.devices", "a mesh has axes with sizes, and each device once", "",
                          std::string(name), "name every device of the mesh once"});
}

// Of an axis its prime factors, the smallest first.
std::vector<Mesh::Axis> axes_of(const Attribute& attribute) {
  const auto* const parts = std::get_if<AttributeList>(&attribute.value);
  if (parts == nullptr || parts->size() != 2) malformed("an axis without a size");
  const auto* const name = std::get_if<std::string>(&(*parts)[0].value);
  const auto* const size = std::get_if<std::int64_t>(&(*parts)[1].value);
  constexpr std::int64_t size_max = 1 << 20;
  if (name == nullptr || size == nullptr || *size < 1 || *size > size_max)
    malformed("an axis without a size");
  std::vector<Mesh::Axis> factors;
  std::int64_t rest = *size;
  for (std::int64_t factor = 2; rest > 1; ++factor) {
    for (; rest % factor == 0; rest /= factor) factors.push_back({*name, factor});
  }
  if (factors.empty()) factors.push_back({*name, 1});
  return factors;
}

// A mesh without axes names the one device that has all of a value.
void check_ids(const Mesh& mesh, std::string_view name) {
  if (mesh.ids.empty() || mesh.axes.empty()) return;
  std::vector<std::int64_t> sorted = mesh.ids;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) malformed(name);
  }
  if (std::ssize(sorted) != mesh.devices()) malformed(name);
}

std::int64_t device_at(const Mesh& mesh, std::int64_t place) {
  return mesh.ids.empty() ? place : mesh.ids.at(static_cast<std::size_t>(place));
}

}  // namespace

std::int64_t Mesh::devices() const {
  std::int64_t product = 1;
  for (const Axis& axis : axes) product *= axis.size;
  return product;
}

bool starts_with(const Axes& all, const Axes& first) {
  return first.size() <= all.size() && std::equal(first.begin(), first.end(), all.begin());
}

const Axes& Sharding::axes(std::size_t dim) const { return dim < dims.size() ? dims[dim] : none; }

bool Sharding::is_whole() const {
  return mesh == nullptr || std::ranges::all_of(dims, &Axes::empty);
}

bool Sharding::uses(std::size_t axis) const {
  return std::ranges::any_of(
      dims, [&](const Axes& axes) { return std::ranges::find(axes, axis) != axes.end(); });
}

std::int64_t Sharding::ways(std::size_t dim) const {
  return mesh == nullptr ? 1 : size_of(*mesh, axes(dim));
}

std::int64_t Sharding::parts() const {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) product *= ways(d);
  return product;
}

Sharding along_whole_axes(Sharding sharding) {
  if (sharding.is_whole()) return sharding;
  for (Axes& dim : sharding.dims) {
    std::span<const std::size_t> rest(dim);
    while (!rest.empty()) {
      const Axes factors = factors_of(*sharding.mesh, sharding.mesh->axes[rest[0]].name);
      if (factors.size() > rest.size() || !std::ranges::equal(factors, rest.first(factors.size())))
        break;
      rest = rest.subspan(factors.size());
    }
    dim.resize(dim.size() - rest.size());
  }
  return sharding;
}

bool lies_alike(const Sharding& a, const Sharding& b) {
  if (a.is_whole() || b.is_whole()) return a.is_whole() && b.is_whole();
  return *a.mesh == *b.mesh && a.dims == b.dims;
}

std::int64_t size_of(const Mesh& mesh, const Axes& axes) {
  std::int64_t product = 1;
  for (const std::size_t axis : axes) product *= mesh.axes[axis].size;
  return product;
}

Type part_of(Type type, const Sharding& sharding) {
  for (std::size_t d = 0; d < type.shape.size(); ++d) type.shape[d] /= sharding.ways(d);
  return type;
}

std::vector<std::vector<std::int64_t>> groups_along(const Mesh& mesh, const Axes& axes) {
  Axes others;
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (std::ranges::find(axes, axis) == axes.end()) others.push_back(axis);
  }
  std::vector<std::vector<std::int64_t>> groups(
      static_cast<std::size_t>(size_of(mesh, others)),
      std::vector<std::int64_t>(static_cast<std::size_t>(size_of(mesh, axes))));
  for (std::int64_t at = 0; at < mesh.devices(); ++at) {
    groups[static_cast<std::size_t>(along(mesh, others, at))]
          [static_cast<std::size_t>(along(mesh, axes, at))] = device_at(mesh, at);
  }
  return groups;
}

std::vector<std::int64_t> places_along(const Mesh& mesh, const Axes& axes) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(mesh.devices()));
  for (std::int64_t at = 0; at < mesh.devices(); ++at)
    places.at(static_cast<std::size_t>(device_at(mesh, at))) = along(mesh, axes, at);
  return places;
}

Meshes meshes_of(const Module& module) {
  constexpr std::string_view prefix = "sdy.mesh.";
  Meshes meshes;
  for (const NamedAttribute& attribute : module.attributes) {
    const auto* const parts = std::get_if<Dictionary>(&attribute.value.value);
    if (!attribute.name.starts_with(prefix) || parts == nullptr) continue;
    auto mesh = std::make_shared<Mesh>();
    for (const NamedAttribute& part : *parts) {
      if (part.name == "device_ids") mesh->ids = numbers(part.value);
      const auto* const axes = std::get_if<AttributeList>(&part.value.value);
      for (std::size_t i = 0; axes != nullptr && i < axes->size(); ++i)
        std::ranges::move(axes_of((*axes)[i]), std::back_inserter(mesh->axes));
    }
    check_ids(*mesh, attribute.name);
    meshes.emplace(attribute.name.substr(prefix.size()), std::move(mesh));
  }
  return meshes;
}

Sharding read_sharding(std::string_view text, const Meshes& meshes, const std::string& place) {
  return Reader(text, meshes, place).sharding();
}

std::vector<Sharding> read_shardings(std::string_view text, const Meshes& meshes,
                                     const std::string& place) {
  return Reader(text, meshes, place).shardings();
}

}  // namespace trainyard::graph
