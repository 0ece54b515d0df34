#include "cases.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/drain.h"

namespace trainyard::isa {

void add_dma_cases(Cases& cases) {
  cases
      .instruction<DmaCopy>([](Bench& b) {
        return DmaCopy{b.sbuf(DType::bfloat16, 128, {512}), b.hbm(DType::bfloat16, {128, 512})};
      })
      .breaks("dma_copy.c1",
              [](Bench& b, DmaCopy& op) { op.dst = b.psum(DType::bfloat16, 128, {512}); })
      .breaks("dma_copy.c2",
              [](Bench& b, DmaCopy& op) { op.dst = b.sbuf(DType::bfloat16, 128, {256}); })
      .breaks("dma_copy.c3",
              [](Bench& b, DmaCopy& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 128, {512}); })
      .breaks("dma_copy.c4", [](Bench& b, DmaCopy& op) {
        op.dst = b.sbuf(DType::float32, 128, {512});
        op.dge_mode = DgeMode::hwdge;
      });
  cases.instruction<Drain>([](Bench&) { return Drain{}; });
}

}  // namespace trainyard::isa
