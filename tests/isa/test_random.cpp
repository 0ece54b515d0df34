// Are random numbers reproducible, per lane, and distributed as asked?
#include <set>

#include "isa/instructions/dropout.h"
#include "isa/instructions/rand2.h"
#include "isa/instructions/rand_get_state.h"
#include "isa/instructions/rand_set_state.h"
#include "isa/instructions/rng.h"
#include "isa/instructions/set_rng_seed.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

void seed(Lab& lab, std::uint32_t value) {
  const Tile tile = lab.sbuf(DType::uint32, 1, {1});
  lab.set_bits(tile, 0, 0, value);
  lab.run(SetRngSeed{tile});
}

std::vector<std::uint32_t> draw(Lab& lab, Engine engine, DType dtype = DType::uint32) {
  const Tile dst = lab.sbuf(dtype, 128, {16});
  lab.run(Rng{dst}, engine);
  std::vector<std::uint32_t> words;
  for (int p = 0; p < 128; ++p) {
    for (int i = 0; i < 16; ++i) words.push_back(lab.bits(dst, p, i));
  }
  return words;
}

TEST(Rng, RepeatsAfterTheSameSeedAndOnlyThen) {
  for (const char* machine : {"trn3", "trn2"}) {
    Lab lab(machine);
    seed(lab, 42);
    const auto first = draw(lab, Engine::vector);
    EXPECT_NE(draw(lab, Engine::vector), first);
    seed(lab, 42);
    EXPECT_EQ(draw(lab, Engine::vector), first);
    seed(lab, 43);
    EXPECT_NE(draw(lab, Engine::vector), first);
    EXPECT_GT(std::set(first.begin(), first.end()).size(), first.size() - 4);  // lanes differ
  }
}

TEST(Rng, KeepsTheLowBits) {
  Lab lab;
  seed(lab, 1);
  const auto words = draw(lab, Engine::vector);
  seed(lab, 1);
  const auto bytes = draw(lab, Engine::vector, DType::int8);
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(bytes[i], words[i] & 0xFF);
}

TEST(RandState, ReturnsToWhereItWasSaved) {
  for (const Engine engine : {Engine::vector, Engine::gpsimd}) {
    Lab lab;
    draw(lab, engine);
    const Tile state = lab.sbuf(DType::uint32, 128, {engine == Engine::vector ? 24 : 6});
    lab.run(RandGetState{state}, engine);
    const auto first = draw(lab, engine);
    const auto second = draw(lab, engine);
    EXPECT_NE(first, second);
    lab.run(RandSetState{state}, engine);
    EXPECT_EQ(draw(lab, engine), first);
    EXPECT_EQ(draw(lab, engine), second);
  }
}

TEST(Rand2, IsUniformBetweenTheBounds) {
  Lab lab;
  Rand2 op{lab.sbuf(DType::float32, 128, {512}), {.constant = -3}, {.constant = 5}};
  op.max.tile = lab.sbuf(DType::float32, 128, {1});
  for (int p = 0; p < 128; ++p) lab.set(op.max.tile, p, 0, p < 64 ? 5.0F : 1.0F);
  lab.run(op);
  for (const int half : {0, 64}) {
    double sum = 0;
    for (int p = half; p < half + 64; ++p) {
      for (const float x : lab.row(op.dst, p)) {
        EXPECT_GE(x, -3);
        EXPECT_LE(x, half == 0 ? 5 : 1);
        sum += x;
      }
    }
    EXPECT_NEAR(sum / (64 * 512), half == 0 ? 1 : -1, 0.05);
  }
}

TEST(Dropout, DropsAtTheRateOfEachRow) {
  Lab lab;
  Dropout op{lab.sbuf(DType::bfloat16, 128, {1000}), lab.sbuf(DType::bfloat16, 128, {1000}), {}};
  op.prob.tile = lab.sbuf(DType::float32, 128, {1});
  lab.fill(op.data, 1, 2);
  const auto rate = [](int p) { return p == 0 ? 0.0F : p == 1 ? 1.0F : 0.25F; };
  for (int p = 0; p < 128; ++p) lab.set(op.prob.tile, p, 0, rate(p));
  lab.run(op);
  int dropped = 0;
  for (int p = 0; p < 128; ++p) {
    for (int i = 0; i < 1000; ++i) {
      const std::uint32_t result = lab.bits(op.dst, p, i);
      EXPECT_TRUE(result == 0 || result == lab.bits(op.data, p, i));
      if (p < 2) {
        EXPECT_EQ(result == 0, p == 1);
      }
      if (p > 1 && result == 0) ++dropped;
    }
  }
  EXPECT_NEAR(dropped / 126000.0, 0.25, 0.01);
}

}  // namespace
}  // namespace trainyard::isa
