// Vector, Scalar and GpSimd: durations and spacings of single instructions.
#include "isa/instructions/activation.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/nc_find_index8.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_tensor.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using isa::Tile;
using machine::Machine;
using numerics::AluOp;

constexpr const char* traces =
    "allenkchau/trainium-kernel-fusion:profiling/artifacts/*/json_reports/*_profile_full.json";

// From start to committed result: a run of the one instruction.
template <typename Make>
double duration(const Machine& machine, Engine engine, Make make) {
  Rig rig(machine);
  rig.add(engine, make(rig));
  return rig.nanoseconds();
}
template <typename Make>
double start_to_start(const Machine& machine, Engine engine, Make make) {
  return spacing(machine, 4, 20, [&](Rig& rig, int) { rig.add(engine, make(rig)); });
}

auto reduce(AluOp op, bool from_psum, std::int64_t partitions, std::int64_t n, DType dtype) {
  return [=](Rig& rig) {
    isa::TensorReduce r;
    r.op = op;
    r.data = from_psum ? rig.psum(0, partitions, n, dtype) : rig.sbuf(partitions, n, dtype);
    r.dst = rig.sbuf(partitions, 1, DType::float32);
    return r;
  };
}
auto scale(bool from_psum, std::int64_t partitions, std::int64_t n, DType in, DType out) {
  return [=](Rig& rig) {
    isa::TensorScalar s;
    s.op0 = AluOp::multiply;
    s.data = from_psum ? rig.psum(0, partitions, n, in) : rig.sbuf(partitions, n, in);
    s.dst = rig.sbuf(partitions, n, out);
    s.operand0.tile = rig.sbuf(partitions, 1, DType::float32);
    return s;
  };
}
// The normalisation of rmsnorm_quant: a bf16 row times its scale times gamma, which is in PSUM.
auto scaled_product(Rig& rig) {
  isa::ScalarTensorTensor s;
  s.dst = s.data = rig.sbuf(80, 512, DType::bfloat16);
  s.op0 = s.op1 = AluOp::multiply;
  s.operand0.tile = rig.sbuf(80, 1, DType::float32);
  s.operand1 = rig.psum(0, 80, 512, DType::float32);
  return s;
}
auto copy(std::int64_t n, DType in, DType out) {
  return [=](Rig& rig) {
    return isa::TensorCopy{.dst = rig.sbuf(128, n, out), .src = rig.psum(0, 128, n, in)};
  };
}
auto exponential(bool from_psum, std::int64_t partitions, std::int64_t n, DType dtype) {
  return [=](Rig& rig) {
    isa::Activation a;
    a.op = numerics::ActivationFunction::exp;
    a.data = from_psum ? rig.psum(0, partitions, n, dtype) : rig.sbuf(partitions, n, dtype);
    a.dst = rig.sbuf(partitions, n, dtype);
    return a;
  };
}
// An activation without the load of its tables, which the first one of a program waits for.
double activation(const Machine& machine, bool from_psum, std::int64_t partitions, std::int64_t n,
                  DType dtype) {
  return duration(machine, Engine::scalar, exponential(from_psum, partitions, n, dtype)) -
         base::to_nanoseconds(machine.core.scalar_rates.table_load);
}
double table_load(const Machine& machine) {
  Rig rig(machine);
  rig.add(Engine::scalar, exponential(false, 128, 512, DType::float32)(rig));
  return base::to_nanoseconds(rig.run().engines[2].reasons.of(trace::Reason::overhead));
}

// The eight largest of 128 and where they are, twice: ten instructions that depend on one another,
// since nc_find_index8 is two (MATCH_VALUE_LOAD and FIND_INDEX8) and reads what max8 wrote.
double top8(const Machine& machine) {
  Rig rig(machine);
  for (int round = 0; round < 2; ++round) {
    const Tile data = rig.sbuf(128, 128, DType::float32), best = rig.sbuf(128, 8, DType::float32);
    isa::Max8 max8;
    max8.src = data;
    max8.dst = best;
    isa::NcFindIndex8 find;
    find.data = data;
    find.vals = best;
    find.dst = rig.sbuf(128, 8, DType::uint32);
    rig.add(Engine::vector, max8, {.depends_back = round == 0 ? 0u : 1u});
    for (int i = 0; i < 4; ++i) rig.add(Engine::vector, find, {.depends_back = 1});
  }
  return rig.nanoseconds() / 1000;
}

