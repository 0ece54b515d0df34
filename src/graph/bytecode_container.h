// The tables of an MLIR bytecode file: strings, dialects, names of operations, and where each
// attribute, type and set of properties lies. What these mean is the business of bytecode_pool.h
// and bytecode_ops.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/bytecode_cursor.h"

namespace trainyard::graph {

// From which version of the bytecode a feature is there.
inline constexpr std::uint64_t bytecode_dialect_versions = 1;
inline constexpr std::uint64_t bytecode_lazy_regions = 2;
inline constexpr std::uint64_t bytecode_use_lists = 3;
inline constexpr std::uint64_t bytecode_elided_locations = 4;
inline constexpr std::uint64_t bytecode_properties = 5;
inline constexpr std::uint64_t bytecode_newest = 6;

struct Extent {
  std::size_t begin = 0, end = 0;
};

struct BytecodeEntry {
  std::string_view dialect;
  bool custom = false;  // encoded by the dialect; otherwise text that ends with a zero byte
  Extent extent{};
};

struct BytecodeOpName {
  std::string_view dialect, name;
};

struct Container {
  std::span<const std::byte> bytes;
  std::uint64_t version = 0;
  std::string producer{};
  std::vector<std::string_view> strings{};
  std::vector<BytecodeOpName> op_names{};
  std::vector<BytecodeEntry> attributes{}, types{};
  std::vector<Extent> properties{};
  Extent program{};

  [[nodiscard]] Cursor at(Extent extent) const { return {bytes, extent.begin, extent.end}; }
};

// The views in the result point into `bytes`. Throws InputError "graph.artifact".
[[nodiscard]] Container read_container(std::span<const std::byte> bytes);

}  // namespace trainyard::graph
