#include "graph/partition/products.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "graph/builder.h"
#include "graph/partition.h"

namespace trainyard::graph {

namespace {

// Of each dimension the names of axes, in parts where it has not all of an axis.
using Names = std::vector<std::vector<std::string>>;

std::string text_of(std::string_view mesh, const Names& names) {
  std::string dims;
  for (const std::vector<std::string>& dim : names)
    dims += fmt::format("{}{{{}}}", dims.empty() ? "" : ", ", fmt::join(dim, ", "));
  return fmt::format("#sdy.sharding<@{}, [{}]>", mesh, dims);
}

// "\"x\":(2)4" of each prime factor of an axis.
std::string part_of_axis(const Mesh& mesh, std::size_t axis) {
  std::int64_t before = 1;
  for (std::size_t i = axis; i-- > 0 && mesh.axes[i].name == mesh.axes[axis].name;)
    before *= mesh.axes[i].size;
  return fmt::format("\"{}\":({}){}", mesh.axes[axis].name, before, mesh.axes[axis].size);
}

Names names_of(const Sharding& sharding, std::size_t rank) {
  Names names(rank);
  for (std::size_t d = 0; d < std::min(rank, sharding.dims.size()); ++d)
    for (const std::size_t axis : sharding.dims[d])
      names[d].push_back(part_of_axis(*sharding.mesh, axis));
  return names;
}

const Mesh* mesh_of(const PlacedProduct& product) {
  for (const Sharding* each :
       {&product.operands_lie[0], &product.operands_lie[1], &product.result_lies})
    if (each->mesh != nullptr && !each->is_whole()) return each->mesh.get();
  return nullptr;
}

struct NamedAxis {
  std::string name;
  std::int64_t size = 1;
};
std::vector<NamedAxis> named_axes(const Mesh& mesh) {
  std::vector<NamedAxis> all;
  for (const Mesh::Axis& axis : mesh.axes) {
    if (all.empty() || all.back().name != axis.name) all.push_back({axis.name, 1});
    all.back().size *= axis.size;
  }
  std::erase_if(all, [](const NamedAxis& axis) { return axis.size == 1; });
  return all;
}

// The dimensions that a role divides: of both operands, none as -1.
struct DividedDims {
  std::int64_t lhs = -1, rhs = -1;
};

class Roles {
 public:
  explicit Roles(const PlacedProduct& product) {
    const auto integers = [&](const char* name) { return product.op.integers(name); };
    const auto& lhs = product.operands[0].shape;
    const auto& rhs = product.operands[1].shape;
    const auto batch = largest(lhs, integers("lhs_batching_dimensions"));
    if (batch) {
      dims_[index(ProductRole::batch)] = {integers("lhs_batching_dimensions")[*batch],
                                          integers("rhs_batching_dimensions")[*batch]};
    }
    const auto summed = largest(lhs, integers("lhs_contracting_dimensions"));
    if (summed) {
      dims_[index(ProductRole::contraction)] = {integers("lhs_contracting_dimensions")[*summed],
                                                integers("rhs_contracting_dimensions")[*summed]};
    }
    dims_[index(ProductRole::rows)].lhs = largest_free(lhs, integers("lhs_batching_dimensions"),
                                                       integers("lhs_contracting_dimensions"));
    dims_[index(ProductRole::columns)].rhs = largest_free(rhs, integers("rhs_batching_dimensions"),
                                                          integers("rhs_contracting_dimensions"));
    lhs_ = lhs;
    rhs_ = rhs;
  }

  [[nodiscard]] const DividedDims& of(ProductRole role) const { return dims_[index(role)]; }
  [[nodiscard]] bool is_there(ProductRole role) const {
    return role == ProductRole::nothing || of(role).lhs >= 0 || of(role).rhs >= 0;
  }
  [[nodiscard]] bool divides(ProductRole role, std::int64_t ways) const {
    const DividedDims& dims = of(role);
    return (dims.lhs < 0 || lhs_[static_cast<std::size_t>(dims.lhs)] % ways == 0) &&
           (dims.rhs < 0 || rhs_[static_cast<std::size_t>(dims.rhs)] % ways == 0);
  }

 private:
  static std::size_t index(ProductRole role) { return static_cast<std::size_t>(role); }

