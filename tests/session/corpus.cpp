// The programs of observer.h.
#include "../isa/cases.h"
#include "../system/random_kernel.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/dma_transpose.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_n_gather.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"
#include "isa/instructions/register_store.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_copy_predicated.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/semantics/dma.h"
#include "observer.h"

namespace trainyard::session {

namespace {

using isa::DType;
using isa::Engine;
using isa::Register;
using isa::Tile;

constexpr Register loop_register{3};

// `count` columns of a tile from column `first` on.
Tile columns(Tile tile, int first, int count) {
  tile.offset += first * tile.element_bytes();
  tile.dims[0].count = count;
  return tile;
}

// dst = src on an engine: a product by the tensor engine, a transfer by Sync, a copy by the others.
void move(isa::Bench& b, Engine engine, const Tile& dst, const Tile& src) {
  if (engine == Engine::tensor) {
    isa::NcMatmul op;
    op.dst = b.psum(DType::float32, 128, {src.free_elements() > 512 ? 512 : 128});
    op.stationary = b.sbuf(src.dtype, 128, {128});
    op.moving = src;
    b.program.append(op, engine);
  } else if (engine == Engine::sync) {
    b.program.append(isa::DmaCopy{.dst = dst, .src = src}, engine);
  } else {
    b.program.append(isa::TensorCopy{.dst = dst, .src = src}, engine);
  }
}

// Long enough for the clock limit of the tensor engine to rise, to fall, and to rise again.
isa::Program products() {
  isa::Bench b;
  isa::NcMatmul op;
  op.dst = b.psum(DType::float32, 128, {512});
  op.stationary = b.sbuf(DType::bfloat16, 128, {128});
  op.moving = b.sbuf(DType::bfloat16, 128, {512});
  const Tile result = b.sbuf(DType::float32, 128, {512});
  const Tile large = b.sbuf(DType::bfloat16, 128, {16'384});
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 150; ++i) b.program.append(op);
    b.program.append(isa::TensorCopy{.dst = result, .src = op.dst});
    for (int i = 0; i < 8; ++i) b.program.append(op);
    for (int i = 0; i < 3; ++i)
      b.program.append(isa::DmaCopy{.dst = large, .src = b.hbm(DType::bfloat16, {128, 16'384})});
    op.moving = columns(large, 0, 512);
  }
  return b.program;
}

// More transfers than a ring holds, of every size, by every way to make descriptors.
isa::Program transfers(isa::DgeMode mode, Engine engine) {
  isa::Bench b;
  for (const int width : {8, 512, 4096, 512, 8, 64, 2048, 8, 8, 8}) {
    const Tile tile = b.sbuf(DType::bfloat16, 128, {width});
    const Tile from = b.hbm(DType::bfloat16, {128, width});
    const Tile to = b.hbm(DType::bfloat16, {128, width});
    b.program.append(isa::DmaCopy{.dst = tile, .src = from, .dge_mode = mode}, engine);
    b.program.append(isa::DmaCopy{.dst = to, .src = tile, .dge_mode = mode}, engine);
  }
  return b.program;
}

// A transfer that casts, for which no engine has hardware descriptors.
isa::Program casting_transfer(Engine engine) {
  isa::Bench b;
  b.program.append(isa::DmaCopy{.dst = b.sbuf(DType::bfloat16, 128, {512}),
                                .src = b.hbm(DType::float32, {128, 512})},
                   engine);
  return b.program;
}

// Registers, loops and branches that decide what one engine does.
isa::Program control(Engine engine) {
  isa::Bench b;
  const Register moved{1}, added{2}, loaded{4}, fetched{5};
  const Tile word = b.sbuf(DType::int32, 1, {1});
  const Tile source = b.sbuf(DType::bfloat16, 128, {512});
  const Tile target = b.sbuf(DType::bfloat16, 128, {128});
  b.program.append(isa::RegisterMove{moved, {.constant = 1}});
  b.program.append(isa::RegisterAlu{added, {.reg = moved}, numerics::AluOp::add, {.constant = 3}});
  b.program.append(isa::RegisterLoad{loaded, word});
  b.program.append(isa::RegisterLoad{fetched, b.hbm(DType::int32, {1})});
  b.program.append(isa::RegisterStore{b.sbuf(DType::int32, 1, {1}), added});
  for (const Register address : {moved, added, loaded, fetched})
    move(b, engine, target, b.by_register(columns(source, 0, 128), address.index, 1, 384));
  const auto begin = static_cast<std::int32_t>(
      b.program.append(isa::LoopBegin{.counter = loop_register, .stop = {.constant = 3}}));
  move(b, engine, target, b.by_register(columns(source, 0, 128), loop_register.index, 1, 384));
  b.program.append(isa::LoopEnd{begin});
  // The branch leads behind the one instruction after it.
  const auto next = static_cast<std::int32_t>(b.program.instructions.size()) + 2;
  b.program.append(isa::Branch{{.reg = moved}, numerics::AluOp::equal, {.constant = 2}, next},
                   engine);
  move(b, engine, target, columns(source, 0, 128));
  b.program.append(isa::Drain{}, engine);
  move(b, engine, target, columns(source, 0, 128));
  return b.program;
}

// Every engine but the tensor engine writes a part of a tile that one engine then reads.
isa::Program meeting(Engine engine) {
  isa::Bench b;
  const Tile whole = b.sbuf(DType::bfloat16, 128, {128});
  const Tile from = b.sbuf(DType::bfloat16, 128, {128});
  int first = 0;
  for (const Engine writer : {Engine::vector, Engine::scalar, Engine::gpsimd, Engine::sync}) {
    if (writer != engine) move(b, writer, columns(whole, first, 32), columns(from, first, 32));
    first += 32;
  }
  for (int i = 0; i < 2; ++i) move(b, engine, b.sbuf(DType::bfloat16, 128, {128}), whole);
  return b.program;
}

// Engines that want PSUM at the same time.
isa::Program sharing() {
  isa::Bench b;
  const Tile bank = b.psum(DType::float32, 128, {512});
  isa::NcMatmul op;
  op.stationary = b.sbuf(DType::bfloat16, 128, {128});
  op.moving = b.sbuf(DType::bfloat16, 128, {128});
  for (int part = 0; part < 4; ++part) {
    op.dst = columns(bank, part * 128, 128);
    b.program.append(op);
  }
  for (int round = 0; round < 4; ++round) {
    op.dst = columns(bank, 256 + round % 2 * 128, 128);
    b.program.append(op);
    move(b, Engine::vector, b.sbuf(DType::float32, 128, {128}), columns(bank, 0, 128));
    move(b, Engine::scalar, b.sbuf(DType::float32, 128, {128}), columns(bank, 128, 128));
  }
  const Tile elsewhere = b.psum(DType::float32, 128, {512});
  b.program.append(isa::Memset{.dst = elsewhere, .value = 1}, Engine::vector);
  for (int round = 0; round < 4; ++round) {
    move(b, Engine::vector, b.sbuf(DType::float32, 128, {512}), elsewhere);
    move(b, Engine::scalar, b.sbuf(DType::float32, 128, {512}), bank);
  }
  return b.program;
}

// Engines that want the same bus of SBUF at the same time.
isa::Program bus() {
  isa::Bench b;
  for (int round = 0; round < 4; ++round) {
    move(b, Engine::vector, b.sbuf(DType::bfloat16, 128, {512}),
         b.sbuf(DType::bfloat16, 128, {512}));
    move(b, Engine::gpsimd, b.sbuf(DType::bfloat16, 128, {512}),
         b.sbuf(DType::bfloat16, 128, {512}));
  }
  return b.program;
}

// Functions whose tables Scalar has to exchange.
isa::Program tables() {
  isa::Bench b;
  for (const auto function : {numerics::ActivationFunction::exp, numerics::ActivationFunction::sqrt,
                              numerics::ActivationFunction::gelu}) {
    isa::Activation op;
    op.dst = b.sbuf(DType::bfloat16, 128, {64});
    op.data = b.psum(DType::float32, 128, {64});
    op.op = function;
    b.program.append(op);
    op.dst = b.psum(DType::float32, 128, {64});
    b.program.append(op);
  }
  return b.program;
}

// Every second, or every 32nd element.
Tile strided(Tile tile, int step) {
  tile.dims[0] = {step, tile.dims[0].count / step};
  return tile;
}

// Operands that have rates or rules of their own.
void add_forms(std::vector<isa::Program>& programs) {
  const auto add = [&](auto make) {
    isa::Bench b;
    make(b);
    programs.push_back(b.program);
  };
  const auto bf16 = [](isa::Bench& b) { return b.sbuf(DType::bfloat16, 128, {512}); };
  const auto in_psum = [](isa::Bench& b) { return b.psum(DType::bfloat16, 128, {512}); };
  for (const Engine engine : {Engine::vector, Engine::scalar, Engine::gpsimd}) {
    for (const int step : {2, 32}) {
      add([&](isa::Bench& b) { move(b, engine, strided(bf16(b), step), strided(bf16(b), step)); });
    }
    add([&](isa::Bench& b) { move(b, engine, in_psum(b), in_psum(b)); });
    for (const DType eight : {DType::float8_e4m3, DType::float8_e5m2}) {
      add([&](isa::Bench& b) {
        move(b, engine, b.sbuf(eight, 128, {512}), b.sbuf(DType::float32, 128, {512}));
        move(b, engine, b.sbuf(eight, 128, {512}), b.sbuf(eight, 128, {512}));
      });
    }
  }
  add([&](isa::Bench& b) {
    b.program.append(isa::TensorTensor{.dst = bf16(b), .data1 = in_psum(b), .data2 = bf16(b)});
  });
  add([&](isa::Bench& b) { b.program.append(isa::Memset{.dst = bf16(b)}, Engine::vector); });
  add([&](isa::Bench& b) {
    isa::TensorReduce op;
    op.dst = b.sbuf(DType::bfloat16, 128, {1});
    op.data = bf16(b);
    op.axis = {{1}, 1};
    b.program.append(op);
  });
  add([&](isa::Bench& b) {
    isa::ScalarTensorTensor op;
    op.dst = op.data = bf16(b);
    op.op0 = numerics::AluOp::subtract;
    op.operand0.constant = 1;
    op.op1 = numerics::AluOp::multiply;
    op.operand1 = bf16(b);
    b.program.append(op);
  });
  add([&](isa::Bench& b) {
    isa::ScalarTensorTensor op;
    op.dst = op.data = bf16(b);
    op.operand0.tile = b.sbuf(DType::float32, 128, {1});
    op.operand1 = in_psum(b);
    b.program.append(op);
  });
  add([&](isa::Bench& b) {
    isa::TensorCopyPredicated op;
    op.dst = bf16(b);
    op.src.tile = bf16(b);
    op.predicate = b.sbuf(DType::uint8, 128, {512});
    b.program.append(op);
  });
  add([&](isa::Bench& b) {
    isa::Activation op;
    op.dst = op.data = bf16(b);
    op.bias.constant = 0.5;
    b.program.append(op);
  });
  add([&](isa::Bench& b) {
    b.program.append(
        isa::NcTranspose{b.psum(DType::float32, 128, {128}), b.sbuf(DType::float32, 128, {128})},
        Engine::tensor);
  });
  add([&](isa::Bench& b) {
    isa::NcNGather op;
    op.dst = b.sbuf(DType::float32, 128, {1024});
    op.data = b.sbuf(DType::float32, 128, {64});
    op.indices = b.sbuf(DType::uint32, 128, {1024});
    b.program.append(op);
  });
  for (const bool onezero : {false, true}) {
    add([&](isa::Bench& b) {
      isa::NcMatmul op;
      op.dst = b.psum(DType::float32, 128, {128});
      op.stationary = op.moving = b.sbuf(DType::float32, 128, {128});
      op.is_moving_onezero = onezero;
      b.program.append(op);
    });
  }
}

// Transfers that stay in HBM, or in SBUF.
void add_local_transfers(std::vector<isa::Program>& programs) {
  isa::Bench b;
  b.program.append(isa::DmaCopy{.dst = b.hbm(DType::float32, {4, 65'536}),
                                .src = b.hbm(DType::float32, {4, 65'536})});
  programs.push_back(b.program);
  isa::Bench c;
  isa::DmaTranspose op;
  op.src = c.sbuf(DType::bfloat16, 128, {64});
  op.dst = c.sbuf(DType::bfloat16, 64, {128});
  c.program.append(op);
  programs.push_back(c.program);
}

// Uses all of a Trainium3's SBUF that programs may use.
isa::Program full() {
  isa::Bench b;
  const Tile half = b.sbuf(DType::bfloat16, 128, {61'438}),
             rest = b.sbuf(DType::bfloat16, 128, {61'438});
  const Tile to = b.hbm(DType::bfloat16, {128, 61'438});
  for (const Tile& tile : {half, rest})
    move(b, Engine::vector, columns(tile, 0, 8), columns(tile, 8, 8));
  for (const Tile& tile : {half, rest}) b.program.append(isa::DmaCopy{.dst = to, .src = tile});
  return b.program;
}

// What only AWS's simulator computes.
isa::Program remainders() {
  isa::Bench b;
  const Tile tile = b.sbuf(DType::float32, 128, {64});
  b.program.append(isa::TensorTensor{tile, tile, tile, numerics::AluOp::fmod});
  return b.program;
}

// Small numbers times a factor, as a dtype.
Tile scaled(isa::Bench& b, DType dtype, double factor) {
  isa::TensorScalar op;
  op.dst = b.sbuf(dtype, 128, {64});
  op.data = b.sbuf(DType::uint8, 128, {64});
  op.op0 = numerics::AluOp::multiply;
  op.operand0.constant = factor;
  b.program.append(op);
  return op.dst;
}

// Small numbers with fractions as integers.
isa::Program casts() {
  isa::Bench b;
  scaled(b, DType::int32, 0.375);
  return b.program;
}

// A third of small numbers as bfloat16, summed in float32.
isa::Program thirds() {
  isa::Bench b;
  const Tile third = scaled(b, DType::bfloat16, 1.0 / 3);
  const Tile sum = b.sbuf(DType::float32, 128, {64});
  b.program.append(isa::TensorTensor{sum, third, third, numerics::AluOp::add});
  return b.program;
}

// A transfer of a lower traffic class beside one of the highest, in many packets, and work on it.
isa::Program classes(std::int32_t lower) {
  isa::Bench b;
  Tile part = b.hbm(DType::float32, {128, 64, 128});
  part.dims[2].count = 64;
  const Tile low = b.sbuf(DType::float32, 128, {64, 64}),
             high = b.sbuf(DType::float32, 128, {64, 64});
  b.program.append(isa::DmaCopy{.dst = low, .src = part, .priority = lower}, Engine::sync);
  b.program.append(isa::DmaCopy{.dst = high, .src = part, .priority = 0}, Engine::scalar);
  for (int i = 0; i < 8; ++i)
    b.program.append(isa::TensorCopy{.dst = low, .src = low}, Engine::vector);
  b.program.append(isa::TensorCopy{.dst = high, .src = high}, Engine::vector);
  return b.program;
}

}  // namespace

std::vector<isa::Program> corpus() {
  constexpr Engine any_engine[] = {Engine::any,    Engine::sync,   Engine::scalar,
                                   Engine::gpsimd, Engine::vector, Engine::tensor};
  std::vector<isa::Program> programs;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    programs.push_back(system::RandomKernel(seed).program());
  for (const Engine engine : any_engine) {
    for (const auto mode : {isa::DgeMode::none, isa::DgeMode::hwdge, isa::DgeMode::swdge}) {
      if (isa::dma::issuer_fits(mode, engine)) programs.push_back(transfers(mode, engine));
    }
    if (engine == Engine::any) continue;
    programs.push_back(control(engine));
    programs.push_back(meeting(engine));
  }
  for (const Engine engine : {Engine::sync, Engine::scalar})
    programs.push_back(casting_transfer(engine));
  programs.push_back(full());
  add_forms(programs);
  add_local_transfers(programs);
  programs.push_back(products());
  programs.push_back(sharing());
  programs.push_back(bus());
  programs.push_back(tables());
  programs.push_back(remainders());
  programs.push_back(casts());
  programs.push_back(thirds());
  for (const std::int32_t lower : {1, 2, 3}) programs.push_back(classes(lower));
  for (const isa::LegalCase& legal : isa::all_cases().legal) {
    isa::Bench b;
    const std::uint32_t i = legal.append(b);
    if (b.program.info_at(i).kind != isa::Kind::control) programs.push_back(b.program);
  }
  return programs;
}

}  // namespace trainyard::session
