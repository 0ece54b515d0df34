#include "checkers/taint.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::checkers {

bool Taint::any() const {
  return std::ranges::any_of(flags_, [](std::uint8_t flag) { return flag != 0; });
}

namespace {

void add(const std::uint8_t* from, std::uint8_t* to, int n) {
  for (int p = 0; p < n; ++p) to[p] |= from[p];
}

void fill(Taint& to) {
  for (std::int64_t i = 0; i < to.elements(); ++i)
    std::fill_n(to.of(i), to.partitions(), std::uint8_t{1});
}

// Each row of `to` on all of the same row.
void by_row(const Taint& from, Taint& to) {
  std::vector<std::uint8_t> row(static_cast<std::size_t>(from.partitions()), 0);
  for (std::int64_t i = 0; i < from.elements(); ++i) add(from.of(i), row.data(), from.partitions());
  for (std::int64_t i = 0; i < to.elements(); ++i) add(row.data(), to.of(i), to.partitions());
}

// Each element of `to` on those of its row that `to_element` sends there.
template <typename F>
void by_element(const Taint& from, Taint& to, F&& to_element) {
  for (std::int64_t i = 0; i < from.elements(); ++i)
    add(from.of(i), to.of(to_element(i)), from.partitions());
}

void onward(const Taint& from, Taint& to) {
  std::vector<std::uint8_t> row(static_cast<std::size_t>(from.partitions()), 0);
  for (std::int64_t i = 0; i < from.elements(); ++i) {
    add(from.of(i), row.data(), from.partitions());
    add(row.data(), to.of(i), to.partitions());
  }
}

// Calls f(column) where any partition's element of it is undetermined, counting modulo `columns`:
// slices of an operand hold further rows of the same columns.
template <typename F>
void for_each_column(const Taint& from, std::int64_t columns, F&& f) {
  for (std::int64_t i = 0; i < from.elements(); ++i) {
    const std::uint8_t* flags = from.of(i);
    if (std::any_of(flags, flags + from.partitions(), [](std::uint8_t flag) { return flag != 0; }))
      f(i % columns);
  }
}

void by_column(const Taint& from, Taint& to) {
  for_each_column(from, to.elements(), [&](std::int64_t column) {
    std::fill_n(to.of(column), to.partitions(), std::uint8_t{1});
  });
}

void to_product(isa::Role role, const Taint& from, Taint& to) {
  using isa::Role;
  if (role == Role::sum) return by_element(from, to, [](std::int64_t i) { return i; });
  if (role == Role::moving || role == Role::moving_scale) return by_column(from, to);
  if (role != Role::stationary && role != Role::stationary_scale)
    return from.any() ? fill(to) : void();
  for_each_column(from, to.partitions(), [&](std::int64_t row) {
    for (std::int64_t i = 0; i < to.elements(); ++i) to.of(i)[row] = 1;
  });
}

}  // namespace

void spread(isa::Spread rule, isa::Role role, const Taint& from, Taint& to) {
  using isa::Spread;
  const bool same_rows = from.partitions() == to.partitions();
  const bool same_shape = same_rows && from.elements() == to.elements();
  switch (rule) {
    case Spread::products: return to_product(role, from, to);
    case Spread::columns:
      if (from.elements() == to.elements()) return by_column(from, to);
      break;
    case Spread::lanes:
      if (same_shape) return by_element(from, to, [](std::int64_t i) { return i; });
      [[fallthrough]];
    case Spread::rows:
      if (same_rows) return by_row(from, to);
      break;
    case Spread::onward:
      if (same_shape) return onward(from, to);
      if (same_rows) return by_row(from, to);
      break;
    case Spread::groups:
      if (same_rows && to.elements() > 0 && from.elements() % to.elements() == 0) {
        const std::int64_t group = from.elements() / to.elements();
        return by_element(from, to, [group](std::int64_t i) { return i / group; });
      }
      break;
    case Spread::whole: break;
    case Spread::moves: base::fail("how bytes move is not a rule on elements");
  }
  if (from.any()) fill(to);
}

}  // namespace trainyard::checkers
