// Operations that place elements: broadcasts, slices, padding, reshapes, known values.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

__extension__ using Wide = __int128;  // sums and products of sizes do not overflow

bool is(std::int64_t size, Wide wanted) { return size == dynamic_extent || size == wanted; }

void same_elements(OpCheck& c) {
  c.require(same_element(c.operand(0), c.result()), "operand and result have one element type");
}

void bitcast(OpCheck& c) {
  const Type &from = c.operand(0), &to = c.result();
  if (!from.quantized.empty() || !to.quantized.empty()) return;
  const int a = bits(from.element), b = bits(to.element);
  std::vector<std::int64_t> shape = from.shape;
  bool has_parts = true;
  if (a > b) shape.push_back(a / b);
  if (a < b) {
    has_parts = !shape.empty() && fits(shape.back(), b / a);
    if (has_parts) shape.pop_back();
  }
  c.require(std::max(a, b) % std::min(a, b) == 0 && has_parts && shape_is(to, shape),
            "the last dimension holds the parts of a wider element");
}

void broadcast(OpCheck& c) {
  same_elements(c);
  const Integers sizes = c.list("broadcast_sizes");
  std::vector<std::int64_t> shape(sizes.begin(), sizes.end());
  shape.insert(shape.end(), c.operand(0).shape.begin(), c.operand(0).shape.end());
  c.require(shape_is(c.result(), shape), "the result has broadcast_sizes before the operand's");
}

void broadcast_in_dim(OpCheck& c) {
  same_elements(c);
  const Integers dims = c.list("broadcast_dimensions");
  const Type &from = c.operand(0), &to = c.result();
  c.are_dimensions("broadcast_dimensions", dims, to.shape.size());
  c.require(dims.size() == from.shape.size(),
            "broadcast_dimensions has one number for each dimension of the operand");
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t size = from.shape[i];
    if (!c.require(size == 1 || fits(size, to.shape[static_cast<std::size_t>(dims[i])]),
                   "a dimension keeps its size, or has been 1"))
      return;
  }
}

void concatenate(OpCheck& c) {
  const Type& to = c.result();
  const std::size_t along = c.dimension("dimension", to.shape.size());
  if (c.has_failed()) return;
  Wide sum = 0;
  for (std::size_t i = 0; i < c.op.operands.size(); ++i) {
    Type from = c.operand(i);
    if (!c.require(from.shape.size() == to.shape.size() && same_element(from, to),
                   "operands have the rank and the element type of the result"))
      return;
    if (from.shape[along] == dynamic_extent) return;
    sum += from.shape[along];
    from.shape[along] = to.shape[along];
    c.require(same_shape(from, to), "operands differ along the dimension alone");
  }
  c.require(is(to.shape[along], sum), "the result is as long as all operands together");
}

void constant(OpCheck& c) {
  const Attribute* const value = c.op.find("value");
  const auto* const literal = value == nullptr ? nullptr : std::get_if<Literal>(&value->value);
  if (!c.require(literal != nullptr, "it has a value")) return;
  const Type& type = literal->type;
  if (!c.require(type.kind == Type::Kind::tensor && same_type(type, c.result()) && type.is_static(),
                 "the value has the type of the result"))
    return;
  const std::optional<std::int64_t> elements = count(type);
  const Wide wanted =
      static_cast<Wide>(literal->splat ? 1 : elements.value_or(0)) * size_in_bytes(type.element);
  c.require(elements && static_cast<Wide>(literal->content.size()) == wanted,
            "the value has an element for each place, or one for all");
}

void iota(OpCheck& c) {
  c.require(c.result().element != ElementType::pred, "it counts in numbers");
  (void)c.dimension("iota_dimension", c.result().shape.size());
}

void reshape(OpCheck& c) {
  same_elements(c);
  if (!c.operand(0).is_static() || !c.result().is_static()) return;
  const auto from = count(c.operand(0)), to = count(c.result());
  c.require(from && from == to, "operand and result have as many elements");
}

void transpose(OpCheck& c) {
  same_elements(c);
  const Integers order = c.list("permutation");
  const Type &from = c.operand(0), &to = c.result();
  c.are_dimensions("permutation", order, from.shape.size());
  c.require(order.size() == from.shape.size() && to.shape.size() == from.shape.size(),
            "permutation names every dimension");
  if (c.has_failed()) return;
  for (std::size_t i = 0; i < order.size(); ++i)
    c.require(fits(to.shape[i], from.shape[static_cast<std::size_t>(order[i])]),
              "dimension i of the result is dimension permutation[i] of the operand");
}

void reverse(OpCheck& c) {
  same_elements(c);
  c.require(same_shape(c.operand(0), c.result()), "operand and result have one shape");
  c.are_dimensions("dimensions", c.list("dimensions"), c.operand(0).shape.size());
}

void slice(OpCheck& c) {
  same_elements(c);
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size();
  const Integers start = c.list("start_indices"), limit = c.list("limit_indices");
  const auto strides = c.sized_list("strides", rank, 1);
  if (!c.require(start.size() == rank && limit.size() == rank && to.shape.size() == rank,
                 "there are a start, a limit and a stride for each dimension") ||
      c.has_failed())
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t size = from.shape[d];
    if (!c.require(start[d] >= 0 && start[d] <= limit[d] && strides[d] >= 1 &&
                       (size == dynamic_extent || limit[d] <= size),
                   "0 <= start <= limit <= size, and strides are positive"))
      return;
    const Wide length = (static_cast<Wide>(limit[d]) - start[d] + strides[d] - 1) / strides[d];
    c.require(is(to.shape[d], length), "the result has an element for each stride");
  }
}

