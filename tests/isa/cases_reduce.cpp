#include "cases.h"
#include "isa/instructions/bn_aggr.h"
#include "isa/instructions/bn_stats.h"
#include "isa/instructions/tensor_partition_reduce.h"
#include "isa/instructions/tensor_reduce.h"
#include "isa/instructions/tensor_scalar_cumulative.h"
#include "isa/instructions/tensor_scalar_reduce.h"
#include "isa/instructions/tensor_tensor_scan.h"

namespace trainyard::isa {

namespace {

using numerics::AluOp;

IntList axes(std::initializer_list<int> list) {
  IntList result;
  for (const int axis : list) result.push_back(axis);
  return result;
}

void add_tensor_reduce_cases(Cases& cases) {
  cases
      .instruction<TensorReduce>([](Bench& b) {
        TensorReduce op;
        op.dst = b.sbuf(DType::float32, 64, {4});
        op.data = b.psum(DType::float32, 64, {4, 2, 8});
        op.axis = axes({2, 3});
        op.negate = true;
        return op;
      })
      .breaks("tensor_reduce.c1",
              [](Bench& b, TensorReduce& op) { op.dst = b.hbm(DType::float32, {4}); })
      .breaks("tensor_reduce.c2",
              [](Bench&, TensorReduce& op) {
                op.axis = axes({1, 2});
              })
      .breaks("tensor_reduce.c3",
              [](Bench& b, TensorReduce& op) { op.dst = b.sbuf(DType::float32, 32, {4}); })
      .breaks("tensor_reduce.c4", [](Bench&, TensorReduce& op) { op.axis = axes({3}); })
      .breaks("tensor_reduce.c5", [](Bench&, TensorReduce& op) { op.op = AluOp::equal; })
      .breaks("tensor_reduce.c6",
              [](Bench&, TensorReduce& op) {
                op.op = AluOp::bitwise_or;
                op.negate = false;
              })
      .breaks("tensor_reduce.c7",
              [](Bench& b, TensorReduce& op) {
                op.op = AluOp::bitwise_or;
                op.dst = b.sbuf(DType::int32, 64, {4});
                op.data = b.sbuf(DType::int32, 64, {4, 2, 8});
              })
      .breaks("tensor_reduce.c8",
              [](Bench& b, TensorReduce& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {4}); })
      .allows([](Bench& b, TensorReduce& op) {
        op.axis = axes({1, 2, 3});
        op.dst = b.sbuf(DType::bfloat16, 64, {1, 1, 1});
        op.keepdims = true;
      });
}

void add_partition_reduce_cases(Cases& cases) {
  cases
      .instruction<TensorPartitionReduce>([](Bench& b) {
        return TensorPartitionReduce{b.sbuf(DType::float32, 1, {16}), AluOp::average,
                                     b.sbuf(DType::float32, 64, {16})};
      })
      .breaks(
          "tensor_partition_reduce.c1",
          [](Bench& b, TensorPartitionReduce& op) { op.data = b.psum(DType::float32, 64, {16}); })
      .breaks(
          "tensor_partition_reduce.c2",
          [](Bench& b, TensorPartitionReduce& op) { op.dst = b.sbuf(DType::float32, 64, {16}); })
      .breaks("tensor_partition_reduce.c3",
              [](Bench& b, TensorPartitionReduce& op) { op.dst = b.sbuf(DType::float32, 1, {8}); })
      .breaks("tensor_partition_reduce.c4",
              [](Bench&, TensorPartitionReduce& op) { op.op = AluOp::minimum; })
      .breaks("tensor_partition_reduce.c5",
              [](Bench&, TensorPartitionReduce& op) { op.op = AluOp::bitwise_and; })
      .breaks("tensor_partition_reduce.c6", [](Bench& b, TensorPartitionReduce& op) {
        op.data = b.sbuf(DType::float8_e5m2_x4, 64, {16});
      });
}

void add_scalar_reduce_cases(Cases& cases) {
  cases
      .instruction<TensorScalarReduce>([](Bench& b) {
        TensorScalarReduce op;
        op.dst = b.sbuf(DType::bfloat16, 64, {16});
        op.data = b.psum(DType::float32, 64, {16});
        op.operand0.constant = 2;
        op.reduce_op = AluOp::maximum;
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        op.reduce_res_negate = true;
        return op;
      })
      .breaks("tensor_scalar_reduce.c1",
              [](Bench& b, TensorScalarReduce& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("tensor_scalar_reduce.c2",
              [](Bench& b, TensorScalarReduce& op) { op.dst = b.sbuf(DType::bfloat16, 64, {8}); })
      .breaks("tensor_scalar_reduce.c3",
              [](Bench& b, TensorScalarReduce& op) {
                op.operand0.tile = b.sbuf(DType::bfloat16, 64, {1});
              })
      .breaks("tensor_scalar_reduce.c4",
              [](Bench& b, TensorScalarReduce& op) {
                b.core.features.vector_extended_operators = false;
                op.op0 = AluOp::abs_min;
              })
      .breaks("tensor_scalar_reduce.c5",
              [](Bench&, TensorScalarReduce& op) { op.op0 = AluOp::square; })
      .breaks("tensor_scalar_reduce.c6",
              [](Bench&, TensorScalarReduce& op) { op.reduce_op = AluOp::subtract; })
      .breaks(
          "tensor_scalar_reduce.c7",
          [](Bench& b, TensorScalarReduce& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); })
      .breaks("tensor_scalar_reduce.c8", [](Bench&, TensorScalarReduce& op) { op.reverse0 = true; })
      .breaks("tensor_scalar_reduce.c9",
              [](Bench&, TensorScalarReduce& op) { op.reduce_cmd = ReduceCmd::idle; })
      .breaks("tensor_scalar_reduce.c10",
              [](Bench&, TensorScalarReduce& op) { op.reduce_cmd = ReduceCmd::load_reduce; })
      .breaks("tensor_scalar_reduce.c11",
              [](Bench& b, TensorScalarReduce& op) {
                op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16});
              })
      .allows([](Bench&, TensorScalarReduce& op) {
        op.reduce_cmd = ReduceCmd::load_reduce;
        op.reduce_init.constant = 0;
        op.reduce_res = {};
      });
}

