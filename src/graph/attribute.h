// What an operation carries besides its operands. Structured attributes of StableHLO are flat here,
// as in VHLO: dot_general has lhs_batching_dimensions, ..., four lists of integers. Enumerations
// are strings ("LT", "HIGHEST").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "graph/type.h"

namespace trainyard::graph {

// The content of a tensor: row-major, little endian, each element in size_in_bytes(type.element).
// A splat holds one element.
struct Literal {
  Type type{};
  std::vector<std::byte> content{};
  bool splat = false;
  [[nodiscard]] std::vector<std::byte> expanded() const;  // all elements
  friend bool operator==(const Literal&, const Literal&) = default;
};

// The name of a function of the module: "@relu".
struct Symbol {
  std::string name;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

struct NamedAttribute;
struct Attribute;
using AttributeList = std::vector<Attribute>;
using Dictionary = std::vector<NamedAttribute>;

struct Attribute {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Symbol, Type, Literal,
               std::vector<std::int64_t>, AttributeList, Dictionary>
      value;
  friend bool operator==(const Attribute&, const Attribute&);
};

struct NamedAttribute {
  std::string name;
  Attribute value;
  friend bool operator==(const NamedAttribute&, const NamedAttribute&) = default;
};
inline bool operator==(const Attribute& a, const Attribute& b) { return a.value == b.value; }

[[nodiscard]] Dictionary sorted_by_name(Dictionary entries);

}  // namespace trainyard::graph
