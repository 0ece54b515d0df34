// What makes a program well formed: that what its parts point to exists, that sizes are small
// enough for address arithmetic not to overflow, and that names are text. Readers check it part by
// part. Whether a program is legal is validate()'s question.
#pragma once

#include <string>
#include <string_view>

#include "isa/core/program.h"

namespace trainyard::isa {

// Nothing in a program is larger than this many elements or bytes.
inline constexpr std::int64_t extent_max = std::int64_t{1} << 48;

// What is wrong, or nothing: a rule's words for up to two numbers, put together only when they are
// read. Every part of every program is asked.
struct Problem {
  std::string_view words{};  // "tensor {} of {}"
  std::int64_t found = 0, most = 0;

  [[nodiscard]] explicit operator bool() const { return !words.empty(); }
  [[nodiscard]] std::string text() const;
};

// `program` holds the parts read so far.
[[nodiscard]] Problem problem(const Tile& tile, const Program& program);
[[nodiscard]] Problem problem(const Tensor& tensor, const Program& program);
[[nodiscard]] Problem problem(const DynamicAddress& how, const Program& program);
[[nodiscard]] Problem problem(const Frame& frame, const Program& program);
[[nodiscard]] Problem problem(const Location& location, const Program& program);
[[nodiscard]] Problem problem(const ScheduleEdge& edge, const Program& program);
[[nodiscard]] Problem problem(const StreamItem& item, const Program& program);
// Of a value in a record. Numbers and registers cannot be wrong.
template <typename T>
[[nodiscard]] Problem problem(T, const Program&) requires std::is_arithmetic_v<T> {
  return {};
}
[[nodiscard]] inline Problem problem(Register, const Program&) { return {}; }
[[nodiscard]] Problem problem(RankGroups groups, const Program& program);
template <NamedEnum Enum>
[[nodiscard]] Problem problem(Enum value, const Program&) {
  if (static_cast<int>(value) < enum_count<Enum>) return {};
  return {"an enumerator {}", static_cast<int>(value)};
}
template <NamedStruct T>
[[nodiscard]] Problem problem(const T& value, const Program& program) {
  Problem wrong;
  for_each_field(value, [&](std::string_view, const auto& field) {
    if (!wrong) wrong = problem(field, program);
  });
  return wrong;
}
template <typename T, std::size_t capacity>
[[nodiscard]] Problem problem(const List<T, capacity>& list, const Program& program) {
  if (list.count > capacity) return {"a list of {} items", list.count};
  for (const T& item : list.span()) {
    if (const Problem wrong = problem(item, program)) return wrong;
  }
  return {};
}
// The tiles and the place of an instruction that is about to be appended.
[[nodiscard]] Problem problem(const InstructionInfo& info, const void* record,
                              std::uint32_t location, const Program& program);
// Of an instruction.
[[nodiscard]] Problem problem(const Program& program, std::uint32_t instruction);
// Of the first part of a whole program that has one, whoever made it, in words; streams aside.
[[nodiscard]] std::string problem(const Program& program);

}  // namespace trainyard::isa
