#include "graph/builder.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "graph/values.h"

namespace trainyard::graph {

using Dims = std::vector<std::int64_t>;

namespace {

// 0, 1, 2 ...
Dims first_dims(std::int64_t count) {
  Dims all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

ValueId Builder::emit(OpKind kind, std::vector<ValueId> operands, Type result,
                      Dictionary attributes, std::vector<Region> regions) {
  const ValueId made = function_.add_value(std::move(result));
  std::ranges::sort(attributes, {}, &NamedAttribute::name);
  ops_.push_back({.kind = kind,
                  .operands = std::move(operands),
                  .results = {made},
                  .attributes = std::move(attributes),
                  .regions = std::move(regions),
                  .location = location_});
  return made;
}

ValueId Builder::constant(Literal value) {
  const Type type = value.type;
  return emit(OpKind::constant, {}, type, {{"value", {std::move(value)}}});
}

ValueId Builder::number(Type type, double number) {
  const ValueId one = constant(filled({.element = type.element, .shape = {}}, number));
  return emit(OpKind::broadcast_in_dim, {one}, std::move(type),
              {{"broadcast_dimensions", {Dims{}}}});
}

ValueId Builder::reshape(ValueId value, Dims shape) {
  return emit(OpKind::reshape, {value},
              {.element = type(value).element, .shape = std::move(shape)});
}

ValueId Builder::spread(ValueId value, Dims places, Dims shape) {
  return emit(OpKind::broadcast_in_dim, {value},
              {.element = type(value).element, .shape = std::move(shape)},
              {{"broadcast_dimensions", {std::move(places)}}});
}

ValueId Builder::turned(ValueId value, Dims order) {
  if (std::ranges::is_sorted(order)) return value;
  Type result = type(value);
  for (std::size_t i = 0; i < order.size(); ++i)
    result.shape[i] = type(value).shape[static_cast<std::size_t>(order[i])];
  return emit(OpKind::transpose, {value}, std::move(result), {{"permutation", {std::move(order)}}});
}

ValueId Builder::compared(ValueId left, const std::string& direction, ValueId right) {
  const std::string how = is_float(type(left).element) ? "FLOAT" : "SIGNED";
  return emit(OpKind::compare, {left, right},
              {.element = ElementType::pred, .shape = type(left).shape},
              {{"compare_type", {how}}, {"comparison_direction", {direction}}});
}

ValueId Builder::convert(ValueId value, ElementType element) {
  return emit(OpKind::convert, {value}, {.element = element, .shape = type(value).shape});
}

ValueId Builder::sliced(ValueId value, std::int64_t dim, std::int64_t begin, std::int64_t end) {
  Type result = type(value);
  Dims starts(result.shape.size(), 0), limits = result.shape;
  const auto along = static_cast<std::size_t>(dim);
  starts[along] = begin;
  limits[along] = end;
  result.shape[along] = end - begin;
  const Dims strides(starts.size(), 1);
  return emit(OpKind::slice, {value}, std::move(result),
              {{"limit_indices", {std::move(limits)}},
               {"start_indices", {std::move(starts)}},
               {"strides", {strides}}});
}

ValueId Builder::picked(ValueId table, ValueId indices) {
  Type result = type(table);
  Dims sizes = result.shape, offsets;
  sizes[0] = 1;
  result.shape[0] = type(indices).shape[0];
  for (std::int64_t dim = 1; dim < result.rank(); ++dim) offsets.push_back(dim);
  return emit(OpKind::gather, {table, indices}, std::move(result),
              {{"collapsed_slice_dims", {Dims{0}}},
               {"index_vector_dim", {std::int64_t{1}}},
               {"indices_are_sorted", {false}},
               {"offset_dims", {std::move(offsets)}},
               {"operand_batching_dims", {Dims{}}},
               {"slice_sizes", {std::move(sizes)}},
               {"start_index_map", {Dims{0}}},
               {"start_indices_batching_dims", {Dims{}}}});
}

ValueId Builder::row_picked(ValueId table, ValueId indices) {
  Type result = type(table);
  const std::int64_t last = result.rank() - 1;
  result.shape.back() = 1;
  const Dims rows = first_dims(last);
  const Dims sizes(result.shape.size(), 1);
  return emit(OpKind::gather, {table, indices}, std::move(result),
              {{"collapsed_slice_dims", {Dims{last}}},
               {"index_vector_dim", {last + 1}},
               {"indices_are_sorted", {false}},
               {"offset_dims", {Dims{}}},
               {"operand_batching_dims", {rows}},
               {"slice_sizes", {sizes}},
               {"start_index_map", {Dims{last}}},
               {"start_indices_batching_dims", {rows}}});
}

ValueId Builder::within(ValueId element, ValueId place, std::int64_t columns) {
  const ValueId begins = compared(place, "GE", number(type(place), 0));
  const ValueId ends = compared(place, "LT", number(type(place), static_cast<double>(columns)));
  const ValueId inside = emit(OpKind::and_, {begins, ends}, Type(type(begins)));
  const ValueId zero = number(type(element), 0);
  return emit(OpKind::select, {inside, element, zero}, Type(type(element)));
}

ValueId Builder::scattered(ValueId table, ValueId indices, ValueId updates, bool is_unique) {
  Dims windows;
  for (std::int64_t dim = 1; dim < type(table).rank(); ++dim) windows.push_back(dim);
  const Type at{.element = ElementType::s32, .shape = {type(indices).shape[0], 1}};
  const ValueId each = reshape(indices, at.shape);
  return emit(OpKind::scatter, {table, each, updates}, type(table),
              {{"index_vector_dim", {std::int64_t{1}}},
               {"indices_are_sorted", {false}},
               {"input_batching_dims", {Dims{}}},
               {"inserted_window_dims", {Dims{0}}},
               {"scatter_dims_to_operand_dims", {Dims{0}}},
               {"scatter_indices_batching_dims", {Dims{}}},
               {"unique_indices", {is_unique}},
               {"update_window_dims", {std::move(windows)}}});
}

ValueId Builder::put_into(ValueId table, ValueId indices, ValueId updates) {
  const ValueId made = scattered(table, indices, updates, true);
  const Type one{.element = type(table).element, .shape = {}};
  const ValueId before = function_.add_value(one), after = function_.add_value(one);
  Region region{.arguments = {before, after}, .ops = {}};
  region.ops.push_back({.kind = OpKind::return_, .operands = {after}});
  ops_.back().regions.push_back(std::move(region));
  return made;
}

ValueId Builder::summed_into(ValueId table, ValueId indices, ValueId updates) {
  const ValueId made = scattered(table, indices, updates, false);
  ops_.back().regions.push_back(combining(OpKind::add, type(table).element));
  return made;
}

ValueId Builder::summed_into_rows(ValueId table, ValueId indices, ValueId updates) {
  const std::int64_t last = type(table).rank() - 1;
  const Dims rows = first_dims(last);
  const ValueId made = emit(OpKind::scatter, {table, indices, updates}, type(table),
                            {{"index_vector_dim", {last + 1}},
                             {"indices_are_sorted", {false}},
                             {"input_batching_dims", {rows}},
                             {"inserted_window_dims", {Dims{last}}},
                             {"scatter_dims_to_operand_dims", {Dims{last}}},
                             {"scatter_indices_batching_dims", {rows}},
                             {"unique_indices", {false}},
                             {"update_window_dims", {Dims{}}}});
  ops_.back().regions.push_back(combining(OpKind::add, type(table).element));
  return made;
}

Region Builder::combining(OpKind kind, ElementType element) {
  const Type one{.element = element, .shape = {}};
  const ValueId a = function_.add_value(one), b = function_.add_value(one),
                c = function_.add_value(one);
  Region region{.arguments = {a, b}, .ops = {}};
  region.ops.push_back({.kind = kind, .operands = {a, b}, .results = {c}});
  region.ops.push_back({.kind = OpKind::return_, .operands = {c}});
  return region;
}

ValueId Builder::sum(ValueId value, Dims dims) {
  Type result = type(value);
  std::ranges::sort(dims);
  for (const std::int64_t dim : dims | std::views::reverse)
    result.shape.erase(result.shape.begin() + dim);
  const Type one{.element = result.element, .shape = {}};
  const ValueId zero = constant(filled(one, 0));
  const ValueId made =
      emit(OpKind::reduce, {value, zero}, std::move(result), {{"dimensions", {std::move(dims)}}});
  ops_.back().regions.push_back(combining(OpKind::add, one.element));
  return made;
}

ValueId Builder::counting(Dims shape, std::int64_t dim) {
  return emit(OpKind::iota, {}, {.element = ElementType::f32, .shape = std::move(shape)},
              {{"iota_dimension", {dim}}});
}

ValueId ModuleBuilder::argument(Type type) {
  main_.body.arguments.push_back(main_.add_value(std::move(type)));
  return main_.body.arguments.back();
}

Module ModuleBuilder::finish(std::vector<ValueId> results) {
  main_.body.ops.push_back({.kind = OpKind::return_, .operands = std::move(results)});
  module_.functions.push_back(std::move(main_));
  return std::move(module_);
}

}  // namespace trainyard::graph