void pad(OpCheck& c) {
  const Type &from = c.operand(0), &to = c.result();
  const std::size_t rank = from.shape.size();
  same_elements(c);
  c.require(is_scalar(c.operand(1)) && same_element(c.operand(1), c.result()),
            "what is put in is one element of the type");
  const Integers low = c.list("edge_padding_low"), high = c.list("edge_padding_high"),
                 interior = c.list("interior_padding");
  if (!c.require(low.size() == rank && high.size() == rank && interior.size() == rank &&
                     to.shape.size() == rank,
                 "there are paddings for each dimension"))
    return;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!c.require(interior[d] >= 0, "interior padding is not negative")) return;
    if (from.shape[d] == dynamic_extent) continue;
    const Wide size = from.shape[d];
    const Wide inside = size == 0 ? 0 : size + (size - 1) * interior[d];
    const Wide padded = inside + low[d] + high[d];
    c.require(is(to.shape[d], padded), "the result has the operand's size and the paddings'");
  }
}

// Where a slice begins: a scalar for each dimension from `first` on.
void starts(OpCheck& c, std::size_t first, std::size_t rank) {
  if (!c.require(c.op.operands.size() == first + rank, "there is a start index for each dimension"))
    return;
  for (std::size_t i = first; i < c.op.operands.size(); ++i)
    c.require(is_scalar(c.operand(i)) && is_index(c.operand(i)), "a start index is one integer");
}

void dynamic_slice(OpCheck& c) {
  same_elements(c);
  const Type &from = c.operand(0), &to = c.result();
  starts(c, 1, from.shape.size());
  const Integers sizes = c.list("slice_sizes");
  c.require(shape_is(to, sizes), "the result has the shape of slice_sizes");
  if (!c.require(sizes.size() == from.shape.size(), "slice_sizes has a size for each dimension"))
    return;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    c.require(sizes[d] >= 0 && (from.shape[d] == dynamic_extent || sizes[d] <= from.shape[d]),
              "a slice is no larger than the operand");
}

void dynamic_update_slice(OpCheck& c) {
  const Type &whole = c.operand(0), &part = c.operand(1);
  c.require(same_type(whole, c.result()), "the result has the type of the operand");
  c.require(same_element(whole, part), "operand and update have one element type");
  starts(c, 2, whole.shape.size());
  if (!c.require(part.shape.size() == whole.shape.size(), "operand and update have one rank"))
    return;
  for (std::size_t d = 0; d < part.shape.size(); ++d)
    c.require(whole.shape[d] == dynamic_extent || part.shape[d] <= whole.shape[d],
              "the update is no larger than the operand");
}

// A list of sizes as an operand.
bool is_shape(const Type& type) { return type.shape.size() == 1 && is_index(type); }

void dynamic_broadcast_in_dim(OpCheck& c) {
  c.require(is_shape(c.operand(1)), "the shape is a list of integers");
  broadcast_in_dim(c);
}
void dynamic_iota(OpCheck& c) {
  c.require(is_shape(c.operand(0)), "the shape is a list of integers");
  iota(c);
}
void dynamic_reshape(OpCheck& c) {
  c.require(is_shape(c.operand(1)), "the shape is a list of integers");
  reshape(c);
}
void dynamic_pad(OpCheck& c) {
  for (const std::size_t i : {2U, 3U, 4U})
    c.require(is_shape(c.operand(i)), "paddings are lists of integers");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
}
void real_dynamic_slice(OpCheck& c) {
  for (const std::size_t i : {1U, 2U, 3U})
    c.require(is_shape(c.operand(i)), "starts, limits and strides are lists of integers");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
}
void get_dimension_size(OpCheck& c) {
  (void)c.dimension("dimension", c.operand(0).shape.size());
  c.require(is_scalar(c.result()) && is_index(c.result()), "the result is one integer");
}
void set_dimension_size(OpCheck& c) {
  (void)c.dimension("dimension", c.operand(0).shape.size());
  c.require(is_scalar(c.operand(1)) && is_index(c.operand(1)), "the size is one integer");
  c.require(c.result().shape.size() == c.operand(0).shape.size(), "the rank stays");
}

constexpr Form form(OpKind kind, int operands, Rule rule) {
  return {kind, operands, operands, 1, 1, 0, 0, rule};
}
constexpr Form from(OpKind kind, int least, Rule rule) {
  return {kind, least, many, 1, 1, 0, 0, rule};
}

constexpr auto shape_table = std::to_array<Form>({
    form(OpKind::bitcast_convert, 1, bitcast),
    form(OpKind::broadcast, 1, broadcast),
    form(OpKind::broadcast_in_dim, 1, broadcast_in_dim),
    from(OpKind::concatenate, 1, concatenate),
    form(OpKind::constant, 0, constant),
    form(OpKind::dynamic_broadcast_in_dim, 2, dynamic_broadcast_in_dim),
    form(OpKind::dynamic_iota, 1, dynamic_iota),
    form(OpKind::dynamic_pad, 5, dynamic_pad),
    form(OpKind::dynamic_reshape, 2, dynamic_reshape),
    from(OpKind::dynamic_slice, 1, dynamic_slice),
    from(OpKind::dynamic_update_slice, 2, dynamic_update_slice),
    form(OpKind::get_dimension_size, 1, get_dimension_size),
    form(OpKind::iota, 0, iota),
    form(OpKind::pad, 2, pad),
    form(OpKind::real_dynamic_slice, 4, real_dynamic_slice),
    form(OpKind::reshape, 1, reshape),
    form(OpKind::reverse, 1, reverse),
    form(OpKind::set_dimension_size, 2, set_dimension_size),
    form(OpKind::slice, 1, slice),
    form(OpKind::transpose, 1, transpose),
});

}  // namespace

std::span<const Form> shape_forms() { return shape_table; }

}  // namespace trainyard::graph
