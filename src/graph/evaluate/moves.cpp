// Elements that move, one by one and in rows.
#include "graph/evaluate/moves.h"

#include <algorithm>
#include <cstring>

namespace trainyard::graph {

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

Value scalar_of(const Content& bytes, ElementType element, std::int64_t at) {
  const auto size = static_cast<std::size_t>(size_in_bytes(element));
  const auto begin =
      bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(at) * size);
  return make_value({.element = element},
                    Content(begin, begin + static_cast<std::ptrdiff_t>(size)));
}

Value scalar_at(const Value& tensor, std::int64_t at) {
  return scalar_of(*tensor.bytes, tensor.type.element, at);
}

void put_scalar(const Value& scalar, Content& into, std::int64_t at) {
  const std::size_t size = scalar.bytes->size();
  std::memcpy(into.data() + static_cast<std::size_t>(at) * size, scalar.bytes->data(), size);
}

}  // namespace trainyard::graph
