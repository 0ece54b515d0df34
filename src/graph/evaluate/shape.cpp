// Operations that move elements without looking at them.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

Value iota(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("iota_dimension"));
  e.require(dimension < e.result().shape.size(), "iota_dimension is a dimension of the result");
  return with_number_of(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> all;
    all.reserve(static_cast<std::size_t>(e.result().elements()));
    for_each_index(e.result().shape, [&](Index index) {
      if constexpr (is_complex_number<T>) {
        all.push_back(T(static_cast<typename T::value_type>(index[dimension])));
      } else {
        all.push_back(static_cast<T>(index[dimension]));
      }
    });
    return tensor_of(e.result(), all);
  });
}

Value constant(const Evaluation& e) {
  const Literal& literal = e.op.literal("value");
  e.require(literal.type == e.result(), "the value has the type of the result");
  return make_value(literal.type, literal.expanded());
}

Value transpose(const Evaluation& e) {
  const Shape permutation = e.list("permutation");
  const Shape from = row_major_steps(e.operand(0).shape());
  Shape steps;
  for (const std::int64_t d : permutation) {
    e.require(d >= 0 && static_cast<std::size_t>(d) < from.size(), "permutation names dimensions");
    steps.push_back(from[static_cast<std::size_t>(d)]);
  }
  return move_elements(e.operand(0), e.result(), 0, steps);
}

Value slice(const Evaluation& e) {
  const Shape start = e.list("start_indices"), strides = e.list("strides");
  return sliced(e, start, strides);
}

Value reverse(const Evaluation& e) {
  const Shape from = row_major_steps(e.operand(0).shape());
  Shape steps = from;
  std::int64_t base = 0;
  for (const std::int64_t d : e.list("dimensions")) {
    const auto at = static_cast<std::size_t>(d);
    e.require(at < from.size(), "dimensions are dimensions of the operand");
    if (e.operand(0).shape()[at] == 0) continue;
    base += (e.operand(0).shape()[at] - 1) * from[at];
    steps[at] = -from[at];
  }
  return move_elements(e.operand(0), e.result(), base, steps);
}

Value concatenate(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  e.require(dimension < e.result().shape.size(), "dimension is a dimension of the result");
  std::size_t outer = 1, inner = size;
  for (std::size_t d = 0; d < e.result().shape.size(); ++d) {
    if (d < dimension) outer *= static_cast<std::size_t>(e.result().shape[d]);
    if (d > dimension) inner *= static_cast<std::size_t>(e.result().shape[d]);
  }
  Content bytes;
  bytes.reserve(static_cast<std::size_t>(e.result().bytes()));
  for (std::size_t row = 0; row < outer; ++row) {
    for (const Value& part : e.operands) {
      const std::size_t run = static_cast<std::size_t>(part.shape().at(dimension)) * inner;
      const auto from = part.bytes->begin() + static_cast<std::ptrdiff_t>(row * run);
      bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(run));
    }
  }
  e.require(bytes.size() == static_cast<std::size_t>(e.result().bytes()),
            "the parts fill the result");
  return make_value(e.result(), std::move(bytes));
}

Value dynamic_slice(const Evaluation& e) {
  Shape start;
  for (std::size_t d = 0; d + 1 < e.operands.size(); ++d) {
    const std::int64_t wanted = integers_in(e.operand(d + 1)).at(0);
    const std::int64_t most = e.operand(0).shape().at(d) - e.result().shape.at(d);
    start.push_back(std::clamp<std::int64_t>(wanted, 0, most));
  }
  return sliced(e, start, Shape(start.size(), 1));
}

Value dynamic_update_slice(const Evaluation& e) {
  const Value &operand = e.operand(0), &update = e.operand(1);
  const Shape steps = row_major_steps(operand.shape());
  std::int64_t base = 0;
  for (std::size_t d = 0; d + 2 < e.operands.size(); ++d) {
    const std::int64_t wanted = integers_in(e.operand(d + 2)).at(0);
    const std::int64_t most = operand.shape().at(d) - update.shape().at(d);
    e.require(most >= 0, "the update is no larger than the operand");
    base += std::clamp<std::int64_t>(wanted, 0, most) * steps[d];
  }
  Content bytes = *operand.bytes;
  scatter_elements(update, bytes, base, steps);
  return make_value(e.result(), std::move(bytes));
}

Value broadcast(const Evaluation& e) {
  Shape steps(e.result().shape.size(), 0);
  const Shape from = row_major_steps(e.operand(0).shape());
  std::copy(from.begin(), from.end(), steps.end() - static_cast<std::ptrdiff_t>(from.size()));
  return move_elements(e.operand(0), e.result(), 0, steps);
}

}  // namespace

Value reshaped(const Evaluation& e) {
  e.require(e.result().is_static() &&
                static_cast<std::size_t>(e.result().bytes()) == e.operand(0).bytes->size(),
            "the result has as many elements as the operand");
  Value value = e.operand(0);
  value.type = e.result();
  return value;
}

Value broadcast_in_dim(const Evaluation& e, const Shape& dimensions) {
  const Value& operand = e.operand(0);
  const Shape from = row_major_steps(operand.shape());
  Shape steps(e.result().shape.size(), 0);
  e.require(dimensions.size() == from.size(), "broadcast_dimensions has one number a dimension");
  for (std::size_t d = 0; d < from.size(); ++d) {
    const auto at = static_cast<std::size_t>(dimensions[d]);
    e.require(at < steps.size() &&
                  (operand.shape()[d] == 1 || operand.shape()[d] == e.result().shape[at]),
              "each dimension of the operand is 1 or that of the result");
    if (operand.shape()[d] != 1) steps[at] = from[d];
  }
  return move_elements(operand, e.result(), 0, steps);
}

