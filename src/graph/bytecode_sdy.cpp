// The attributes of Shardy as their text; a mesh as a dictionary of its axes, since its size
// matters. Source: Shardy's bytecode.td.
#include <fmt/format.h>

#include "graph/bytecode_pool.h"

namespace trainyard::graph {

namespace {

std::string text(const Attribute& attribute) {
  if (const auto* const found = std::get_if<std::string>(&attribute.value)) return *found;
  if (const auto* const symbol = std::get_if<Symbol>(&attribute.value)) return "@" + symbol->name;
  return "mesh";
}

std::string joined(const std::vector<Attribute>& list) {
  std::string all;
  for (const Attribute& part : list) all += (all.empty() ? "" : ", ") + text(part);
  return all;
}

Attribute mesh(Cursor& at, BytecodePool& pool) {
  AttributeList axes = pool.attributes(at);
  return {Dictionary{{"axes", {std::move(axes)}}, {"device_ids", {signed_varints(at)}}}};
}

Attribute dimension_sharding(Cursor& at, BytecodePool& pool) {
  std::string axes = joined(pool.attributes(at));
  const bool closed = at.byte() != 0;
  const auto [priority, has_priority] = at.flagged();
  if (!closed) axes += axes.empty() ? "?" : ", ?";
  return {fmt::format("{{{}}}{}", axes, has_priority ? fmt::format("p{}", priority) : "")};
}

Attribute tensor_sharding(Cursor& at, BytecodePool& pool, int version) {
  std::string all = text(pool.attribute(at));
  all += fmt::format(", [{}]", joined(pool.attributes(at)));
  if (const std::string replicated = joined(pool.attributes(at)); !replicated.empty()) {
    all += fmt::format(", replicated={{{}}}", replicated);
  }
  if (version >= 2) {
    const std::string unreduced = joined(pool.attributes(at));
    if (!unreduced.empty()) all += fmt::format(", unreduced={{{}}}", unreduced);
  }
  if (version >= 3) static_cast<void>(at.signed_varint());  // how the unreduced axes add up
  return {fmt::format("#sdy.sharding<{}>", all)};
}

}  // namespace

Attribute decode_sdy_attribute(Cursor& at, BytecodePool& pool) {
  const std::uint64_t code = at.varint();
  switch (code) {
    case 0: return {fmt::format("#sdy<manual_axes{{{}}}>", joined(pool.attributes(at)))};
    case 1: {
      std::string name(pool.string(at));
      return {AttributeList{{std::move(name)}, {at.signed_varint()}}};
    }
    case 2: return mesh(at, pool);
    case 3: {
      const std::int64_t before = at.signed_varint();
      return {fmt::format(":({}){}", before, at.signed_varint())};
    }
    case 4: {
      const std::string name(pool.string(at));
      const auto part = pool.optional_attribute(at);
      return {fmt::format("\"{}\"{}", name, part ? text(*part) : "")};
    }
    case 5: return dimension_sharding(at, pool);
    case 6: return tensor_sharding(at, pool, 1);
    case 7:
    case 16: return {fmt::format("#sdy.sharding_per_value<[{}]>", joined(pool.attributes(at)))};
    case 15: return tensor_sharding(at, pool, 2);
    case 17: return tensor_sharding(at, pool, 3);
    default: return {fmt::format("#sdy<{}>", code)};
  }
}

}  // namespace trainyard::graph
