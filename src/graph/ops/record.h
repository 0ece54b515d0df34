// The record of an operation of StableHLO: all that this room knows of it. A file of this folder
// holds one record, or those of a few operations that share their rules; all.h lists the files. A
// new operation is a kind in op_kind.h, its record, and programs in tests/programs/stablehlo_cases.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "graph/evaluate/evaluator.h"
#include "graph/op_kind.h"
#include "graph/partition/making.h"
#include "graph/verify/check.h"

namespace trainyard::graph {

// How many operands, results or regions an operation has.
struct Count {
  int least = 0, most = 0;
};
inline constexpr int many = 1 << 20;

// Of each dimension in how many parts it is.
struct Ways {
  std::span<const std::int64_t> shape, operand, result;  // shape and ways of the first operand
};

struct OpRecord {
  OpKind kind{};
  std::string_view name{};  // "dot_general"
  Count operands{}, results{1, 1}, regions{};
  bool any_types = false;  // not of tensors alone
  Traits traits{};

  // The attributes of VHLO's versions 1 and 2, in the order in which bytecode holds them, which is
  // alphabetical, separated by blanks. Source: StableHLO v1.20, VhloOps.td.
  std::array<const char*, 2> vhlo{"", nullptr};
  // Adds the attributes that may be left out. Source: StableHLO v1.20,
  // StablehloLegalizeToVhlo.cpp, addDefaults.
  void (*complete)(Op& op) = nullptr;

  // What must hold besides the counts above. Source: StableHLO specification, "Constraints".
  void (*verify)(OpCheck& check) = nullptr;
  // Its meaning; nothing where the evaluator does not know it.
  Results (*evaluate)(const Evaluation& evaluation) = nullptr;
  // Its factors (partition/factors.h); nothing where nobody knows how to divide it.
  bool (*factors)(Making& making) = nullptr;
  // Sets the attributes that say sizes on a part.
  void (*part)(Op& op, const Ways& ways) = nullptr;
};

[[nodiscard]] const OpRecord& record_of(OpKind kind);

// A function of one result as a record has it.
template <Value (*compute)(const Evaluation&)>
Results alone(const Evaluation& e) {
  return {compute(e)};
}

}  // namespace trainyard::graph