Value sliced(const Evaluation& e, const Shape& start, const Shape& strides) {
  const Shape& extents = e.operand(0).shape();
  e.require(start.size() == extents.size() && strides.size() == extents.size(),
            "one start and one stride a dimension");
  Shape steps = row_major_steps(extents);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) {
    const std::int64_t last = start[d] + (e.result().shape.at(d) - 1) * strides[d];
    e.require(e.result().shape[d] == 0 || (start[d] >= 0 && strides[d] > 0 && last < extents[d]),
              "the slice lies inside the operand");
    base += start[d] * steps[d];
    steps[d] *= strides[d];
  }
  return move_elements(e.operand(0), e.result(), base, steps);
}

Value padded(const Evaluation& e, const Shape& low, const Shape& interior) {
  const Value& operand = e.operand(0);
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  const Shape steps = row_major_steps(e.result().shape);
  Content bytes(static_cast<std::size_t>(e.result().bytes()));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::memcpy(bytes.data() + at, e.operand(1).bytes->data(), size);
  }
  std::size_t from = 0;
  for_each_index(operand.shape(), [&](Index index) {
    std::int64_t to = 0;
    bool inside = true;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const std::int64_t place = low[d] + index[d] * (interior[d] + 1);
      inside = inside && place >= 0 && place < e.result().shape[d];
      to += place * steps[d];
    }
    if (inside) {
      std::memcpy(bytes.data() + static_cast<std::size_t>(to) * size, operand.bytes->data() + from,
                  size);
    }
    from += size;
  });
  return make_value(e.result(), std::move(bytes));
}

namespace {

// Calls action(place of the first element of a row, number of the row's first element in the
// row-major order, elements of a row) for each row along the last dimension.
template <typename Action>
void for_each_row(const Shape& shape, std::int64_t base, const Shape& steps, Action action) {
  Shape outer = shape;
  const std::int64_t row = shape.empty() ? 1 : shape.back();
  if (row == 0) return;
  if (!outer.empty()) outer.back() = 1;
  std::int64_t first = 0;
  for_each_index(outer, [&](Index index) {
    action(base + offset_of(index, steps), first, row);
    first += row;
  });
}

template <typename Word>
void move_words(const Content& from, Content& to, std::int64_t place, std::int64_t first,
                std::int64_t count, std::int64_t step, bool scatter) {
  const auto word = static_cast<std::int64_t>(sizeof(Word));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t strided = (place + i * step) * word, dense = (first + i) * word;
    std::memcpy(to.data() + (scatter ? strided : dense), from.data() + (scatter ? dense : strided),
                sizeof(Word));
  }
}

void move_row(std::size_t size, const Content& from, Content& to, std::int64_t place,
              std::int64_t first, std::int64_t count, std::int64_t step, bool scatter) {
  struct Wide {
    std::uint64_t low, high;
  };
  switch (size) {
    case 1: return move_words<std::uint8_t>(from, to, place, first, count, step, scatter);
    case 2: return move_words<std::uint16_t>(from, to, place, first, count, step, scatter);
    case 4: return move_words<std::uint32_t>(from, to, place, first, count, step, scatter);
    case 8: return move_words<std::uint64_t>(from, to, place, first, count, step, scatter);
    default: return move_words<Wide>(from, to, place, first, count, step, scatter);
  }
}

}  // namespace

Value move_elements(const Value& from, const Type& type, std::int64_t base, const Shape& steps) {
  const auto size = static_cast<std::size_t>(size_in_bytes(type.element));
  Content bytes(static_cast<std::size_t>(type.bytes()));
  const std::int64_t step = steps.empty() ? 1 : steps.back();
  for_each_row(type.shape, base, steps,
               [&](std::int64_t place, std::int64_t first, std::int64_t count) {
                 move_row(size, *from.bytes, bytes, place, first, count, step, false);
               });
  return make_value(type, std::move(bytes));
}

void scatter_elements(const Value& from, Content& into, std::int64_t base, const Shape& steps) {
  const auto size = static_cast<std::size_t>(size_in_bytes(from.type.element));
  const std::int64_t step = steps.empty() ? 1 : steps.back();
  for_each_row(from.shape(), base, steps,
               [&](std::int64_t place, std::int64_t first, std::int64_t count) {
                 move_row(size, *from.bytes, into, place, first, count, step, true);
               });
}

Results evaluate_shape(const Evaluation& e) {
  using V = std::vector<Value>;
  switch (e.op.kind) {
    case OpKind::constant: return V{constant(e)};
    case OpKind::iota: return V{iota(e)};
    case OpKind::reshape: return V{reshaped(e)};
    case OpKind::broadcast: return V{broadcast(e)};
    case OpKind::broadcast_in_dim: return V{broadcast_in_dim(e, e.list("broadcast_dimensions"))};
    case OpKind::transpose: return V{transpose(e)};
    case OpKind::slice: return V{slice(e)};
    case OpKind::reverse: return V{reverse(e)};
    case OpKind::concatenate: return V{concatenate(e)};
    case OpKind::pad: return V{padded(e, e.list("edge_padding_low"), e.list("interior_padding"))};
    case OpKind::dynamic_slice: return V{dynamic_slice(e)};
    case OpKind::dynamic_update_slice: return V{dynamic_update_slice(e)};
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
