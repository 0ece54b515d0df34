// Is text told from other bytes, at the ends of every range of RFC 3629?
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace trainyard::base {
namespace {

TEST(Utf8, AcceptsCharactersOfEverySize) {
  for (const char* text :
       {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "caf\xC3\xA9 \xE2\x82\xAC"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, RefusesStrayCutOverlongAndForbiddenBytes) {
  for (const char* bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3\x28", "a\xE2\x82", "\xE0\x9F\xBF",
        "\xED\xA0\x80", "\xE2\x28\xA1", "\xE2\x82\x28", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xFF", "\xF0\x9F\x9A"}) {
    EXPECT_FALSE(is_utf8(bytes)) << bytes;
  }
}

}  // namespace
}  // namespace trainyard::base
