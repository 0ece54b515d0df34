// The vendor's cost formulas of single instructions (nki.isa of 2025-10, NeuronCore-v2 and v3):
// cycles for N elements a partition, without the fixed cycles of an instruction, which the same
// pages count apart.
#include <algorithm>

#include "isa/instructions/activation.h"
#include "isa/instructions/activation_reduce.h"
#include "isa/instructions/affine_select.h"
#include "isa/instructions/bn_aggr.h"
#include "isa/instructions/bn_stats.h"
#include "isa/instructions/iota.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/range_select.h"
#include "isa/instructions/reciprocal.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar.h"
#include "isa/instructions/tensor_scalar_reduce.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/instructions/tensor_tensor_scan.h"
#include "rig.h"

namespace trainyard::fidelity {

namespace {

using isa::DType;
using isa::Engine;
using isa::Tile;
using machine::Machine;
using numerics::AluOp;

constexpr std::int64_t n = 4096;  // long enough that no minimum counts
constexpr DType fp32 = DType::float32, bf16 = DType::bfloat16;

// Cycles between the starts of independent instructions.
template <typename Make>
double interval(const Machine& machine, Engine engine, Make make) {
  const machine::EngineTimes& e = machine.core.engine(engine);
  return spacing(machine, 4, 20, [&](Rig& rig, int) { rig.add(engine, make(rig)); }) *
         e.clock.gigahertz();
}
// The same without the fixed cycles; the least interval holds then, too.
template <typename Make>
double streaming(const Machine& machine, Engine engine, Make make) {
  const machine::EngineTimes& e = machine.core.engine(engine);
  const double streamed = interval(machine, engine, make) - static_cast<double>(e.startup.value);
  return std::max(streamed, static_cast<double>(e.min_interval.value));
}
auto on(Engine engine, auto make) {
  return [=](const Machine& m) { return streaming(m, engine, make); };
}
auto on_vector(auto make) { return on(Engine::vector, make); }

Tile row(Rig& rig, DType dtype, std::int64_t columns = n) { return rig.sbuf(128, columns, dtype); }

auto product(DType dtype, std::int64_t columns) {
  return [=](const Machine& m) {
    // Without the clock limit, which the formulas do not know.
    return interval(m, Engine::tensor, [=](Rig& rig) {
      isa::NcMatmul op;
      op.stationary = row(rig, dtype, 128);
      op.moving = row(rig, dtype, columns);
      op.dst = rig.psum(0, 128, columns, fp32);
      return op;
    });
  };
}
auto transpose(Engine engine, std::int64_t size) {
  return [=](const Machine& m) {
    const auto make = [=](Rig& rig) {
      isa::NcTranspose op;
      op.data = rig.sbuf(size, size, bf16);
      op.dst =
          engine == Engine::tensor ? rig.psum(0, size, size, bf16) : rig.sbuf(size, size, bf16);
      return op;
    };
    return engine == Engine::tensor ? interval(m, engine, make) : streaming(m, engine, make);
  };
}
auto activation(bool reduces) {
  return on(Engine::scalar, [=](Rig& rig) {
    isa::Activation op;
    op.op = numerics::ActivationFunction::copy;
    op.dst = row(rig, bf16);
    op.data = row(rig, bf16);
    if (reduces) {
      op.reduce_op = AluOp::add;
      op.reduce_cmd = isa::ReduceCmd::reset_reduce;
      op.reduce_res = row(rig, fp32, 1);
    }
    return op;
  });
}
auto tensor_tensor(DType dtype, bool from_psum) {
  const std::int64_t columns = from_psum ? 512 : n;
  return on_vector([=](Rig& rig) {
    return isa::TensorTensor{
        .dst = row(rig, dtype, columns),
        .data1 = row(rig, dtype, columns),
        .data2 = from_psum ? rig.psum(0, 128, columns, dtype) : row(rig, dtype, columns)};
  });
}
auto tensor_reduce(DType dtype) {
  return on_vector([=](Rig& rig) {
    isa::TensorReduce op;
    op.op = AluOp::add;
    op.data = row(rig, dtype);
    op.dst = row(rig, dtype, 1);
    return op;
  });
}
auto scalar_tensor_tensor(DType dtype, AluOp op0, AluOp op1) {
  return on_vector([=](Rig& rig) {
    isa::ScalarTensorTensor op;
    op.dst = row(rig, dtype);
    op.data = row(rig, dtype);
    op.op0 = op0;
    op.operand0.constant = 2;
    op.op1 = op1;
    op.operand1 = row(rig, dtype);
    return op;
  });
}
auto memset(DType dtype, double value) {
  return on_vector([=](Rig& rig) { return isa::Memset{.dst = row(rig, dtype), .value = value}; });
}
auto dynamic_copy(Rig& rig) {
  return isa::TensorCopy{.dst = row(rig, fp32, 64), .src = rig.at_register(row(rig, fp32, 64))};
}
auto scan(Rig& rig) {
  isa::TensorTensorScan op;
  op.dst = row(rig, fp32);
  op.data0 = row(rig, fp32);
  op.data1 = row(rig, fp32);
  return op;
}
auto scalar_reduce(Rig& rig) {
  isa::TensorScalarReduce op;
  op.dst = row(rig, fp32);
  op.data = row(rig, fp32);
  op.operand0.constant = 2;
  op.reduce_res = row(rig, fp32, 1);
  return op;
}
auto range_select(Rig& rig) {
  isa::RangeSelect op;
  op.dst = row(rig, fp32);
  op.on_true_tile = row(rig, fp32);
  op.bound0 = row(rig, fp32, 1);
  op.bound1 = row(rig, fp32, 1);
  return op;
}

}  // namespace

std::vector<Case> formula_cases() {
  const char* source =
      "aws-neuron/aws-neuron-sdk@1db4d74e:nki/api/nki/isa/__init__.py, cost notes of nki.isa";
  std::vector<Case> cases;
  const auto add = [&](const char* id, const char* what, double cycles, auto simulate,
                       const char* machine = "trn1") {
    cases.push_back({id, machine, what, cycles, "cycles", source, simulate});
  };
  add("ISACOST-001", "nc_matmul bf16, 512 columns: N", 512, product(bf16, 512));
  add("ISACOST-001.fp32", "nc_matmul fp32, 512 columns: 4 N", 4 * 512, product(fp32, 512));
  add("ISACOST-002", "nc_transpose of 128x128 on Tensor: P", 128, transpose(Engine::tensor, 128));
  add("ISACOST-003", "nc_transpose of 32x32 on Vector: 64", 64, transpose(Engine::vector, 32));
  add("ISACOST-004", "activation: N", n, activation(false));
  add("ISACOST-004.reduce", "activation with reduction: N + 64", n + 64, activation(true));
  add("ISACOST-005", "tensor_tensor fp32 in SBUF: 2 N", 2 * n, tensor_tensor(fp32, false));
  add("ISACOST-005.psum", "tensor_tensor fp32, one in PSUM: N", 512, tensor_tensor(fp32, true));
  add("ISACOST-005.bf16", "tensor_tensor bf16 in SBUF: N", n, tensor_tensor(bf16, false));
  add("ISACOST-006", "tensor_copy: N", n, on_vector([](Rig& rig) {
        return isa::TensorCopy{.dst = row(rig, fp32), .src = row(rig, fp32)};
      }));
  add("ISACOST-007", "tensor_reduce fp32: N", n, tensor_reduce(fp32));
  add("ISACOST-007.bf16", "tensor_reduce add bf16: N / 2", n / 2, tensor_reduce(bf16));
  add("ISACOST-008", "scalar_tensor_tensor fp32: 2 N", 2 * n,
      scalar_tensor_tensor(fp32, AluOp::multiply, AluOp::add));
  add("ISACOST-008.bf16", "scalar_tensor_tensor bf16, subtract then multiply: N", n,
      scalar_tensor_tensor(bf16, AluOp::subtract, AluOp::multiply));
  add("ISACOST-009", "tensor_tensor_scan: 2 N", 2 * n, on_vector(scan));
  add("ISACOST-010", "reciprocal: 8 N", 8 * n, on_vector([](Rig& rig) {
        return isa::Reciprocal{.dst = row(rig, fp32), .data = row(rig, fp32)};
      }));
  add("ISACOST-011", "bn_stats: N", 512, on_vector([](Rig& rig) {
        return isa::BnStats{.dst = row(rig, fp32, 6), .data = row(rig, fp32, 512)};
      }));
  add("ISACOST-012", "bn_aggr of 384: 13 N / 3", 13 * 128, on_vector([](Rig& rig) {
        return isa::BnAggr{.dst = row(rig, fp32, 2), .data = row(rig, fp32, 384)};
      }));
  add("ISACOST-013", "iota: 150 + N", 150 + n, [](const Machine& m) {
    return interval(m, Engine::gpsimd, [](Rig& rig) {
      isa::Iota op;
      op.dst = row(rig, fp32);
      return op;
    });
  });
  add("ISACOST-014", "memset fp32: N", n, memset(fp32, 1));
  add("ISACOST-014.bf16", "memset bf16 with zero: N / 2", n / 2, memset(bf16, 0));
  add("ISACOST-015", "tensor_copy from a run-time address, 64 elements: 600", 600,
      on_vector(dynamic_copy));
  add("ISACOST-016", "tensor_scalar_reduce: N + 64", n + 64, on_vector(scalar_reduce));
  add("ISACOST-017", "max8: N", n, on_vector([](Rig& rig) {
        isa::Max8 op;
        op.dst = row(rig, fp32, 8);
        op.src = row(rig, fp32);
        return op;
      }));
  add("ISACOST-018", "range_select: N", n, on_vector(range_select), "trn2");
  add("ISACOST-019", "shortest matmul", 64, product(bf16, 1));
  add("ISACOST-020", "fixed cycles of a Vector instruction, about", 100, [](const Machine& m) {
    return interval(m, Engine::vector,
                    [](Rig& rig) {
                      return isa::TensorCopy{.dst = row(rig, fp32), .src = row(rig, fp32)};
                    }) -
           static_cast<double>(n);
  });
  add("ISACOST-022", "reading out the accumulators of Scalar, about", 64,
      [](const Machine& m) { return activation(true)(m) - activation(false)(m); });
  return cases;
}

}  // namespace trainyard::fidelity
