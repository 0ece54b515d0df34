// One operand's value in the text form, written and read by its type alone.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/core/operand.h"
#include "isa/core/operand_types.h"
#include "isa/core/program.h"
#include "isa/forms/line_reader.h"

namespace trainyard::isa::value_text {

// Exact: read(write(v)) is v, apart from fields that mean nothing (a scalar's number beside its
// tile, dimensions beyond the rank, list items beyond the count).
void write(std::string& out, const Tile& value);
void write(std::string& out, const Scalar& value);
void write(std::string& out, bool value);
void write(std::string& out, std::int32_t value);
void write(std::string& out, std::int64_t value);
void write(std::string& out, double value);
void write(std::string& out, Register value);
void write(std::string& out, const RegisterOrInt& value);
void write(std::string& out, const Dim& value);
void write(std::string& out, NamedEnum auto value) { out += name(value); }
void write(std::string& out, const std::vector<std::int32_t>& ranks);
template <typename T, std::size_t capacity>
void write(std::string& out, const List<T, capacity>& list);
// "[4, skip]": its fields, in their order.
template <NamedStruct T>
void write(std::string& out, const T& value) {
  std::string_view before = "[";
  for_each_field(value, [&](std::string_view, const auto& field) {
    out += before;
    write(out, field);
    before = ", ";
  });
  out += ']';
}
template <typename T>
void write(std::string& out, std::span<const T> items) {
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    write(out, items[i]);
  }
  out += ']';
}
template <typename T, std::size_t capacity>
void write(std::string& out, const List<T, capacity>& list) {
  write(out, list.span());
}

// Each throws InputError "program.text" where the line does not hold such a value.
void read(LineReader& line, Tile& value);
void read(LineReader& line, Scalar& value);
void read(LineReader& line, bool& value);
void read(LineReader& line, std::int32_t& value);
void read(LineReader& line, std::int64_t& value);
void read(LineReader& line, double& value);
void read(LineReader& line, Register& value);
void read(LineReader& line, RegisterOrInt& value);
void read(LineReader& line, Dim& value);
template <NamedEnum Enum>
void read(LineReader& line, Enum& value) {
  const std::string_view word = line.word();
  const std::optional<Enum> found = value_named<Enum>(word);
  if (found) {
    value = *found;
    return;
  }
  std::string names;
  for (int i = 0; i < enum_count<Enum>; ++i) {
    names += i == 0 ? "" : ", ";
    names += name(static_cast<Enum>(i));
  }
  line.fail("one of " + names + " comes next", word);
}
template <typename T, std::size_t capacity>
void read(LineReader& line, List<T, capacity>& list);
template <NamedStruct T>
void read(LineReader& line, T& value) {
  std::string_view before = "[";
  for_each_field(value, [&](std::string_view, auto& field) {
    line.expect(before);
    read(line, field);
    before = ",";
  });
  line.expect("]");
}
template <typename T, std::size_t capacity>
void read(LineReader& line, List<T, capacity>& list) {
  list = {};
  line.expect("[");
  if (line.accept("]")) return;
  do {
    if (list.count == capacity)
      line.fail("a list has at most " + std::to_string(capacity) + " items", "more");
    read(line, list.items[list.count++]);
  } while (line.accept(","));
  line.expect("]");
}
template <typename T>
void read(LineReader& line, std::vector<T>& list) {
  list.clear();
  line.expect("[");
  while (!line.accept("]")) {
    if (!list.empty()) line.expect(",");
    read(line, list.emplace_back());
  }
}
// Of something in `program`: groups are the ranks that they name.
template <typename T>
void read(LineReader& line, Program& program, T& value) {
  if constexpr (std::is_same_v<T, RankGroups>) {
    RankLists lists;
    read(line, lists);
    value = program.groups_of(std::move(lists));
  } else {
    read(line, value);
  }
}

}  // namespace trainyard::isa::value_text
