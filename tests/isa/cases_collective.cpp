#include "cases.h"
#include "isa/instructions/all_gather.h"
#include "isa/instructions/all_gather_v.h"
#include "isa/instructions/all_reduce.h"
#include "isa/instructions/all_to_all.h"
#include "isa/instructions/all_to_all_v.h"
#include "isa/instructions/collective_permute.h"
#include "isa/instructions/reduce_scatter.h"

namespace trainyard::isa {

namespace {

RankGroups ranks(Bench& b, RankLists groups) { return b.program.groups_of(std::move(groups)); }

// What breaks the rules that every collective has, whatever their numbers.
struct CommonLabels {
  const char *memory = nullptr, *dtype = nullptr, *group = nullptr, *addresses = nullptr,
             *priority = nullptr, *stream = nullptr;
  std::initializer_list<const char*> with_memory{}, with_group{};  // what breaks as well
};

template <typename Record>
void add_common(Cases::Entry<Record>&& entry, const CommonLabels& labels) {
  entry
      .breaks(
          labels.memory,
          [](Bench& b, Record& op) {
            Tile moved = b.psum(op.src.dtype, 1, {static_cast<int>(op.src.elements())});
            moved.dims = op.src.dims;
            moved.rank = op.src.rank;
            op.src = moved;
          },
          labels.with_memory)
      .breaks(labels.dtype, [](Bench&, Record& op) { op.src.dtype = DType::int32; })
      .breaks(
          labels.group,
          [](Bench& b, Record& op) {
            const auto groups = b.program.groups(op.groups);
            RankLists twice(groups.begin(), groups.end());
            twice.front()[0] = twice.front()[1];
            op.groups = b.program.groups_of(twice);
          },
          labels.with_group)
      .breaks(labels.addresses, [](Bench& b, Record& op) { op.src = b.by_register(op.src, 1); })
      .breaks(labels.priority, [](Bench&, Record& op) { op.priority = 4; });
  if constexpr (requires(Record op) { op.stream; })
    entry.breaks(labels.stream, [](Bench&, Record& op) { op.stream = 4; });
}

Tile hbm(Bench& b, int rows) { return b.hbm(DType::float32, {rows, 64}); }
Tile sbuf(Bench& b, int partitions, int columns) {
  return b.sbuf(DType::float32, partitions, {columns});
}

void add_reduce_cases(Cases& cases) {
  add_common(
      std::move(cases
                    .instruction<AllReduce>([](Bench& b) {
                      return AllReduce{hbm(b, 8), hbm(b, 8), ranks(b, {{0, 1, 2}, {5}})};
                    })
                    .allows([](Bench& b, AllReduce& op) {
                      op.src = sbuf(b, 128, 64);
                      op.dst = sbuf(b, 128, 64);
                      op.priority = 3;
                    })
                    .breaks("all_reduce.c3", [](Bench& b, AllReduce& op) { op.dst = hbm(b, 16); })
                    .breaks("all_reduce.c3",
                            [](Bench& b, AllReduce& op) {
                              op.dst = b.hbm(DType::float32, {64, 8});
                            })
                    .breaks("all_reduce.c6",
                            [](Bench& b, AllReduce&) { b.runner = {.rank = 0, .ranks = 5}; })
                    .breaks("all_reduce.c6",
                            [](Bench& b, AllReduce&) { b.runner = {.rank = 3, .ranks = 8}; })
                    .breaks("all_reduce.c10",
                            [](Bench& b, AllReduce& op) {
                              b.runner = {.rank = 0, .ranks = 8, .cores = 1};
                              op.stream = 2;
                            })
                    .breaks("all_reduce.c11",
                            [](Bench& b, AllReduce& op) {
                              op.src = op.dst = sbuf(b, 128, 64);
                              op.follows = true;
                            })
                    .breaks("all_reduce.c4",
                            [](Bench&, AllReduce& op) { op.op = numerics::AluOp::multiply; })
                    .breaks("all_reduce.c5",
                            [](Bench& b, AllReduce& op) {
                              op.src = op.dst = b.hbm(DType::int64, {8, 64});
                            })
                    .breaks("all_reduce.c7",
                            [](Bench& b, AllReduce& op) {
                              op.src = op.dst = b.sbuf(DType::float32, 16, {8, 8, 2});
                              op.src.dims[0] = op.dst.dims[0] = {32, 4};
                            })),
      {"all_reduce.c1", "all_reduce.c2", "all_reduce.c6", "all_reduce.c8", "all_reduce.c9",
       "all_reduce.c10"});
  add_common(
      std::move(
          cases
              .instruction<ReduceScatter>([](Bench& b) {
                return ReduceScatter{hbm(b, 8), hbm(b, 4), ranks(b, {{0, 2}, {3, 1}})};
              })
              .allows([](Bench& b, ReduceScatter& op) {
                op.src = sbuf(b, 128, 64);
                op.dst = sbuf(b, 64, 64);
              })
              .breaks("reduce_scatter.c3", [](Bench& b, ReduceScatter& op) { op.dst = hbm(b, 8); })
              .breaks("reduce_scatter.c12",
                      [](Bench& b, ReduceScatter& op) {
                        op.src = sbuf(b, 128, 64);
                        op.dst = sbuf(b, 64, 64);
                        op.follows = true;
                      })
              .breaks("reduce_scatter.c4", [](Bench&, ReduceScatter& op) { op.collective_dim = 1; })
              .breaks("reduce_scatter.c5",
                      [](Bench&, ReduceScatter& op) { op.op = numerics::AluOp::subtract; })
              .breaks("reduce_scatter.c6",
                      [](Bench& b, ReduceScatter& op) {
                        op.src = b.hbm(DType::int64, {8, 64});
                        op.dst = b.hbm(DType::int64, {4, 64});
                      })
              .breaks("reduce_scatter.c8",
                      [](Bench& b, ReduceScatter& op) {
                        op.src = b.sbuf(DType::float32, 16, {8, 8, 2});
                        op.dst = b.sbuf(DType::float32, 8, {8, 8, 2});
                        op.src.dims[0] = op.dst.dims[0] = {32, 4};
                      })),
      {"reduce_scatter.c1",
       "reduce_scatter.c2",
       "reduce_scatter.c7",
       "reduce_scatter.c9",
       "reduce_scatter.c10",
       "reduce_scatter.c11",
       {"reduce_scatter.c3"}});
}

void add_gather_cases(Cases& cases) {
  add_common(
      std::move(cases
                    .instruction<AllGather>([](Bench& b) {
                      return AllGather{hbm(b, 8), hbm(b, 16), ranks(b, {{0, 4}})};
                    })
                    .allows([](Bench& b, AllGather& op) {
                      op.src = sbuf(b, 64, 64);
                      op.dst = sbuf(b, 128, 64);
                    })
                    .allows([](Bench& b, AllGather& op) {
                      op.src = sbuf(b, 128, 64);
                      op.dst = sbuf(b, 128, 128);
                      op.collective_dim = 1;
                    })
                    .breaks("all_gather.c3", [](Bench& b, AllGather& op) { op.dst = hbm(b, 24); })
                    .breaks("all_gather.c4", [](Bench&, AllGather& op) { op.collective_dim = 1; })
                    .breaks("all_gather.c10",
                            [](Bench& b, AllGather& op) {
                              op.src = sbuf(b, 64, 64);
                              op.dst = sbuf(b, 128, 64);
                              op.follows = true;
                            })
                    .breaks("all_gather.c4",
                            [](Bench& b, AllGather& op) {
                              op.src = sbuf(b, 64, 64);
                              op.dst = sbuf(b, 64, 128);
                              op.collective_dim = 2;
                            })
                    .breaks("all_gather.c6",
                            [](Bench& b, AllGather& op) {
                              op.src = b.sbuf(DType::float32, 8, {8, 8, 2});
                              op.dst = b.sbuf(DType::float32, 16, {8, 8, 2});
                              op.src.dims[0] = op.dst.dims[0] = {32, 4};
                            })),
      {"all_gather.c1", "all_gather.c2", "all_gather.c5", "all_gather.c7", "all_gather.c8",
       "all_gather.c9"});
  add_common(
      std::move(
          cases
              .instruction<AllToAll>([](Bench& b) {
                return AllToAll{hbm(b, 8), hbm(b, 8), ranks(b, {{0, 1}})};
              })
              .breaks("all_to_all.c3", [](Bench& b, AllToAll& op) { op.dst = hbm(b, 16); })
              .breaks("all_to_all.c3", [](Bench& b, AllToAll& op) { op.src = op.dst = hbm(b, 7); })
              .breaks("all_to_all.c4", [](Bench&, AllToAll& op) { op.collective_dim = 1; })),
      {"all_to_all.c1", "all_to_all.c2", "all_to_all.c5", "all_to_all.c6", "all_to_all.c7",
       "all_to_all.c8"});
}

void add_permute_cases(Cases& cases) {
  add_common(
      std::move(
          cases
              .instruction<CollectivePermute>([](Bench& b) {
                return CollectivePermute{.src = hbm(b, 8),
                                         .dst = hbm(b, 8),
                                         .groups = ranks(b, {{0, 1, 2}}),
                                         .pairs = ranks(b, {{0, 2}, {1, 0}})};
              })
              .allows([](Bench& b, CollectivePermute& op) {
                op.src = sbuf(b, 128, 64);
                op.src1 = sbuf(b, 128, 64);
                op.dst = sbuf(b, 128, 64);
                op.pairs = {};
                op.channel = 1;
                op.channels = 2;
              })
              .allows([](Bench&, CollectivePermute& op) { op.pairs = {}; })
              .breaks("collective_permute.c3",
                      [](Bench& b, CollectivePermute& op) { op.dst = hbm(b, 16); })
              .breaks("collective_permute.c4",
                      [](Bench&, CollectivePermute& op) { op.op = numerics::AluOp::divide; })
              .breaks("collective_permute.c5",
                      [](Bench& b, CollectivePermute& op) {
                        op.src = op.src1 = op.dst = b.hbm(DType::int64, {8, 64});
                      })
              .breaks("collective_permute.c7",
                      [](Bench& b, CollectivePermute& op) {
                        op.pairs = ranks(b, {{1, 3}});
                      })
              .breaks("collective_permute.c12",
                      [](Bench& b, CollectivePermute&) { b.runner = {.rank = 2}; })
              .breaks("collective_permute.c13",
                      [](Bench& b, CollectivePermute& op) { op.src = op.dst = sbuf(b, 128, 64); })
              .breaks("collective_permute.c8",
                      [](Bench&, CollectivePermute& op) { op.channel = 1; })
              .breaks("collective_permute.c8",
                      [](Bench& b, CollectivePermute& op) {
                        b.runner = {.rank = 0, .ranks = 4};
                        op.channels = 3;
                      })
              .breaks("collective_permute.c9",
                      [](Bench& b, CollectivePermute& op) {
                        op.pairs = {};
                        op.src = op.dst = b.sbuf(DType::float32, 16, {8, 8, 2});
                        op.src.dims[0] = op.dst.dims[0] = {32, 4};
                      })),
      {"collective_permute.c1",
       "collective_permute.c2",
       "collective_permute.c6",
       "collective_permute.c10",
       "collective_permute.c11",
       nullptr,
       {"collective_permute.c13"},
       {"collective_permute.c7"}});
}

// Eight ranks, of which each chip holds two.
LogicalCore ranks_in_pairs(std::int32_t cores, bool switched) {
  return {.rank = 0, .ranks = 8, .cores = cores, .ranks_per_chip = 2, .switched = switched};
}

void add_chunk_cases(Cases& cases) {
  add_common(
      std::move(cases
                    .instruction<AllGatherV>([](Bench& b) {
                      return AllGatherV{hbm(b, 8), hbm(b, 16), b.hbm(DType::uint32, {2, 4}),
                                        b.hbm(DType::uint32, {1, 4}), ranks(b, {{0, 1, 2, 3}})};
                    })
                    .allows([](Bench& b, AllGatherV& op) {
                      op.sends = b.sbuf(DType::uint32, 1, {2, 4});
                      op.recv_counts = {};
                    })
                    .allows([](Bench& b, AllGatherV&) {
                      b.runner = {.rank = 1, .ranks = 4, .cores = 2, .ranks_per_chip = 4};
                    })
                    .breaks("all_gather_v.c9",
                            [](Bench& b, AllGatherV&) {
                              b.runner = {.rank = 1, .ranks = 8, .cores = 1, .ranks_per_chip = 8};
                            })
                    .breaks("all_gather_v.c9",
                            [](Bench& b, AllGatherV&) {
                              b.runner = {.rank = 1, .ranks = 4, .cores = 2, .ranks_per_chip = 2};
                            })
                    .breaks("all_gather_v.c3",
                            [](Bench& b, AllGatherV& op) {
                              op.sends = b.hbm(DType::int32, {2, 4});
                            })
                    .breaks("all_gather_v.c4",
                            [](Bench& b, AllGatherV& op) { op.dst = b.hbm(DType::float32, {7}); })),
      {"all_gather_v.c1", "all_gather_v.c2", "all_gather_v.c5", "all_gather_v.c6",
       "all_gather_v.c7", "all_gather_v.c8"});
  add_common(
      std::move(cases
                    .instruction<AllToAllV>([](Bench& b) {
                      return AllToAllV{.src = hbm(b, 8),
                                       .dst = hbm(b, 16),
                                       .sends = b.hbm(DType::uint32, {2, 4}),
                                       .recv_counts = b.hbm(DType::uint32, {1, 4}),
                                       .groups = ranks(b, {{0, 1, 2, 3}})};
                    })
                    .allows([](Bench& b, AllToAllV& op) {
                      op.dst = b.hbm(DType::float32, {7});
                      op.recv_displs = b.hbm(DType::uint32, {1, 4});
                    })
                    .allows([](Bench& b, AllToAllV&) { b.runner = ranks_in_pairs(2, true); })
                    .breaks("all_to_all_v.c9",
                            [](Bench& b, AllToAllV&) { b.runner = ranks_in_pairs(1, true); })
                    .breaks("all_to_all_v.c9",
                            [](Bench& b, AllToAllV& op) {
                              b.runner = ranks_in_pairs(2, true);
                              op.groups = ranks(b, {{0, 1, 2, 4}});
                            })
                    .allows([](Bench& b, AllToAllV&) { b.runner = ranks_in_pairs(1, false); })
                    .breaks("all_to_all_v.c9",
                            [](Bench& b, AllToAllV& op) {
                              b.runner = ranks_in_pairs(2, false);
                              op.recv_displs = b.hbm(DType::uint32, {1, 4});
                            })
                    .breaks("all_to_all_v.c3",
                            [](Bench& b, AllToAllV& op) {
                              op.recv_displs = b.hbm(DType::uint32, {1, 3});
                            })
                    .breaks("all_to_all_v.c4",
                            [](Bench& b, AllToAllV& op) { op.dst = b.hbm(DType::float32, {7}); })),
      {"all_to_all_v.c1", "all_to_all_v.c2", "all_to_all_v.c5", "all_to_all_v.c6",
       "all_to_all_v.c7", "all_to_all_v.c8"});
}

}  // namespace

void add_collective_cases(Cases& cases) {
  add_reduce_cases(cases);
  add_gather_cases(cases);
  add_permute_cases(cases);
  add_chunk_cases(cases);
}

}  // namespace trainyard::isa
