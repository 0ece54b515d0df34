// Are words, numbers, strings and brackets of MLIR text taken as far as they go, and what is none
// refused at its place?
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/error.h"
#include "graph/text_cursor.h"

namespace trainyard::graph {
namespace {

struct Taken {
  std::string_view text, taken, rest;
};

template <typename Take>
void expect_taken(const Taken& each, Take take) {
  TextCursor at(each.text, "t");
  EXPECT_EQ(take(at), each.taken) << each.text;
  EXPECT_EQ(at.all().substr(at.offset()), each.rest) << each.text;
}

TEST(TextCursor, NumbersEndWhereTheyEnd) {
  for (const Taken& each :
       {Taken{"1x", "1", "x"}, Taken{" -12,", "-12", ","}, Taken{"+5", "+5", ""},
        Taken{"1.5e-3>", "1.5e-3", ">"}, Taken{"2.e+7 ", "2.e+7", " "}, Taken{"1.", "1.", ""},
        Taken{"3e", "3", "e"}, Taken{"3e-", "3", "e-"}, Taken{"3e5f", "3e5", "f"},
        Taken{"3E5", "3E5", ""}, Taken{"0x7Fg", "0x7F", "g"}, Taken{"-0xa0", "-0xa0", ""}})
    expect_taken(each, [](TextCursor& at) { return at.number(); });
  for (const std::string_view none : {"", "x", "-", "+", "-x", "0x", ",1"}) {
    TextCursor at(none, "t");
    EXPECT_THROW(static_cast<void>(at.number()), base::InputError) << none;
    EXPECT_EQ(at.offset(), 0U) << none;
  }
  TextCursor behind("a,", "t");  // a digit of base 16 before it
  behind.move_to(1);
  EXPECT_THROW(static_cast<void>(behind.number()), base::InputError);
}

TEST(TextCursor, IntegersHave64Bits) {
  const auto integer = [](std::string_view text) { return TextCursor(text, "t").integer(); };
  EXPECT_EQ(integer("-17"), -17);
  EXPECT_EQ(integer("+17"), 17);
  EXPECT_EQ(integer("0x1F"), 31);
  EXPECT_EQ(integer("-0x10"), -16);
  EXPECT_EQ(integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer("18446744073709551615"), -1);
  for (const std::string_view none : {"18446744073709551616", "1.5", "1e3"})
    EXPECT_THROW(integer(none), base::InputError) << none;
}

TEST(TextCursor, WordsNamesAndStrings) {
  for (const Taken& each : {Taken{"stablehlo.add %x", "stablehlo.add", " %x"},
                            Taken{"a_b$1-c", "a_b$1", "-c"}, Taken{"(", "", "("}})
    expect_taken(each, [](TextCursor& at) { return at.word(); });
  for (const Taken& each : {Taken{"@main(", "main", "("}, Taken{R"(@"a b"c)", "a b", "c"}})
    expect_taken(each, [](TextCursor& at) { return at.name('@'); });
  for (const Taken& each :
       {Taken{R"("a\22b\\\n" ,)", "a\"b\\\n", " ,"}, Taken{R"("\41\7A")", "Az", ""}})
    expect_taken(each, [](TextCursor& at) { return at.string(); });
  for (const std::string_view none : {"\"a", "a\"", "\"\\"}) {
    TextCursor at(none, "t");
    EXPECT_THROW(static_cast<void>(at.string()), base::InputError) << none;
  }
}

TEST(TextCursor, AnglesCloseWhatTheyOpen) {
  for (const Taken& each :
       {Taken{"<a<b>c> d", "<a<b>c>", " d"}, Taken{R"(<">"> x)", R"(<">">)", " x"},
        Taken{"<(a) -> b>c", "<(a) -> b>", "c"}, Taken{" <>", "<>", ""}})
    expect_taken(each, [](TextCursor& at) { return at.angles(); });
  for (const std::string_view none : {"a<b>", "<a", "<a -> b", ">"}) {
    TextCursor at(none, "t");
    EXPECT_THROW(static_cast<void>(at.angles()), base::InputError) << none;
  }
}

TEST(TextCursor, CommentsAreSkippedAndWordsTakenWhole) {
  TextCursor at("// one\n  add// two\nadd_more", "t");
  EXPECT_FALSE(at.accept("ad"));
  EXPECT_TRUE(at.sees("add"));
  EXPECT_TRUE(at.accept("add"));
  EXPECT_FALSE(at.accept("add"));
  EXPECT_EQ(at.peek(), 'a');
  EXPECT_EQ(at.word(), "add_more");
  EXPECT_TRUE(at.at_end());
  EXPECT_THROW(at.expect("x"), base::InputError);
}

TEST(TextCursor, PlacesAreCountedFromOneForwardsAndBack) {
  const TextCursor at("ab\n\ncd", "t");
  const auto place = [&](std::size_t offset) {
    const TextCursor::Place found = at.place(offset);
    return std::pair(found.line, found.column);
  };
  EXPECT_EQ(place(0), std::pair(1, 1));
  EXPECT_EQ(place(5), std::pair(3, 2));
  EXPECT_EQ(place(1), std::pair(1, 2));
  EXPECT_EQ(place(3), std::pair(2, 1));
}

}  // namespace
}  // namespace trainyard::graph
