#include "cases.h"
#include "isa/instructions/dropout.h"
#include "isa/instructions/rand2.h"
#include "isa/instructions/rand_get_state.h"
#include "isa/instructions/rand_set_state.h"
#include "isa/instructions/rng.h"
#include "isa/instructions/set_rng_seed.h"

namespace trainyard::isa {

namespace {

void add_number_cases(Cases& cases) {
  cases.instruction<Rng>([](Bench& b) { return Rng{b.psum(DType::uint8, 64, {16})}; })
      .breaks("rng.c1", [](Bench& b, Rng& op) { op.dst = b.hbm(DType::uint32, {16}); })
      .breaks("rng.c2", [](Bench& b, Rng& op) { op.dst = b.sbuf(DType::float32, 64, {16}); })
      .breaks("rng.c3", [](Bench& b, Rng& op) {
        op.dst = b.sbuf(DType::uint32, 64, {16});
        b.engine = Engine::gpsimd;
        b.core.features.gpsimd_random = false;
      });
  cases
      .instruction<Rand2>([](Bench& b) {
        return Rand2{b.sbuf(DType::bfloat16, 64, {16}), {.constant = -1}, {.constant = 1}};
      })
      .breaks("rand2.c1", [](Bench& b, Rand2&) { b.core.features.rand2 = false; })
      .breaks("rand2.c2", [](Bench& b, Rand2& op) { op.dst = b.hbm(DType::float32, {16}); })
      .breaks("rand2.c3",
              [](Bench& b, Rand2& op) { op.dst = b.sbuf(DType::float8_e4m3fn, 64, {16}); })
      .breaks("rand2.c4",
              [](Bench& b, Rand2& op) { op.max.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks("rand2.c5", [](Bench&, Rand2& op) { op.max.constant = -1; });
  cases
      .instruction<Dropout>([](Bench& b) {
        return Dropout{b.sbuf(DType::int32, 64, {16}),
                       b.psum(DType::int32, 64, {16}),
                       {.tile = b.sbuf(DType::float32, 64, {1})}};
      })
      .breaks("dropout.c1",
              [](Bench& b, Dropout& op) {
                op.dst = b.hbm(DType::int32, {64, 16});
              })
      .breaks("dropout.c2", [](Bench& b, Dropout& op) { op.dst = b.sbuf(DType::int32, 64, {8}); })
      .breaks("dropout.c3",
              [](Bench& b, Dropout& op) { op.dst = b.sbuf(DType::float32, 64, {16}); })
      .breaks("dropout.c4",
              [](Bench& b, Dropout& op) { op.prob.tile = b.sbuf(DType::float32, 64, {16}); })
      .breaks("dropout.c5",
              [](Bench& b, Dropout& op) { op.prob.tile = b.sbuf(DType::bfloat16, 64, {1}); })
      .breaks(
          "dropout.c6",
          [](Bench& b, Dropout& op) { op.dst = op.data = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("dropout.c7", [](Bench&, Dropout& op) { op.prob = {.constant = 1.5}; });
}

void add_state_cases(Cases& cases) {
  cases.instruction<SetRngSeed>([](Bench& b) { return SetRngSeed{b.sbuf(DType::int32, 1, {1})}; })
      .breaks("set_rng_seed.c1",
              [](Bench& b, SetRngSeed& op) { op.src_seeds = b.sbuf(DType::int32, 64, {1}); })
      .breaks("set_rng_seed.c2",
              [](Bench& b, SetRngSeed& op) { op.src_seeds = b.sbuf(DType::int16, 1, {1}); });
  cases
      .instruction<RandSetState>(
          [](Bench& b) { return RandSetState{b.sbuf(DType::uint32, 128, {6})}; })
      .breaks("rand_set_state.c1",
              [](Bench& b, RandSetState& op) {
                b.engine = Engine::vector;
                op.src_seeds = b.psum(DType::uint32, 128, {24});
              })
      .breaks("rand_set_state.c2",
              [](Bench& b, RandSetState& op) { op.src_seeds = b.sbuf(DType::int32, 128, {6}); })
      .breaks("rand_set_state.c3", [](Bench& b, RandSetState&) { b.engine = Engine::vector; })
      .breaks("rand_set_state.c4",
              [](Bench& b, RandSetState&) { b.core.features.gpsimd_random = false; })
      .allows([](Bench& b, RandSetState& op) {
        b.engine = Engine::vector;
        op.src_seeds = b.sbuf(DType::uint32, 128, {24});
      });
  cases
      .instruction<RandGetState>(
          [](Bench& b) { return RandGetState{b.sbuf(DType::uint32, 128, {6})}; })
      .breaks("rand_get_state.c1",
              [](Bench& b, RandGetState& op) { op.dst = b.hbm(DType::uint32, {6}); })
      .breaks("rand_get_state.c2",
              [](Bench& b, RandGetState& op) { op.dst = b.sbuf(DType::int32, 128, {6}); })
      .breaks("rand_get_state.c3",
              [](Bench& b, RandGetState& op) { op.dst = b.sbuf(DType::uint32, 128, {24}); })
      .breaks("rand_get_state.c4",
              [](Bench& b, RandGetState& op) {
                b.engine = Engine::vector;
                b.core.features.vector_xorwow = false;
                op.dst = b.psum(DType::uint32, 128, {24});
              })
      .allows([](Bench& b, RandGetState& op) {
        b.engine = Engine::vector;
        op.dst = b.psum(DType::uint32, 128, {24});
      });
}

}  // namespace

void add_random_cases(Cases& cases) {
  add_number_cases(cases);
  add_state_cases(cases);
}

}  // namespace trainyard::isa
