// Does a struct have its forms, its words and its place in hazards from its record alone?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/core/held_parts.h"
#include "isa/core/references.h"
#include "isa/forms/value_bytes.h"
#include "isa/forms/value_text.h"
#include "isa/forms/value_words.h"

namespace trainyard::isa {

namespace {

// A new operand type, as an author writes it.
struct Window {
  Tile tile;
  std::int32_t size = 0;
  OobMode mode = OobMode::error;
  Pattern steps{};
  RegisterOrInt first{};
  friend bool operator==(const Window&, const Window&) = default;
};

}  // namespace

template <>
struct StructRecord<Window> {
  static constexpr std::string_view word = "(tile, size, mode, steps, first)";
  static constexpr auto fields = std::tuple{
      Field{"tile", &Window::tile}, Field{"size", &Window::size}, Field{"mode", &Window::mode},
      Field{"steps", &Window::steps}, Field{"first", &Window::first}};
};

namespace {

using testing::HasSubstr;

Window window() {
  Window made{.tile = {.space = Space::sbuf,
                       .dtype = DType::bfloat16,
                       .rank = 1,
                       .partitions = 128,
                       .tensor = 0,
                       .dims = {Dim{1, 64}}},
              .size = -4,
              .mode = OobMode::skip,
              .first = {0, Register{3}}};
  made.steps.push_back({2, 8});
  return made;
}

constexpr std::string_view as_text = "[sbuf:bfloat16:%0[0:128, 64], -4, skip, [8@2], r3]";

Window read(std::string_view text) {
  LineReader line(text, "k.txt", 1);
  Window value;
  value_text::read(line, value);
  line.expect_end();
  return value;
}

TEST(StructRecord, GivesTheTextForm) {
  std::string text;
  value_text::write(text, window());
  EXPECT_EQ(text, as_text);
  EXPECT_EQ(read(text), window());
}

TEST(StructRecord, TextIsRefusedAtItsPlace) {
  const auto refusal = [](std::string_view text) -> std::string {
    try {
      static_cast<void>(read(text));
    } catch (const base::InputError& error) {
      const base::Violation& first = error.violations().front();
      return first.place + ": " + first.rule;
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(as_text), "accepted");
  EXPECT_THAT(refusal("[none, 4, never, [], 0]"), HasSubstr("column 16: one of error, skip"));
  EXPECT_THAT(refusal("[none, 4]"), HasSubstr("column 9: \",\" comes next"));
  EXPECT_THAT(refusal("[none, 4, skip, [], 0, 0]"), HasSubstr("\"]\" comes next"));
}

TEST(StructRecord, GivesTheBinaryForm) {
  std::string bytes;
  value_bytes::write(bytes, window());
  static constexpr base::ByteFormat format{"program.binary", "a rule", "a fix"};
  base::ByteReader in(bytes, "k.typ", format);
  Window again;
  value_bytes::read(in, again);
  in.expect_end();
  EXPECT_EQ(again, window());
}

TEST(StructRecord, GivesTheWords) {
  EXPECT_EQ(value_words::of(window()),
            "[tile=sbuf bfloat16 [128, 64], size=-4, mode=skip, steps=[[2, 8]], first=r3]");
  EXPECT_EQ(value_words::of(Window{}), "[size=0, mode=error, first=0]");
  EXPECT_EQ(type_words<Window>, "(tile, size, mode, steps, first)");
}

TEST(StructRecord, ReferencesInItAreChecked) {
  Program program;
  EXPECT_EQ(problem(window(), program).text(), "tensor 0 of 0");
  program.tensors.emplace_back();
  EXPECT_FALSE(problem(window(), program));
  Window wrong = window();
  wrong.mode = static_cast<OobMode>(7);
  EXPECT_EQ(problem(wrong, program).text(), "an enumerator 7");
}

// What hazards, addresses and run-time values are found by.
TEST(StructRecord, TilesAndRegistersInItAreFound) {
  static_assert(holds<Tile, Window> && holds<Register, Window> && !holds<RankGroups, Window>);
  Window value = window();
  for_each_held<Tile>(value, [](Tile& tile) { tile.offset = 32; });
  EXPECT_EQ(value.tile.offset, 32);
  int registers = 0;
  for_each_held<Register>(std::as_const(value), [&](Register reg) { registers += reg.index; });
  EXPECT_EQ(registers, 3);
}

}  // namespace
}  // namespace trainyard::isa