// SiLU of one token's gates and the product with the others: two loads of tables and four short
// instructions, each alone.
double silu(const Machine& machine) {
  const auto product = [](Rig& rig) {
    return isa::TensorTensor{.dst = rig.sbuf(96, 16, DType::bfloat16),
                             .data1 = rig.sbuf(96, 16, DType::bfloat16),
                             .data2 = rig.sbuf(96, 16, DType::bfloat16)};
  };
  const double activated =
      duration(machine, Engine::scalar, exponential(false, 96, 16, DType::bfloat16));
  return 2 * (activated + duration(machine, Engine::vector, product)) / 1000;
}

// The sum of eight experts' outputs: TENSOR_REDUCE, LDWEIGHTS and MATMUL as a transpose, COPY and
// the trigger of a store, each alone.
double top8_sum(const Machine& machine) {
  const auto transpose = [](Rig& rig) {
    return isa::NcTranspose{.dst = rig.psum(0, 16, 128, DType::bfloat16),
                            .data = rig.sbuf(128, 16, DType::bfloat16)};
  };
  machine::Machine full = machine;
  full.core.throttle.enabled = false;
  return (duration(machine, Engine::vector, reduce(AluOp::add, false, 128, 128, DType::bfloat16)) +
          base::to_nanoseconds(
              machine.core.tensor.clock(machine.core.array.load_stationary_latency)) +
          duration(full, Engine::tensor, transpose) +
          duration(machine, Engine::vector, copy(128, DType::bfloat16, DType::bfloat16)) +
          base::to_nanoseconds(machine.core.sync.sequencer.dma_issue_hardware)) /
         1000;
}

// Cycles between the starts of short instructions that depend on one another.
double dependent(const Machine& machine) {
  return spacing(machine, 4, 20,
                 [](Rig& rig, int i) {
                   rig.add(Engine::scalar, exponential(false, 128, 1, DType::float32)(rig),
                           {.depends_back = i == 0 ? 0u : 1u});
                 }) *
         machine.core.scalar.clock.gigahertz();
}

}  // namespace

