#include "cases.h"
#include "isa/instructions/affine_select.h"
#include "isa/instructions/iota.h"
#include "isa/instructions/nc_stream_shuffle.h"
#include "isa/instructions/range_select.h"
#include "isa/instructions/select_reduce.h"

namespace trainyard::isa {

namespace {

using numerics::AluOp;

Pattern pattern(std::initializer_list<Dim> dims) {
  Pattern result;
  for (const Dim& dim : dims) result.push_back(dim);
  return result;
}

void add_affine_cases(Cases& cases) {
  cases
      .instruction<Iota>([](Bench& b) {
        return Iota{b.sbuf(DType::int32, 64, {16}), pattern({{4, 2}, {-1, 8}}), {3}, 16};
      })
      .breaks("iota.c1", [](Bench& b, Iota& op) { op.dst = b.psum(DType::int32, 64, {16}); })
      .breaks("iota.c2",
              [](Bench&, Iota& op) {
                op.pattern = pattern({{1, 8}});
              })
      .breaks("iota.c3",
              [](Bench& b, Iota& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("iota.c4", [](Bench&, Iota& op) { op.offset.constant = std::int64_t{1} << 32; })
      .allows([](Bench&, Iota& op) { op.offset.reg = {63}; });
  cases
      .instruction<AffineSelect>([](Bench& b) {
        AffineSelect op;
        op.dst = b.sbuf(DType::bfloat16, 64, {16});
        op.pattern = pattern({{-1, 16}});
        op.channel_multiplier = 1;
        op.on_true_tile = b.sbuf(DType::float32, 64, {4, 4});
        op.cmp_op = AluOp::greater_equal;
        return op;
      })
      .breaks(
          "affine_select.c1",
          [](Bench& b, AffineSelect& op) { op.on_true_tile = b.psum(DType::float32, 64, {16}); })
      .breaks(
          "affine_select.c2",
          [](Bench& b, AffineSelect& op) { op.on_true_tile = b.sbuf(DType::float32, 32, {16}); })
      .breaks("affine_select.c3",
              [](Bench&, AffineSelect& op) {
                op.pattern = pattern({{1, 8}});
              })
      .breaks("affine_select.c4", [](Bench&, AffineSelect& op) { op.cmp_op = AluOp::add; })
      .breaks("affine_select.c5",
              [](Bench& b, AffineSelect& op) {
                op.on_true_tile = b.sbuf(DType::float8_e5m2_x4, 64, {16});
              })
      .breaks("affine_select.c6", [](Bench&, AffineSelect& op) { op.offset.reg = {64}; });
}

void add_range_cases(Cases& cases) {
  cases
      .instruction<RangeSelect>([](Bench& b) {
        RangeSelect op;
        op.dst = b.sbuf(DType::bfloat16, 64, {16});
        op.on_true_tile = b.psum(DType::float32, 64, {16});
        op.bound0 = op.bound1 = b.sbuf(DType::float32, 64, {1});
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        return op;
      })
      .breaks("range_select.c1",
              [](Bench& b, RangeSelect&) { b.core.features.range_select = false; })
      .breaks("range_select.c2",
              [](Bench& b, RangeSelect& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("range_select.c3",
              [](Bench& b, RangeSelect& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("range_select.c4",
              [](Bench& b, RangeSelect& op) { op.bound1 = b.sbuf(DType::int32, 64, {1}); })
      .breaks("range_select.c5",
              [](Bench& b, RangeSelect& op) { op.on_true_tile = b.sbuf(DType::int16, 64, {16}); })
      .breaks("range_select.c6", [](Bench&, RangeSelect& op) { op.comp_op1 = AluOp::not_equal; })
      .breaks("range_select.c7", [](Bench&, RangeSelect& op) { op.reduce_op = AluOp::add; })
      .breaks("range_select.c8", [](Bench&, RangeSelect& op) { op.on_false_value = 0; })
      .breaks("range_select.c9",
              [](Bench& b, RangeSelect& op) { op.reduce_res = b.sbuf(DType::float32, 64, {2}); })
      .breaks("range_select.c10",
              [](Bench&, RangeSelect& op) { op.reduce_cmd = ReduceCmd::load_reduce; })
      .breaks("range_select.c11", [](Bench&, RangeSelect& op) { op.reduce_cmd = ReduceCmd::idle; })
      .breaks("range_select.c12", [](Bench&, RangeSelect& op) { op.range_start = (1 << 24) - 15; })
      .breaks("range_select.c13",
              [](Bench& b, RangeSelect& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .allows([](Bench&, RangeSelect& op) { op.range_start = (1 << 24) - 16; });
}

void add_select_reduce_cases(Cases& cases) {
  cases
      .instruction<SelectReduce>([](Bench& b) {
        SelectReduce op;
        op.dst = b.sbuf(DType::float32, 64, {4, 4});
        op.predicate = b.sbuf(DType::int8, 64, {16});
        op.on_true = b.psum(DType::bfloat16, 64, {16});
        op.on_false.tile = b.sbuf(DType::float32, 64, {1});
        op.reduce_res = b.sbuf(DType::float32, 64, {1});
        op.reduce_cmd = ReduceCmd::reset_reduce;
        return op;
      })
      .breaks("select_reduce.c1",
              [](Bench& b, SelectReduce& op) {
                op.dst = b.hbm(DType::float32, {64, 16});
              })
      .breaks("select_reduce.c2",
              [](Bench& b, SelectReduce& op) { op.predicate = b.sbuf(DType::int8, 64, {8}); })
      .breaks(
          "select_reduce.c3",
          [](Bench& b, SelectReduce& op) { op.on_false.tile = b.sbuf(DType::float32, 64, {2}); })
      .breaks("select_reduce.c4",
              [](Bench& b, SelectReduce& op) { op.predicate = b.sbuf(DType::uint32, 64, {16}); })
      .breaks("select_reduce.c5",
              [](Bench& b, SelectReduce& op) { op.on_true = b.sbuf(DType::int32, 64, {16}); })
      .breaks("select_reduce.c6",
              [](Bench& b, SelectReduce& op) { op.predicate = b.psum(DType::int8, 64, {16}); })
      .breaks("select_reduce.c7",
              [](Bench& b, SelectReduce& op) { op.reduce_res = b.sbuf(DType::int32, 64, {1}); })
      .breaks("select_reduce.c8", [](Bench&, SelectReduce& op) { op.reduce_op = AluOp::minimum; })
      .breaks("select_reduce.c9",
              [](Bench&, SelectReduce& op) { op.reduce_cmd = ReduceCmd::load_reduce; })
      .breaks("select_reduce.c10",
              [](Bench&, SelectReduce& op) { op.reduce_cmd = ReduceCmd::idle; })
      .breaks("select_reduce.c11", [](Bench& b, SelectReduce& op) {
        op.on_true = b.sbuf(DType::float4_e2m1fn_x4, 64, {16});
      });
}

void add_shuffle_cases(Cases& cases) {
  cases
      .instruction<NcStreamShuffle>([](Bench& b) {
        NcStreamShuffle op{b.sbuf(DType::float32, 64, {16}), b.sbuf(DType::float32, 64, {16}), {}};
        for (int i = 0; i < 32; ++i) op.shuffle_mask.push_back(i == 5 ? 255 : 31 - i);
        return op;
      })
      .breaks("nc_stream_shuffle.c1",
              [](Bench& b, NcStreamShuffle& op) { op.src = b.hbm(DType::float32, {16}); })
      .breaks("nc_stream_shuffle.c2",
              [](Bench& b, NcStreamShuffle& op) { op.src = b.sbuf(DType::int32, 64, {16}); })
      .breaks("nc_stream_shuffle.c3",
              [](Bench& b, NcStreamShuffle& op) { op.src = b.sbuf(DType::float32, 64, {8}); })
      .breaks("nc_stream_shuffle.c4", [](Bench&, NcStreamShuffle& op) { --op.shuffle_mask.count; })
      .breaks("nc_stream_shuffle.c5",
              [](Bench& b, NcStreamShuffle& op) { op.src = b.sbuf(DType::float32, 33, {16}); })
      .breaks("nc_stream_shuffle.c6",
              [](Bench& b, NcStreamShuffle& op) {
                op.dst = b.sbuf(DType::float32, 32, {16});
                b.program.tensors.back().partition_start = 32;
              })
      .allows([](Bench& b, NcStreamShuffle& op) {  // one row for all
        op.src = b.sbuf(DType::float32, 1, {16});
        op.dst = b.sbuf(DType::float32, 32, {16});
        b.program.tensors.back().partition_start = 96;
        op.shuffle_mask.items.fill(0);
      });
}

}  // namespace

void add_select_cases(Cases& cases) {
  add_affine_cases(cases);
  add_range_cases(cases);
  add_select_reduce_cases(cases);
  add_shuffle_cases(cases);
}

}  // namespace trainyard::isa
