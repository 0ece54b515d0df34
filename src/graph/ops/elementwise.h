// What records of elementwise operations share: which elements an operation is defined on.
#pragma once

#include <algorithm>

#include "graph/ops/record.h"

namespace trainyard::graph {

using Knows = bool (*)(ElementType);
inline bool any_element(ElementType) { return true; }
inline bool number_element(ElementType t) { return t != ElementType::pred; }
inline bool inexact_element(ElementType t) { return is_float(t) || is_complex(t); }
inline bool real_element(ElementType t) { return is_float(t); }
inline bool integer_element(ElementType t) { return is_integer(t); }
inline bool bitwise_element(ElementType t) { return is_integer(t) || t == ElementType::pred; }

inline bool knows_element(Knows known, const Type& type) {
  return !type.quantized.empty() || known(type.element);
}

inline void all_of_one_shape(OpCheck& c) {
  const auto same = [&](ValueId value) { return same_shape(c.type(value), c.result()); };
  c.require(std::ranges::all_of(c.op.operands, same), "operands and result have one shape");
}

// Of one shape and one element type, which the operation knows.
template <Knows known>
void uniform(OpCheck& c) {
  all_of_one_shape(c);
  const auto same = [&](ValueId value) { return same_element(c.type(value), c.result()); };
  c.require(std::ranges::all_of(c.op.operands, same), "operands and result have one element type");
  c.require(knows_element(known, c.operand(0)), "it is defined on elements of that type");
}

}  // namespace trainyard::graph
