#include "cases.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::isa {

namespace {

const LoopBegin loop{.counter = {0}, .start = {}, .stop = {.constant = 4, .reg = {}}};

void run_on(Bench& b, Engine engine, std::uint32_t instruction) {
  b.program.compiled = true;
  StreamItem item;
  item.instruction = instruction;
  b.program.streams[static_cast<std::size_t>(engine)].push_back(item);
}

void add_flow_cases(Cases& cases) {
  cases.program("program.form", [](Bench& b) {
    TensorCopy op{b.sbuf(DType::float32, 128, {8}), b.sbuf(DType::float32, 128, {8})};
    op.src.tensor = 2;
    b.program.append(op);
  });
  cases.program("program.loops", [](Bench& b) {
    b.program.append(loop);
    b.program.append(loop);
    b.program.append(LoopEnd{0});
    b.program.append(LoopEnd{1});
  });
  cases.program("program.branches", [](Bench& b) {
    b.program.append(loop);
    b.program.append(Branch{{}, numerics::AluOp::equal, {}, 3});  // out of the loop
    b.program.append(LoopEnd{0});
    b.program.append(Drain{});
  });
}

void add_stream_cases(Cases& cases) {
  cases.program("program.references", [](Bench& b) { run_on(b, Engine::sync, 0); });
  cases.program("program.engines", [](Bench& b) {
    run_on(b, Engine::scalar, b.program.append(NcTranspose{}, Engine::vector));
  });
  cases.program("program.stream_loops", [](Bench& b) {
    const std::uint32_t begin = b.program.append(loop);
    b.program.append(LoopEnd{static_cast<std::int32_t>(begin)});
    run_on(b, Engine::sync, begin);
  });
  cases.program("program.semaphores", [](Bench& b) {
    b.program.compiled = true;
    b.program.semaphore_count = 2;
    b.program.waits.push_back({2, 1});
  });
}

}  // namespace

void add_program_cases(Cases& cases) {
  add_flow_cases(cases);
  add_stream_cases(cases);
}

}  // namespace trainyard::isa
