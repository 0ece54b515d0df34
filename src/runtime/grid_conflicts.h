// Before a grid runs: may its instances touch the same bytes of HBM in an order that nothing fixes?
// What is found is the author's mistake. Addresses and values that only the run knows are looked
// at there: checkers/sharing.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "checkers/sharing.h"
#include "isa/core/program.h"

namespace trainyard::runtime {

// A program and where its HBM tensors lie, by tensor.
struct Placed {
  const isa::Program& program;
  std::span<const std::int64_t> addresses;
};

// What only the run can tell.
struct SharedUse {
  // Tensors that both instances write, or that one reaches by an address known at run time.
  std::vector<checkers::SharingCheck::Watched> tensors{};
  bool overwrites = false;  // both write the same bytes in an order that nothing fixes
};

// Throws InputError "grid.conflict" when one instance reads what the other writes and no
// core_barrier on these bytes lies between the two.
[[nodiscard]] SharedUse check_conflicts(const Placed& one, const Placed& other);

}  // namespace trainyard::runtime
