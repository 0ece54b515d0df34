#include "graph/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/source_file.h"
#include "graph/users_line.h"

namespace trainyard::graph {

namespace {

template <typename T>
const T& typed(const Op& op, std::string_view name) {
  const Attribute* const found = op.find(name);
  const T* const value = found == nullptr ? nullptr : std::get_if<T>(&found->value);
  if (value == nullptr) {
    throw base::InputError({"graph.attribute",
                            fmt::format("{} has the attribute {}", graph::name(op.kind), name), "",
                            found == nullptr ? "none" : "an attribute of another kind",
                            "write the program with a current StableHLO"});
  }
  return *value;
}

}  // namespace

std::vector<std::byte> Literal::expanded() const {
  if (!splat) return content;
  std::vector<std::byte> all;
  const auto count = static_cast<std::size_t>(type.elements());
  all.reserve(count * content.size());
  for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), content.begin(), content.end());
  return all;
}

const Attribute* Op::find(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &NamedAttribute::name);
  return found == attributes.end() ? nullptr : &found->value;
}
bool Op::flag(std::string_view name, bool otherwise) const {
  return find(name) == nullptr ? otherwise : typed<bool>(*this, name);
}
std::int64_t Op::integer(std::string_view name) const { return typed<std::int64_t>(*this, name); }
const std::string& Op::text(std::string_view name) const { return typed<std::string>(*this, name); }
std::span<const std::int64_t> Op::integers(std::string_view name) const {
  return typed<std::vector<std::int64_t>>(*this, name);
}
const Literal& Op::literal(std::string_view name) const { return typed<Literal>(*this, name); }
std::string_view Op::symbol(std::string_view name) const { return typed<Symbol>(*this, name).name; }

void Op::set(std::string_view name, Attribute value) {
  std::ranges::find(attributes, name, &NamedAttribute::name)->value = std::move(value);
}

const Function* Module::find(std::string_view name) const {
  const auto found = std::ranges::find(functions, name, &Function::name);
  return found == functions.end() ? nullptr : &*found;
}

const Function& Module::entry() const {
  if (const Function* const main = find("main")) return *main;
  throw base::InputError({"graph.entry", "a module has a function main", name, "none",
                          "export the function to run as main"});
}

std::string Module::describe(LocationId location) const {
  const Location& where = locations.at(location);
  std::string text;
  const UsersLine line = users_line(where);
  for (std::size_t i = 0; i < line.frames.size(); ++i) {
    const SourceLine& frame = line.frames[i];
    const std::string_view before = i == 0 ? "" : i <= line.called ? ", calls " : ", called from ";
    text += fmt::format("{}{}:{}", before, base::within_packages(frame.file), frame.line);
    if (!frame.function.empty()) text += fmt::format(" ({})", frame.function);
  }
  if (!where.scope.empty()) text += (text.empty() ? "in " : ", in ") + where.scope;
  return text;
}

}  // namespace trainyard::graph
