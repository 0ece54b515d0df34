#include "graph/op_hash.h"

#include "base/hash.h"

namespace trainyard::graph {

std::uint64_t hash_of_types(const Function& function, const Op& op) {
  std::uint64_t hash = static_cast<std::uint64_t>(op.kind);
  const auto add = [&](std::uint64_t word) { hash = base::hash_combine(hash, word); };
  const auto add_type = [&](ValueId value) {
    const Type& type = function.type(value);
    add(static_cast<std::uint64_t>(type.element));
    for (const std::int64_t size : type.shape) add(static_cast<std::uint64_t>(size));
  };
  add(op.operands.size());
  for (const ValueId value : op.operands) add_type(value);
  for (const ValueId value : op.results) add_type(value);
  return hash;
}

}  // namespace trainyard::graph
