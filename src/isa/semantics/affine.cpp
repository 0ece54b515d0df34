#include "isa/semantics/affine.h"

#include <algorithm>

#include "numerics/alu.h"

namespace trainyard::isa::affine {

std::int64_t elements(const Pattern& pattern) {
  std::int64_t n = 1;
  for (const Dim& dim : pattern.span()) n *= dim.count;
  return n;
}

void fill(const Pattern& pattern, std::int32_t offset, std::vector<std::int32_t>& values) {
  values.assign(1, offset);
  // Each dimension repeats what the slower ones made so far, element by element.
  for (const Dim& dim : pattern.span()) {
    const std::vector<std::int32_t> slower = values;
    values.clear();
    values.reserve(slower.size() * static_cast<std::size_t>(dim.count));
    for (const std::int32_t base : slower) {
      for (std::int32_t i = 0; i < dim.count; ++i)
        values.push_back(add(base, multiply(i, dim.step)));
    }
  }
}

namespace {

// How values that ascend or descend from `first` in equal steps lie around zero: on one side before
// place `zeros`, on the other from `others` on.
struct Sides {
  std::int64_t zeros, others;
};
Sides sides(std::int64_t first, const Dim& dim) {
  const std::int64_t count = dim.count;
  if (dim.step == 0) return first == 0 ? Sides{0, count} : Sides{count, count};
  const std::int64_t step = dim.step < 0 ? -std::int64_t{dim.step} : dim.step;
  const std::int64_t distance = dim.step < 0 ? first : -first;
  if (distance < 0) return {0, 0};
  return {std::min((distance + step - 1) / step, count), std::min(distance / step + 1, count)};
}

}  // namespace

Places::Places(const Pattern& pattern, numerics::AluOp cmp_op) {
  const auto is_false = [&](float value) { return numerics::apply(cmp_op, value, 0) == 0; };
  below_ = is_false(-1);
  at_ = is_false(0);
  above_ = is_false(1);
  Pattern outer = pattern;
  if (outer.count != 0) inner_ = outer.items.at(--outer.count);
  fill(outer, 0, outer_);
}

void Places::append(std::int64_t begin, std::int64_t end) {
  if (begin >= end) return;
  const Run run{static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
  if (!runs_.empty() && runs_.back().end == run.begin) {
    runs_.back().end = run.end;
  } else {
    runs_.push_back(run);
  }
}

void Places::append_counted(std::int64_t place, std::int64_t first) {
  const Sides at_zero = sides(first, inner_);
  const bool rises = inner_.step > 0 || (inner_.step == 0 && first < 0);
  if (rises ? below_ : above_) append(place, place + at_zero.zeros);
  if (at_) append(place + at_zero.zeros, place + at_zero.others);
  if (rises ? above_ : below_) append(place + at_zero.others, place + inner_.count);
}

void Places::append_wrapped(std::int64_t place, std::int32_t first) {
  for (std::int32_t i = 0; i < inner_.count; ++i) {
    const std::int32_t value = add(first, multiply(i, inner_.step));
    if (value < 0 ? below_ : value == 0 ? at_ : above_) append(place + i, place + i + 1);
  }
}

const std::vector<Run>& Places::of(std::int32_t offset) {
  runs_.clear();
  std::int64_t place = 0;
  for (const std::int32_t start : outer_) {
    const std::int32_t first = add(start, offset);
    const std::int64_t last = first + std::int64_t{inner_.step} * (inner_.count - 1);
    if (last == static_cast<std::int32_t>(last)) {
      append_counted(place, first);
    } else {
      append_wrapped(place, first);
    }
    place += inner_.count;
  }
  return runs_;
}

}  // namespace trainyard::isa::affine
