#include "cases.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"
#include "isa/instructions/register_store.h"

namespace trainyard::isa {

namespace {

constexpr Register r0{0}, r1{1}, beyond{64};

void add_register_cases(Cases& cases) {
  cases.instruction<RegisterMove>([](Bench&) {
         return RegisterMove{r0, {.reg = r1}};
       })
      .allows([](Bench&, RegisterMove& op) { op.src = {.constant = -1}; })
      .breaks("register_move.c1", [](Bench&, RegisterMove& op) { op.dst = beyond; });
  cases
      .instruction<RegisterAlu>([](Bench&) {
        return RegisterAlu{r0, {.reg = r1}, numerics::AluOp::add, {.constant = 3}};
      })
      .breaks("register_alu.c1", [](Bench&, RegisterAlu& op) { op.right = {.reg = beyond}; })
      .breaks("register_alu.c2",
              [](Bench&, RegisterAlu& op) { op.op = numerics::AluOp::reciprocal; })
      .breaks("register_alu.c3", [](Bench&, RegisterAlu& op) {
        op.wide = true;
        op.op = numerics::AluOp::maximum;
      });
  cases
      .instruction<RegisterLoad>([](Bench& b) {
        return RegisterLoad{r0, b.sbuf(DType::int32, 1, {1})};
      })
      .allows([](Bench& b, RegisterLoad& op) { op.src = b.hbm(DType::uint8, {1}); })
      .breaks("register_load.c1", [](Bench&, RegisterLoad& op) { op.dst = {}; })
      .breaks("register_load.c2",
              [](Bench& b, RegisterLoad& op) { op.src = b.sbuf(DType::int32, 2, {1}); })
      .breaks("register_load.c3",
              [](Bench& b, RegisterLoad& op) { op.src = b.psum(DType::int32, 1, {1}); })
      .breaks("register_load.c4",
              [](Bench& b, RegisterLoad& op) { op.src = b.hbm(DType::uint64, {1}); });
  cases
      .instruction<RegisterStore>([](Bench& b) {
        return RegisterStore{b.sbuf(DType::int32, 1, {1}), r0};
      })
      .breaks("register_store.c1", [](Bench&, RegisterStore& op) { op.src = {}; })
      .breaks("register_store.c2",
              [](Bench& b, RegisterStore& op) { op.dst = b.sbuf(DType::int32, 1, {2}); })
      .breaks("register_store.c3",
              [](Bench& b, RegisterStore& op) { op.dst = b.psum(DType::int32, 1, {1}); })
      .breaks("register_store.c4",
              [](Bench& b, RegisterStore& op) { op.dst = b.hbm(DType::uint64, {1}); });
}

void add_flow_cases(Cases& cases) {
  cases.instruction<Drain>([](Bench&) { return Drain{}; });
  cases
      .instruction<LoopBegin>([](Bench&) {
        return LoopBegin{r0, {}, {.reg = r1}, 2, LoopKind::counted};
      })
      .allows([](Bench&, LoopBegin& op) { op = {.counter = r1, .kind = LoopKind::while_nonzero}; })
      .breaks("loop_begin.c1", [](Bench&, LoopBegin& op) { op.counter = {}; })
      .breaks("loop_begin.c2", [](Bench&, LoopBegin& op) { op.step = 0; })
      .breaks("loop_begin.c3", [](Bench&, LoopBegin& op) { op.kind = LoopKind::while_nonzero; });
  cases
      .instruction<LoopEnd>([](Bench& b) {
        return LoopEnd{static_cast<std::int32_t>(b.program.append(LoopBegin{.counter = r0}))};
      })
      .breaks("loop_end.c1", [](Bench&, LoopEnd& op) { op.begin = 1; });
  cases
      .instruction<Branch>([](Bench& b) {
        b.program.append(Drain{});
        return Branch{{.reg = r0}, numerics::AluOp::less, {.constant = 4}, 1};
      })
      .breaks("branch.c1", [](Bench&, Branch& op) { op.left = {.reg = beyond}; })
      .breaks("branch.c2", [](Bench&, Branch& op) { op.op = numerics::AluOp::add; })
      .breaks("branch.c3", [](Bench&, Branch& op) { op.target = 2; });
}

}  // namespace

void add_control_cases(Cases& cases) {
  add_register_cases(cases);
  add_flow_cases(cases);
}

}  // namespace trainyard::isa
