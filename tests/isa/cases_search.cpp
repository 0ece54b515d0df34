#include "cases.h"
#include "isa/instructions/local_gather.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/nc_find_index8.h"
#include "isa/instructions/nc_match_replace8.h"
#include "isa/instructions/nc_n_gather.h"
#include "isa/instructions/nonzero_with_count.h"
#include "isa/instructions/sequence_bounds.h"
#include "isa/instructions/topk.h"

namespace trainyard::isa {

namespace {

// Eight elements in three free dimensions that cannot be walked as fewer.
Tile scattered(Bench& b) {
  Tile tile = b.sbuf(DType::float32, 64, {4, 4, 4});
  for (Dim& dim : tile.dims) dim = {2 * dim.step, 2};
  return tile;
}

void add_eight_cases(Cases& cases) {
  cases
      .instruction<Max8>([](Bench& b) {
        return Max8{b.sbuf(DType::float32, 64, {8}), b.psum(DType::bfloat16, 64, {16})};
      })
      .breaks("max8.c1", [](Bench& b, Max8& op) { op.dst = b.hbm(DType::float32, {8}); })
      .breaks("max8.c2", [](Bench& b, Max8& op) { op.dst = b.sbuf(DType::float32, 64, {4}); })
      .breaks("max8.c3", [](Bench& b, Max8& op) { op.src = b.sbuf(DType::float32, 64, {7}); })
      .breaks("max8.c4",
              [](Bench& b, Max8& op) { op.src = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("max8.c5",
              [](Bench& b, Max8& op) {
                op.dst = b.sbuf(DType::float32, 64, {2, 8});
                op.dst.dims[1].count = 4;
              })
      .allows([](Bench& b, Max8& op) { op.src = b.sbuf(DType::float32, 64, {16384}); });
  cases
      .instruction<NcFindIndex8>([](Bench& b) {
        return NcFindIndex8{b.sbuf(DType::uint16, 64, {8}), b.sbuf(DType::float32, 64, {2, 8}),
                            b.sbuf(DType::float32, 64, {8})};
      })
      .breaks("nc_find_index8.c1",
              [](Bench& b, NcFindIndex8& op) { op.vals = b.hbm(DType::float32, {8}); })
      .breaks("nc_find_index8.c2",
              [](Bench& b, NcFindIndex8& op) { op.vals = b.sbuf(DType::float32, 64, {4}); })
      .breaks("nc_find_index8.c3",
              [](Bench& b, NcFindIndex8& op) { op.data = b.sbuf(DType::float32, 64, {16385}); })
      .breaks("nc_find_index8.c4",
              [](Bench& b, NcFindIndex8& op) { op.dst = b.sbuf(DType::int32, 64, {8}); })
      .breaks("nc_find_index8.c5",
              [](Bench& b, NcFindIndex8& op) { op.data = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .breaks("nc_find_index8.c6", [](Bench& b, NcFindIndex8& op) { op.vals = scattered(b); });
  cases
      .instruction<NcMatchReplace8>([](Bench& b) {
        return NcMatchReplace8{b.sbuf(DType::float32, 64, {16}), b.sbuf(DType::float32, 64, {16}),
                               b.sbuf(DType::float32, 64, {8}), 0, b.sbuf(DType::uint32, 64, {8})};
      })
      .breaks("nc_match_replace8.c1",
              [](Bench& b, NcMatchReplace8& op) { op.vals = b.hbm(DType::float32, {8}); })
      .breaks("nc_match_replace8.c2",
              [](Bench& b, NcMatchReplace8& op) { op.dst = b.sbuf(DType::float32, 64, {8}); })
      .breaks("nc_match_replace8.c3",
              [](Bench& b, NcMatchReplace8& op) { op.dst_idx = b.sbuf(DType::uint32, 64, {7}); })
      .breaks(
          "nc_match_replace8.c4",
          [](Bench& b, NcMatchReplace8& op) { op.dst = op.data = b.sbuf(DType::float32, 64, {7}); })
      .breaks("nc_match_replace8.c5",
              [](Bench& b, NcMatchReplace8& op) { op.dst_idx = b.sbuf(DType::int16, 64, {8}); })
      .breaks(
          "nc_match_replace8.c6",
          [](Bench& b, NcMatchReplace8& op) { op.dst = b.sbuf(DType::float8_e5m2_x4, 64, {16}); })
      .allows([](Bench&, NcMatchReplace8& op) { op.dst_idx = {}; });
}

void add_gather_cases(Cases& cases) {
  cases
      .instruction<LocalGather>([](Bench& b) {
        return LocalGather{b.sbuf(DType::float32, 32, {16, 4}), b.sbuf(DType::float32, 32, {8, 4}),
                           b.sbuf(DType::uint16, 32, {1}), 4};
      })
      .breaks("local_gather.c1",
              [](Bench& b, LocalGather& op) { op.src_buffer = b.psum(DType::float32, 32, {32}); })
      .breaks("local_gather.c2",
              [](Bench& b, LocalGather& op) {
                op.dst = b.sbuf(DType::float32, 24, {64});
                op.src_buffer = b.sbuf(DType::float32, 24, {32});
                op.index = b.sbuf(DType::uint16, 24, {1});
              })
      .breaks("local_gather.c3",
              [](Bench& b, LocalGather& op) { op.index = b.sbuf(DType::uint32, 32, {1}); })
      .breaks("local_gather.c4",
              [](Bench& b, LocalGather& op) { op.dst = b.sbuf(DType::int32, 32, {64}); })
      .breaks("local_gather.c5",
              [](Bench& b, LocalGather& op) {
                op.num_elem_per_idx = 3;
                op.dst = b.sbuf(DType::float32, 32, {48});
              })
      .breaks("local_gather.c6",
              [](Bench& b, LocalGather& op) {
                op.num_valid_indices = 17;
                op.dst = b.sbuf(DType::float32, 32, {68});
              })
      .breaks("local_gather.c7", [](Bench&, LocalGather& op) { op.num_valid_indices = 15; })
      .allows([](Bench& b, LocalGather& op) {
        op.num_valid_indices = 5;
        op.dst = b.sbuf(DType::float32, 32, {20});
      })
      .allows([](Bench& b, LocalGather& op) {  // the list may be longer than what is gathered
        op.index = b.sbuf(DType::uint16, 32, {300});
        op.num_valid_indices = 4096;
        op.num_elem_per_idx = 1;
        op.dst = b.sbuf(DType::float32, 32, {4096});
      });
  cases
      .instruction<NcNGather>([](Bench& b) {
        return NcNGather{b.sbuf(DType::float8_e4m3fn_x4, 64, {4}),
                         b.sbuf(DType::float8_e4m3fn_x4, 64, {2, 8}),
                         b.sbuf(DType::uint32, 64, {4})};
      })
      .breaks("nc_n_gather.c1",
              [](Bench& b, NcNGather& op) { op.indices = b.psum(DType::uint32, 64, {4}); })
      .breaks("nc_n_gather.c2",
              [](Bench& b, NcNGather& op) { op.indices = b.sbuf(DType::uint32, 32, {4}); })
      .breaks("nc_n_gather.c3",
              [](Bench& b, NcNGather& op) { op.indices = b.sbuf(DType::uint32, 64, {5}); })
      .breaks("nc_n_gather.c4",
              [](Bench& b, NcNGather& op) { op.indices = b.sbuf(DType::int32, 64, {4}); })
      .breaks("nc_n_gather.c5",
              [](Bench& b, NcNGather& op) { op.dst = b.sbuf(DType::float32, 64, {4}); });
}

void add_list_cases(Cases& cases) {
  cases
      .instruction<NonzeroWithCount>([](Bench& b) {
        return NonzeroWithCount{b.sbuf(DType::int32, 64, {17}), b.sbuf(DType::float32, 64, {16})};
      })
      .breaks("nonzero_with_count.c1",
              [](Bench& b, NonzeroWithCount&) { b.core.features.nonzero_with_count = false; })
      .breaks("nonzero_with_count.c2",
              [](Bench& b, NonzeroWithCount& op) { op.src = b.psum(DType::float32, 64, {16}); })
      .breaks("nonzero_with_count.c3",
              [](Bench& b, NonzeroWithCount& op) { op.src = b.sbuf(DType::uint8, 64, {16}); })
      .breaks("nonzero_with_count.c4",
              [](Bench& b, NonzeroWithCount& op) { op.dst = b.sbuf(DType::int32, 64, {16}); });
  cases
      .instruction<SequenceBounds>([](Bench& b) {
        return SequenceBounds{b.sbuf(DType::int32, 1, {2, 16}), b.sbuf(DType::float32, 1, {16})};
      })
      .breaks(
          "sequence_bounds.c1",
          [](Bench& b, SequenceBounds& op) { op.segment_ids = b.psum(DType::float32, 1, {16}); })
      .breaks(
          "sequence_bounds.c2",
          [](Bench& b, SequenceBounds& op) { op.segment_ids = b.sbuf(DType::float32, 2, {16}); })
      .breaks("sequence_bounds.c3",
              [](Bench& b, SequenceBounds& op) { op.dst = b.sbuf(DType::int32, 1, {16}); })
      .breaks("sequence_bounds.c4", [](Bench& b, SequenceBounds& op) {
        op.dst = b.sbuf(DType::int16, 1, {2, 16});
      });
  cases
      .instruction<Topk>([](Bench& b) {
        return Topk{b.sbuf(DType::bfloat16, 32, {8}), b.sbuf(DType::uint32, 32, {8}),
                    b.sbuf(DType::bfloat16, 32, {3}), 42};
      })
      .breaks("topk.c1", [](Bench& b, Topk& op) { op.src = b.psum(DType::bfloat16, 32, {3}); })
      .breaks("topk.c2", [](Bench& b, Topk& op) { op.src = b.sbuf(DType::float16, 32, {3}); })
      .breaks("topk.c3", [](Bench& b, Topk& op) { op.src = b.sbuf(DType::bfloat16, 16, {3}); })
      .breaks("topk.c4", [](Bench& b, Topk& op) { op.idx_dst = b.sbuf(DType::uint32, 32, {7}); })
      .breaks("topk.c5",
              [](Bench& b, Topk& op) {
                op.n = 1 << 16;
                op.src = b.sbuf(DType::bfloat16, 32, {1 << 12});
              })
      .breaks("topk.c6",
              [](Bench& b, Topk& op) {
                op.val_dst = b.sbuf(DType::bfloat16, 32, {43});
                op.idx_dst = b.sbuf(DType::uint32, 32, {43});
              })
      .breaks("topk.c7", [](Bench&, Topk& op) { op.n = 49; });
}

}  // namespace

void add_search_cases(Cases& cases) {
  add_eight_cases(cases);
  add_gather_cases(cases);
  add_list_cases(cases);
}

}  // namespace trainyard::isa