void add_running_cases(Cases& cases) {
  cases
      .instruction<TensorScalarCumulative>([](Bench& b) {
        TensorScalarCumulative op;
        op.dst = b.sbuf(DType::float32, 64, {16});
        op.src = b.psum(DType::float32, 64, {16});
        return op;
      })
      .breaks("tensor_scalar_cumulative.c1",
              [](Bench& b, TensorScalarCumulative& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks(
          "tensor_scalar_cumulative.c2",
          [](Bench& b, TensorScalarCumulative& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("tensor_scalar_cumulative.c3",
              [](Bench& b, TensorScalarCumulative& op) { op.dst = b.sbuf(DType::int32, 64, {16}); })
      .breaks("tensor_scalar_cumulative.c4",
              [](Bench& b, TensorScalarCumulative& op) {
                op.imm0.tile = b.sbuf(DType::float16, 64, {1});
              })
      .breaks("tensor_scalar_cumulative.c5",
              [](Bench&, TensorScalarCumulative& op) { op.op0 = AluOp::bitwise_xor; })
      .breaks("tensor_scalar_cumulative.c6",
              [](Bench&, TensorScalarCumulative& op) { op.op1 = AluOp::logical_or; })
      .breaks("tensor_scalar_cumulative.c7",
              [](Bench&, TensorScalarCumulative& op) { op.reduce_cmd = ReduceCmd::idle; })
      .breaks("tensor_scalar_cumulative.c8",
              [](Bench&, TensorScalarCumulative& op) { op.reduce_cmd = ReduceCmd::load_reduce; });
  cases
      .instruction<TensorTensorScan>([](Bench& b) {
        TensorTensorScan op;
        op.dst = op.data0 = op.data1 = b.sbuf(DType::float32, 64, {16});
        op.initial.tile = b.sbuf(DType::bfloat16, 64, {1});
        return op;
      })
      .breaks("tensor_tensor_scan.c1",
              [](Bench& b, TensorTensorScan& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("tensor_tensor_scan.c2",
              [](Bench& b, TensorTensorScan& op) { op.data1 = b.sbuf(DType::float32, 64, {1}); })
      .breaks("tensor_tensor_scan.c3",
              [](Bench& b, TensorTensorScan& op) {
                op.initial.tile = b.sbuf(DType::float32, 64, {16});
              })
      .breaks("tensor_tensor_scan.c4",
              [](Bench& b, TensorTensorScan& op) {
                op.data0 = op.data1 = b.psum(DType::float32, 64, {16});
              })
      .breaks("tensor_tensor_scan.c5",
              [](Bench&, TensorTensorScan& op) { op.op1 = AluOp::left_shift; })
      .breaks("tensor_tensor_scan.c6", [](Bench& b, TensorTensorScan& op) {
        op.data0 = b.sbuf(DType::float8_e5m2_x4, 64, {16});
      });
}

void add_statistics_cases(Cases& cases) {
  cases
      .instruction<BnStats>([](Bench& b) {
        return BnStats{b.sbuf(DType::float32, 64, {6}), b.psum(DType::float32, 64, {512})};
      })
      .breaks("bn_stats.c1", [](Bench& b, BnStats& op) { op.dst = b.hbm(DType::float32, {6}); })
      .breaks("bn_stats.c2",
              [](Bench& b, BnStats& op) { op.dst = b.sbuf(DType::float32, 64, {5}); })
      .breaks("bn_stats.c3",
              [](Bench& b, BnStats& op) { op.data = b.sbuf(DType::bfloat16, 64, {513}); })
      .breaks("bn_stats.c4",
              [](Bench& b, BnStats& op) { op.data = b.sbuf(DType::float8_e5m2_x4, 64, {16}); });
  cases
      .instruction<BnAggr>([](Bench& b) {
        return BnAggr{b.sbuf(DType::float32, 64, {2}), b.sbuf(DType::float32, 64, {4, 6})};
      })
      .breaks("bn_aggr.c1", [](Bench& b, BnAggr& op) { op.dst = b.hbm(DType::float32, {2}); })
      .breaks("bn_aggr.c2", [](Bench& b, BnAggr& op) { op.dst = b.sbuf(DType::float32, 64, {6}); })
      .breaks("bn_aggr.c3", [](Bench& b, BnAggr& op) { op.data = b.sbuf(DType::float32, 64, {8}); })
      .breaks("bn_aggr.c4",
              [](Bench& b, BnAggr& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {2}); });
}

}  // namespace

void add_reduce_cases(Cases& cases) {
  add_tensor_reduce_cases(cases);
  add_partition_reduce_cases(cases);
  add_scalar_reduce_cases(cases);
  add_running_cases(cases);
  add_statistics_cases(cases);
}

}  // namespace trainyard::isa
