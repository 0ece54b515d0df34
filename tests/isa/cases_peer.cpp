#include "cases.h"
#include "isa/instructions/core_barrier.h"
#include "isa/instructions/sendrecv.h"

namespace trainyard::isa {

namespace {

IntList cores(std::initializer_list<std::int32_t> list) {
  IntList result;
  for (const std::int32_t core : list) result.push_back(core);
  return result;
}

void add_barrier_cases(Cases& cases) {
  cases
      .instruction<CoreBarrier>([](Bench& b) {
        const Tile data = b.hbm(DType::float32, {128, 64});
        b.program.tensors[data.tensor].shared = true;
        return CoreBarrier{data, cores({0, 1})};
      })
      .allows([](Bench& b, CoreBarrier& op) { op.data = b.sbuf(DType::int32, 1, {1}); })
      .allows([](Bench& b, CoreBarrier& op) {
        op = {b.hbm(DType::float32, {128, 64}), cores({0})};
      })
      .breaks("core_barrier.c1", [](Bench& b, CoreBarrier&) { b.core.features.core_pairs = false; })
      .breaks("core_barrier.c2",
              [](Bench& b, CoreBarrier& op) {
                op.data = b.hbm(DType::float32, {128, 64});
              })
      .breaks("core_barrier.c3", [](Bench&, CoreBarrier& op) {
        op.cores = cores({1, 0});
      });
}

void add_exchange_cases(Cases& cases) {
  cases
      .instruction<Sendrecv>([](Bench& b) {
        return Sendrecv{.src = b.sbuf(DType::bfloat16, 128, {512}),
                        .dst = b.sbuf(DType::bfloat16, 128, {512}),
                        .send_to_rank = 1,
                        .recv_from_rank = 1};
      })
      .allows([](Bench& b, Sendrecv& op) {
        op.src = b.sbuf(DType::float32, 128, {256});
        op.dst = b.sbuf(DType::float32, 128, {256});
        op.dma_engine = DmaPath::gpsimd_dma;
      })
      .breaks("sendrecv.c1", [](Bench& b, Sendrecv&) { b.core.features.core_pairs = false; })
      .breaks("sendrecv.c2",
              [](Bench& b, Sendrecv& op) { op.src = b.psum(DType::bfloat16, 128, {512}); })
      .breaks("sendrecv.c3",
              [](Bench& b, Sendrecv& op) { op.src = b.sbuf(DType::float16, 128, {512}); })
      .breaks("sendrecv.c4",
              [](Bench& b, Sendrecv& op) { op.dst = b.sbuf(DType::bfloat16, 64, {1024}); })
      .breaks("sendrecv.c5", [](Bench&, Sendrecv& op) { op.recv_from_rank = 2; })
      .breaks("sendrecv.c6", [](Bench&, Sendrecv& op) { op.pipe_id = -1; })
      .breaks("sendrecv.c7",
              [](Bench& b, Sendrecv& op) {
                op.src = op.dst = b.sbuf(DType::bfloat16, 128, {256});
                op.dma_engine = DmaPath::gpsimd_dma;
                b.core.features.gpsimd_dma = false;
              })
      .breaks("sendrecv.c8", [](Bench&, Sendrecv& op) { op.dma_engine = DmaPath::gpsimd_dma; });
}

}  // namespace

void add_peer_cases(Cases& cases) {
  add_barrier_cases(cases);
  add_exchange_cases(cases);
}

}  // namespace trainyard::isa
