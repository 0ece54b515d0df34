// Operations that apply a region to elements: reductions, windows, sorts, maps. What a region
// accumulates in may be wider than the operands.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

__extension__ using Wide = __int128;

// Inputs of one shape, an initial scalar for each, as many results. How many.
std::size_t inputs_and_initials(OpCheck& c) {
  const std::size_t inputs = c.op.operands.size() / 2;
  if (!c.require(c.op.operands.size() == 2 * inputs && c.op.results.size() == inputs,
                 "it has an initial value and a result for each input"))
    return 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    c.require(same_shape(c.operand(i), c.operand(0)), "inputs have one shape");
    c.require(is_scalar(c.operand(inputs + i)) && same_element(c.operand(inputs + i), c.operand(i)),
              "an initial value is one element of its input's type");
  }
  c.scalar_region(0, 2 * inputs, inputs);
  return c.has_failed() ? 0 : inputs;
}

void reduce(OpCheck& c) {
  const std::size_t inputs = inputs_and_initials(c);
  const Integers dims = c.list("dimensions");
  if (inputs == 0) return;
  const Type& from = c.operand(0);
  c.are_dimensions("dimensions", dims, from.shape.size());
  std::vector<std::int64_t> shape;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    if (std::ranges::find(dims, static_cast<std::int64_t>(d)) == dims.end())
      shape.push_back(from.shape[d]);
  }
  for (std::size_t i = 0; i < inputs; ++i)
    c.require(shape_is(c.result(i), shape), "a result has the dimensions that are left");
}

struct Window {
  Integers sizes;
  std::vector<std::int64_t> strides, base, dilation, padding;

  Window(OpCheck& c, std::size_t rank)
      : sizes(c.list("window_dimensions")),
        strides(c.sized_list("window_strides", rank, 1)),
        base(c.sized_list("base_dilations", rank, 1)),
        dilation(c.sized_list("window_dilations", rank, 1)),
        padding(c.sized_list("padding", 2 * rank, 0)) {
    const auto positive = [](std::int64_t each) { return each >= 1; };
    c.require(sizes.size() == rank, "a window has a size for each dimension");
    c.require(std::ranges::all_of(sizes, positive) && std::ranges::all_of(strides, positive) &&
                  std::ranges::all_of(base, positive) && std::ranges::all_of(dilation, positive),
              "sizes, strides and dilations of a window are positive");
  }

  // How many places it has along a dimension of that size.
  [[nodiscard]] Wide places(std::size_t d, std::int64_t size) const {
    const Wide dilated = size == 0 ? 0 : static_cast<Wide>(size - 1) * base[d] + 1;
    const Wide padded = dilated + padding[2 * d] + padding[2 * d + 1];
    const Wide covered = static_cast<Wide>(sizes[d] - 1) * dilation[d] + 1;
    return padded <= 0 || covered > padded ? 0 : (padded - covered) / strides[d] + 1;
  }
  [[nodiscard]] bool makes(const Type& from, const Type& to) const {
    if (from.shape.size() != to.shape.size()) return false;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (from.shape[d] == dynamic_extent || to.shape[d] == dynamic_extent) continue;
      if (places(d, from.shape[d]) != to.shape[d]) return false;
    }
    return true;
  }
};

void reduce_window(OpCheck& c) {
  const std::size_t inputs = inputs_and_initials(c);
  if (inputs == 0) return;
  const Window window(c, c.operand(0).shape.size());
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < inputs; ++i)
    c.require(window.makes(c.operand(i), c.result(i)),
              "a result has an element for each place of the window");
}

void select_and_scatter(OpCheck& c) {
  const Type &operand = c.operand(0), &source = c.operand(1), &initial = c.operand(2);
  c.require(same_shape(operand, c.result()), "the result has the shape of the operand");
  c.require(same_element(operand, source) && is_scalar(initial) && same_element(operand, initial),
            "source and initial value have the operand's element type");
  c.scalar_region(0, 2, 1);
  c.scalar_region(1, 2, 1);
  const Window window(c, operand.shape.size());
  if (c.has_failed()) return;
  c.require(window.makes(operand, source),
            "the source has an element for each place of the window");
}

void sort(OpCheck& c) {
  const std::size_t count = c.op.operands.size();
  if (!c.require(c.op.results.size() == count, "it has a result for each operand")) return;
  const auto rank = static_cast<std::int64_t>(c.operand(0).shape.size());
  const Attribute* const along = c.op.find("dimension");
  if (along != nullptr) {
    const std::int64_t dimension = c.integer("dimension");
    c.require(dimension >= -rank && dimension < std::max<std::int64_t>(rank, 1),
              "dimension is one of the operands'");
  }
  for (std::size_t i = 0; i < count; ++i)
    c.require(same_shape(c.operand(i), c.operand(0)) && same_type(c.operand(i), c.result(i)),
              "operands have one shape, and each result the type of its operand");
  if (c.scalar_region(0, 2 * count, 1))
    c.require(c.type(c.op.regions[0].ops.back().operands[0]).element == ElementType::pred,
              "the region returns i1");
}

void map(OpCheck& c) {
  for (std::size_t i = 0; i < c.op.operands.size(); ++i)
    c.require(same_shape(c.operand(i), c.result()), "operands and result have one shape");
  c.scalar_region(0, c.op.operands.size(), 1);
}

constexpr auto region_table = std::to_array<Form>({
    {OpKind::map, 1, many, 1, 1, 1, 1, map},
    {OpKind::reduce, 2, many, 1, many, 1, 1, reduce},
    {OpKind::reduce_window, 2, many, 1, many, 1, 1, reduce_window},
    {OpKind::select_and_scatter, 3, 3, 1, 1, 2, 2, select_and_scatter},
    {OpKind::sort, 1, many, 1, many, 1, 1, sort},
});

}  // namespace

std::span<const Form> region_forms() { return region_table; }

}  // namespace trainyard::graph