std::vector<Case> engine_cases() {
  const DType fp32 = DType::float32, bf16 = DType::bfloat16;
  const char* dma_intro = "aws-neuron/aws-neuron-sdk:nki/deep-dives/nki-dma-overview.rst + images";
  const char* rmsnorm = "aws-neuron/aws-neuron-sdk:nki/library/specs/design-rmsnorm-quant.rst";
  const char* perf = "aws-neuron/aws-neuron-sdk:nki/guides/nki_perf_guide.rst + images";
  const char* layer =
      "public note \"NEFF/NTFF (hardware execution)\" (a nki-moe contest repository)";
  const auto sum = [](std::int64_t partitions, std::int64_t n) {
    return [=](Rig& rig) {
      return isa::TensorTensor{.dst = rig.sbuf(partitions, n, DType::float32),
                               .data1 = rig.sbuf(partitions, n, DType::float32),
                               .data2 = rig.sbuf(partitions, n, DType::float32)};
    };
  };
  const auto vector = [](auto make) {
    return [=](const Machine& m) { return duration(m, Engine::vector, make); };
  };
  return {
      {"T2II-009", "trn2", "ACTIVATE exp fp32 PSUM 128x512: start to start", 570, "ns", traces,
       [=](const Machine& m) {
         return start_to_start(m, Engine::scalar, exponential(true, 128, 512, fp32));
       }},
      {"T2II-010", "trn2", "ACTIVATE exp fp32 SBUF 128x512: start to start", 612, "ns", traces,
       [=](const Machine& m) {
         return start_to_start(m, Engine::scalar, exponential(false, 128, 512, fp32));
       }},
      {"T2II-011", "trn2", "Scalar CAST bf16 PSUM 128x128 to fp32: start to start", 157, "ns",
       traces,
       [=](const Machine& m) { return start_to_start(m, Engine::scalar, copy(128, bf16, fp32)); }},
      {"T2II-012", "trn2", "Vector TENSOR_REDUCE fp32 SBUF 128x512: start to start", 603, "ns",
       traces,
       [=](const Machine& m) {
         return start_to_start(m, Engine::vector, reduce(AluOp::add, false, 128, 512, fp32));
       }},
      {"T2TRACE-011", "trn2", "ACTIVATE exp fp32 PSUM 128x512: duration", 686, "ns", traces,
       [=](const Machine& m) { return activation(m, true, 128, 512, fp32); }},
      {"T2TRACE-012", "trn2", "ACTIVATE exp fp32 SBUF 128x512: duration", 707, "ns", traces,
       [=](const Machine& m) { return activation(m, false, 128, 512, fp32); }},
      {"T2TRACE-013", "trn2", "ACT_TABLE_LOAD", 1283, "ns", traces, table_load},
      {"T2TRACE-018", "trn2", "Scalar COPY fp32 PSUM 128x512: duration", 585, "ns", traces,
       [=](const Machine& m) { return duration(m, Engine::scalar, copy(512, fp32, fp32)); }},
      {"T2TRACE-058", "trn2", "Vector COPY fp32 PSUM 128x512: duration", 690, "ns", traces,
       vector(copy(512, fp32, fp32))},
      {"T2TRACE-063", "trn2", "Vector RECIPROCAL fp32 SBUF 128x4: duration", 178, "ns", traces,
       vector([=](Rig& rig) {
         return isa::Reciprocal{.dst = rig.sbuf(128, 4, fp32), .data = rig.sbuf(128, 4, fp32)};
       })},
      {"T2TRACE-066", "trn2", "Vector TENSOR_REDUCE add fp32 SBUF 128x512: duration", 685, "ns",
       traces, vector(reduce(AluOp::add, false, 128, 512, fp32))},
      {"T2TRACE-067", "trn2", "Vector TENSOR_REDUCE max fp32 PSUM 128x512: duration", 680, "ns",
       traces, vector(reduce(AluOp::maximum, true, 128, 512, fp32))},
      {"T2TRACE-068", "trn2", "Vector TENSOR_REDUCE max fp32 SBUF 128x512: duration", 676, "ns",
       traces, vector(reduce(AluOp::maximum, false, 128, 512, fp32))},
      {"T2TRACE-069", "trn2", "Vector TENSOR_SCALAR fp32 PSUM 128x128: duration", 349.5, "ns",
       traces, vector(scale(true, 128, 128, fp32, fp32))},
      {"T2TRACE-070", "trn2", "Vector TENSOR_SCALAR fp32 SBUF 128x512: duration", 481, "ns", traces,
       vector(scale(false, 128, 512, fp32, fp32))},
      {"T2DMA-005", "trn2", "ACTIVATE exp bf16 SBUF 4x4096: duration", 3.7, "us", dma_intro,
       [=](const Machine& m) { return activation(m, false, 4, 4096, bf16) / 1000; }},
      {"T2RQ-007", "trn2", "Vector TENSOR_REDUCE abs_max 80x16384: duration", 17.2, "us", rmsnorm,
       [=](const Machine& m) {
         return duration(m, Engine::vector, reduce(AluOp::abs_max, false, 80, 16384, bf16)) / 1000;
       }},
      {"T2RQ-008", "trn2", "Vector TENSOR_SCALAR bf16 to fp8 80x16384: duration", 9.0, "us",
       rmsnorm,
       [=](const Machine& m) {
         return duration(m, Engine::vector, scale(false, 80, 16384, bf16, DType::float8_e4m3)) /
                1000;
       }},
      {"rmsnorm.scale", "trn2",
       "Vector SCALAR_TENSOR_TENSOR, gamma in PSUM, 80x512: start to start", 646, "ns", rmsnorm,
       [=](const Machine& m) { return start_to_start(m, Engine::vector, scaled_product); }},
      {"T1INS-003", "trn1", "TENSOR_TENSOR fp32 SBUF 64x8192: duration", 14968, "ns", perf,
       vector(sum(64, 8192))},
      {"T1INS-004", "trn1", "TENSOR_TENSOR fp32 SBUF 128x8192: duration", 14987, "ns", perf,
       vector(sum(128, 8192))},
      {"perf.dependent", "trn1", "dependent short ACTIVATE: start to start", 264, "cycles", perf,
       dependent},
      {"T3OPS-009", "trn3", "SiLU and product: sum of durations", 3.36, "us", layer, silu},
      {"T3OPS-011", "trn3", "sum of eight experts by matmul: sum of durations", 1.28, "us", layer,
       top8_sum},
      {"T3OPS-002", "trn3", "top 8 of 128, twice: ten dependent instructions", 2.84, "us", layer,
       top8},
  };
}

}  // namespace trainyard::fidelity
