// A constant from the bytes that MLIR keeps for it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "graph/attribute.h"

namespace trainyard::graph {

// `type` is a static tensor. One element's bytes are a splat; booleans may be packed, eight in a
// byte. Nothing where the bytes are of another size.
[[nodiscard]] std::optional<Literal> literal_of_bytes(Type type, std::span<const std::byte> bytes);

// MLIR holds equal elements as one: makes a literal whose elements are all equal a splat.
void join_equal(Literal& literal);

}  // namespace trainyard::graph