  static std::optional<std::size_t> largest(const std::vector<std::int64_t>& shape,
                                            std::span<const std::int64_t> dims) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (!best || shape.at(static_cast<std::size_t>(dims[i])) >
                       shape.at(static_cast<std::size_t>(dims[*best])))
        best = i;
    return best;
  }
  static std::int64_t largest_free(const std::vector<std::int64_t>& shape,
                                   std::span<const std::int64_t> batch,
                                   std::span<const std::int64_t> summed) {
    std::int64_t best = -1;
    for (std::int64_t d = 0; d < std::ssize(shape); ++d) {
      if (std::ranges::find(batch, d) != batch.end() ||
          std::ranges::find(summed, d) != summed.end())
        continue;
      if (best < 0 || shape[static_cast<std::size_t>(d)] > shape[static_cast<std::size_t>(best)])
        best = d;
    }
    return best;
  }

  std::vector<std::int64_t> lhs_, rhs_;
  std::array<DividedDims, 5> dims_{};
};

void add_ways(const Roles& roles, std::span<const NamedAxis> axes, ProductWay way,
              std::map<ProductRole, std::int64_t> parts, std::vector<ProductWay>& all) {
  if (axes.empty()) return all.push_back(std::move(way));
  for (const ProductRole role : {ProductRole::nothing, ProductRole::batch, ProductRole::rows,
                                 ProductRole::columns, ProductRole::contraction}) {
    const std::int64_t ways =
        role == ProductRole::nothing ? 1 : parts.try_emplace(role, 1).first->second * axes[0].size;
    if (!roles.is_there(role) || !roles.divides(role, ways)) continue;
    ProductWay next = way;
    next.roles.emplace_back(axes[0].name, role);
    auto counted = parts;
    counted[role] = ways;
    add_ways(roles, axes.subspan(1), std::move(next), std::move(counted), all);
  }
}

ValueId constrained(Builder& ops, ValueId value, std::string sharding) {
  return ops.emit(OpKind::custom_call, {value}, ops.type(value),
                  {{"call_target_name", {std::string(sharding_constraint)}},
                   {"sharding", {std::move(sharding)}}});
}

Dictionary lies(const std::string& mesh, const Sharding& sharding, const Type& type) {
  return {{"sdy.sharding", {text_of(mesh, names_of(sharding, type.shape.size()))}}};
}

}  // namespace

std::string_view name(ProductRole role) {
  switch (role) {
    case ProductRole::nothing: return "nothing";
    case ProductRole::batch: return "batch";
    case ProductRole::rows: return "rows";
    case ProductRole::columns: return "columns";
    case ProductRole::contraction: return "contraction";
  }
  return "";
}

std::vector<ProductWay> ways_of(const PlacedProduct& product) {
  std::vector<ProductWay> all;
  const Mesh* const mesh = mesh_of(product);
  if (mesh != nullptr) add_ways(Roles(product), named_axes(*mesh), {}, {}, all);
  return all;
}

Module alone(const PlacedProduct& product, const Dictionary& attributes, const ProductWay* way) {
  std::string mesh;
  for (const auto& [name, known] : meshes_of({.attributes = attributes}))
    if (mesh_of(product) != nullptr && *known == *mesh_of(product)) mesh = name;
  base::check(!mesh.empty(), "a product that lies on a mesh of its program");
  ModuleBuilder builder("product");
  std::vector<ValueId> operands;
  for (const Type& type : product.operands) operands.push_back(builder.argument(type));
  if (way != nullptr) {
    const Roles roles(product);
    Names lhs(product.operands[0].shape.size()), rhs(product.operands[1].shape.size());
    for (const auto& [axis, role] : way->roles) {
      const DividedDims& dims = roles.of(role);
      if (dims.lhs >= 0) lhs[static_cast<std::size_t>(dims.lhs)].push_back('"' + axis + '"');
      if (dims.rhs >= 0) rhs[static_cast<std::size_t>(dims.rhs)].push_back('"' + axis + '"');
    }
    operands[0] = constrained(builder.ops(), operands[0], text_of(mesh, lhs));
    operands[1] = constrained(builder.ops(), operands[1], text_of(mesh, rhs));
  }
  const ValueId result =
      builder.ops().emit(OpKind::dot_general, operands, product.result, product.op.attributes);
  Module module = builder.finish({result});
  module.attributes = attributes;
  Function& main = module.functions.front();
  main.is_public = true;
  for (std::size_t i = 0; i < operands.size(); ++i)
    main.argument_attributes.push_back(lies(mesh, product.operands_lie[i], product.operands[i]));
  main.result_attributes.push_back(lies(mesh, product.result_lies, product.result));
  return module;
}

}  // namespace trainyard::graph
