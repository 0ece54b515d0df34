// Are the flags of AWS's compiler read as its users write them?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "session/compiler_flags.h"

namespace trainyard::session {
namespace {

using graph::ElementType;
using graph::Precision;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(CompilerFlags, NothingIsCastUnlessAsked) {
  EXPECT_EQ(read_compiler_flags("").precision.cast, Precision::Cast::none);
  EXPECT_EQ(read_compiler_flags("--auto-cast-type fp16").precision.cast, Precision::Cast::none);
}

TEST(CompilerFlags, AValueFollowsABlankOrAnEqualsSign) {
  for (const auto* const text : {"--auto-cast matmult --auto-cast-type tf32",
                                 "--auto-cast=matmult   --auto-cast-type=tf32"}) {
    const CompilerFlags flags = read_compiler_flags(text);
    EXPECT_EQ(flags.precision.cast, Precision::Cast::matmult);
    EXPECT_EQ(flags.precision.cast_type, ElementType::tf32);
    EXPECT_TRUE(flags.unknown.empty());
  }
}

TEST(CompilerFlags, TheLastOneCountsAndWhatIsUnsaidStays) {
  const Precision base{.cast = Precision::Cast::all, .cast_type = ElementType::f16};
  EXPECT_EQ(read_compiler_flags("--auto-cast all --auto-cast none").precision.cast,
            Precision::Cast::none);
  EXPECT_EQ(read_compiler_flags("--model-type transformer -O1", base).precision, base);
}

TEST(CompilerFlags, UnknownOnesAreToldOrRefusedWhereStrict) {
  const CompilerFlags flags = read_compiler_flags(
      "--target trn3 --frobnicate 3 --auto-cast=all --lnc=1 -O2 --optlevel 3 --speed");
  EXPECT_THAT(flags.unknown, ElementsAre("--frobnicate", "--speed"));
  EXPECT_EQ(flags.precision.cast, Precision::Cast::all);
  EXPECT_THAT(unknown_in_words(flags), HasSubstr("--frobnicate --speed"));
  EXPECT_EQ(unknown_in_words(read_compiler_flags("--verbose info")), "");
  EXPECT_THROW(static_cast<void>(unknown_in_words(flags, true)), base::InputError);
}

TEST(CompilerFlags, AWrongValueNamesTheRightOnes) {
  try {
    static_cast<void>(read_compiler_flags("--auto-cast matmul"));
    FAIL() << "it is refused";
  } catch (const base::InputError& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("\"matmul\""));
    EXPECT_THAT(std::string(error.what()), HasSubstr("none|matmult|all"));
  }
  EXPECT_THROW(static_cast<void>(read_compiler_flags("--auto-cast-type")), base::InputError);
}

TEST(CompilerFlags, FormatsOfClassesAddUpAndAsTypedTakesOneAway) {
  const Precision first = read_compiler_flags("--precision weights=mxfp8,gradients=bf16").precision;
  EXPECT_EQ(graph::to_string(first.formats), "weights=mxfp8,gradients=bf16");
  const Precision then =
      read_compiler_flags("--precision=gradients=as-typed,kv_cache=fp8_e5m2_scaled", first)
          .precision;
  EXPECT_EQ(graph::to_string(then.formats), "weights=mxfp8,kv_cache=fp8_e5m2_scaled");
  EXPECT_NE(graph::key(first), graph::key(then));
  for (const auto* const wrong : {"--precision", "--precision weights", "--precision weights=fp9",
                                  "--precision weights=mxfp4", "--precision bias=bf16"})
    EXPECT_THROW(static_cast<void>(read_compiler_flags(wrong)), base::InputError) << wrong;
}

TEST(CompilerFlags, PermissionsAreReadFromTheirLists) {
  EXPECT_THAT(read_compiler_flags("--implicit-integer-downcast dot,pow").permissions.downcasts,
              ElementsAre(Downcast::dot, Downcast::pow));
  EXPECT_EQ(read_compiler_flags("--implicit-integer-downcast=default").permissions.downcasts.size(),
            5U);
  EXPECT_TRUE(
      read_compiler_flags("--implicit-integer-downcast=none").permissions.downcasts.empty());
  for (const auto* const wrong :
       {"--implicit-integer-downcast", "--implicit-integer-downcast=dot,",
        "--native-int64 on "
        "--implicit-integer-downcast=all,dot",
        "--internal-max-instruction-limit=many", "--internal-max-instruction-limit=-1"})
    EXPECT_THROW(static_cast<void>(read_compiler_flags(wrong)), base::InputError) << wrong;
}

}  // namespace
}  // namespace trainyard::session
