// Are results the same on every host and in every process? Compilers, instruction sets and settings
// must not show.
#include <gtest/gtest.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <bit>
#include <cfenv>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "numerics/activation.h"
#include "numerics/alu.h"
#include "numerics/convert.h"
#include "numerics/float_environment.h"
#include "simd_targets_for_test.h"

namespace trainyard::numerics {
namespace {

class Hash {
 public:
  void add(std::uint32_t word) { value_ = base::hash_combine(value_, word); }
  void add(float x) { add(std::bit_cast<std::uint32_t>(x)); }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = base::hash_seed;
};

std::vector<float> arguments() {
  base::Random random(2024);
  std::vector<float> values(20000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 2 == 0 ? std::bit_cast<float>(random.next32())
                           : static_cast<float>(random.uniform() * 30 - 15);
  }
  return values;
}

std::uint64_t hash_of_everything() {
  Hash hash;
  const std::vector<float> x = arguments();
  std::vector<float> out(x.size());
  for (int i = 0; i < activation_function_count; ++i) {
    activate(static_cast<ActivationFunction>(i), x.data(), out.data(), x.size(), 0.3f);
    for (const float y : out) hash.add(y);
  }
  for (const AluOp op :
       {AluOp::add, AluOp::multiply, AluOp::divide, AluOp::power, AluOp::rsqrt, AluOp::mod}) {
    apply(op, x.data(), x.data() + 1, out.data(), x.size() - 1);
    for (const float y : out) hash.add(y);
  }
  for (int i = 0; i <= static_cast<int>(DType::float4_e2m1fn); ++i) {
    const DType dtype = static_cast<DType>(i);
    if (size_in_bytes(dtype) > 4) continue;
    for (const float y : x) hash.add(from_float(dtype, y));
  }
  return hash.value();
}

// Recorded once. Another value on another host or with another compiler means that bits depend on
// it.
TEST(HostIndependence, TheBitsAreTheRecordedOnes) {
  for_each_simd_target([](const char* target) {
    SCOPED_TRACE(target);
    EXPECT_EQ(hash_of_everything(), 7119784809542437314u);
  });
}

TEST(HostIndependence, AGuardUndoesForeignSettings) {
  const float smallest = from_float(DType::float32, 0x1p-149f) == 1u ? 0x1p-149f : 0;
  const std::uint64_t expected = hash_of_everything();
  std::fesetround(FE_UPWARD);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() |
             0x8040);  // flush subnormal results to zero, read subnormal operands as zero
#endif
  {
    const StandardFloatEnvironment standard;
    EXPECT_EQ(hash_of_everything(), expected);
    EXPECT_EQ(apply(AluOp::multiply, smallest, 3.0f), 0x3p-149f);
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
#if defined(__SSE__)
  EXPECT_EQ(_mm_getcsr() & 0x8040u, 0x8040u);
  _mm_setcsr(_mm_getcsr() & ~0x8040u);
#endif
  std::fesetround(FE_TONEAREST);
}

}  // namespace
}  // namespace trainyard::numerics
