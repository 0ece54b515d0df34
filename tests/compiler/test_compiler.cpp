// Does the back end give every program legal addresses, and streams whose semaphores order what
// must be ordered?
#include "compiler/compiler.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>

#include "compiler/estimate.h"
#include "isa/instructions/nc_matmul.h"
#include "kernel.h"
#include "tangle.h"

namespace trainyard::compiler {
namespace {

std::string label_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const base::InputError& error) {
    return error.violations().at(0).label;
  }
  return "no error";
}

const isa::StreamItem& item_of(const isa::Program& program, isa::Engine engine, std::uint32_t i) {
  for (const isa::StreamItem& item : program.streams[static_cast<std::size_t>(engine)]) {
    if (item.instruction == i) return item;
  }
  ADD_FAILURE() << "instruction " << i << " is not in the stream";
  static const isa::StreamItem missing;
  return missing;
}

TEST(Streams, AConsumerOnAnotherEngineWaitsOnce) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 64});
  const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64}),
             c = k.tensor(Space::sbuf, {128, 64});
  const std::uint32_t load = k.load(a, in);
  const std::uint32_t first = k.copy(b, a), second = k.copy(c, a);
  const isa::Program p = compile(std::move(k.program), trn3().core);

  const isa::StreamItem& waiting = item_of(p, isa::Engine::vector, first);
  ASSERT_EQ(waiting.wait_count, 1);
  EXPECT_EQ(p.waits_of(waiting)[0].value, 16u) << "every DMA engine adds one";
  EXPECT_EQ(item_of(p, isa::Engine::vector, second).wait_count, 0) << "already known to be loaded";
  EXPECT_EQ(item_of(p, isa::Engine::sync, load).signal_count, 1);
  EXPECT_EQ(p.semaphore_count, 1);
}

TEST(Streams, TheSameEngineNeedsNoSemaphore) {
  Kernel k;
  const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64}),
             c = k.tensor(Space::sbuf, {128, 64});
  k.copy(b, a);
  const std::uint32_t reader = k.copy(c, b);
  const std::uint32_t overwriter = k.copy(b, a);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  EXPECT_EQ(p.semaphore_count, 0);
  EXPECT_EQ(item_of(p, isa::Engine::vector, reader).depends_back, 1u)
      << "reads the result before it";
  EXPECT_EQ(item_of(p, isa::Engine::vector, overwriter).depends_back, 0u)
      << "engines commit in order";
}

TEST(Streams, WhatAnotherWaitImpliesIsNotWaitedForAgain) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 64});
  const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64}),
             c = k.tensor(Space::sbuf, {128, 64});
  k.load(a, in);
  k.copy(b, a, isa::Engine::vector);
  const std::uint32_t last = k.copy(c, b, isa::Engine::scalar);
  const std::uint32_t also = k.copy(c, a, isa::Engine::scalar);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  EXPECT_EQ(item_of(p, isa::Engine::scalar, last).wait_count, 1);
  EXPECT_EQ(item_of(p, isa::Engine::scalar, also).wait_count, 0)
      << "the copy on Vector could only be done after the load";
}

TEST(Streams, NeighbouringBlocksOfOneOutputDoNotWaitForEachOther) {
  Kernel k;
  const Tile out = k.tensor(Space::hbm, {256, 256});
  const Tile a = k.tensor(Space::sbuf, {128, 128});
  const isa::View whole = isa::view_of(k.program, out.tensor);
  std::vector<std::uint32_t> stores;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      const isa::View part = isa::slice(isa::slice(whole, 0, row * 128, row * 128 + 128, 1), 1,
                                        column * 128, column * 128 + 128, 1);
      stores.push_back(k.load(isa::tile_of(part), a));
    }
  }
  const isa::Program p = compile(std::move(k.program), trn3().core);
  for (const std::uint32_t store : stores) {
    EXPECT_EQ(item_of(p, p.instructions[store].engine, store).wait_count, 0);
  }
}

void expect_apart(const isa::Program& p, isa::TensorId first, isa::TensorId second) {
  const isa::Tensor &a = p.tensors[first], &b = p.tensors[second];
  const bool same_bytes = a.address < b.address + b.bytes_per_partition() &&
                          b.address < a.address + a.bytes_per_partition();
  const bool same_partitions = a.partition_start < b.partition_start + b.partitions() &&
                               b.partition_start < a.partition_start + a.partitions();
  EXPECT_FALSE(same_bytes && same_partitions) << a.name << " and " << b.name;
}

TEST(Allocate, LiveTensorsNeverShareBytesAndDeadOnesAreReused) {
  Kernel k;
  const std::int64_t half = trn3().core.sbuf.usable().value / 2 / 4 - 64;
  std::vector<Tile> tiles;
  for (int i = 0; i < 8; ++i) {
    tiles.push_back(k.tensor(Space::sbuf, {128, half}));
    if (i > 0) k.copy(tiles[static_cast<std::size_t>(i)], tiles[static_cast<std::size_t>(i - 1)]);
  }
  const isa::Program p = compile(std::move(k.program), trn3().core);
  for (std::size_t i = 1; i < 8; ++i) {
    const isa::Tensor &a = p.tensors[tiles[i - 1].tensor], &b = p.tensors[tiles[i].tensor];
    EXPECT_TRUE(a.address + a.bytes_per_partition() <= b.address ||
                b.address + b.bytes_per_partition() <= a.address);
  }
}

TEST(Allocate, PiecesAreFittedTogether) {
  // In the order of first use a and c end up on both sides of b, with no room of six parts left.
  Kernel k;
  const std::int64_t part = trn3().core.sbuf.usable().value / 4 / 8 - 64;
  const Tile a = k.tensor(Space::sbuf, {128, part}), b = k.tensor(Space::sbuf, {128, 3 * part}),
             c = k.tensor(Space::sbuf, {128, part}), d = k.tensor(Space::sbuf, {128, 3 * part}),
             e = k.tensor(Space::sbuf, {128, 6 * part});
  for (const Tile& tile : {a, b, c, d}) k.fill(tile);
  k.copy(b, d);
  k.fill(e);
  for (const Tile& tile : {a, c, e}) k.copy(tile, tile);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  for (const Tile& tile : {a, c}) expect_apart(p, tile.tensor, e.tensor);
  expect_apart(p, b.tensor, d.tensor);
}

TEST(Allocate, TensorsOfHalfTheLanesLieBesideEachOther) {
  // Five parts are live at once in the room of three, four of them on 64 partitions only.
  Kernel k;
  const std::int64_t part = trn3().core.sbuf.usable().value / 4 / 3 - 64;
  const Tile x = k.tensor(Space::sbuf, {128, part}), a = k.tensor(Space::sbuf, {64, part}),
             b = k.tensor(Space::sbuf, {64, part}), c = k.tensor(Space::sbuf, {64, part}),
             d = k.tensor(Space::sbuf, {64, part});
  k.fill(x);
  for (const Tile& tile : {a, b, c}) k.fill(tile);
  k.add(d, a, b);
  k.copy(c, c);
  k.copy(d, d);
  k.copy(x, x);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  const auto start = [&](const Tile& t) { return p.tensors[t.tensor].partition_start; };
  EXPECT_EQ(start(a), start(b)) << "the inputs of one instruction lie on the same partitions";
  EXPECT_EQ(start(x), 0);
  const std::array all{x, a, b, c, d};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) expect_apart(p, all[i].tensor, all[j].tensor);
  }
}

TEST(Allocate, OverCapacityNamesTheMemory) {
  Kernel k;
  const std::int64_t third = trn3().core.sbuf.usable().value / 3 / 4 + 64;
  const Tile a = k.tensor(Space::sbuf, {128, third}), b = k.tensor(Space::sbuf, {128, third}),
             c = k.tensor(Space::sbuf, {128, third});
  k.add(c, a, b);
  EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }), "sbuf.capacity");
}

TEST(Allocate, ATensorTooLargeByItselfIsNotComparedWithOthers) {
  Kernel k;
  const std::int64_t all = trn3().core.sbuf.usable().value / 4 + 64;
  const Tile a = k.tensor(Space::sbuf, {128, all});
  k.copy(a, a);
  try {
    (void)compile(std::move(k.program), trn3().core);
    FAIL() << "nothing was found";
  } catch (const base::InputError& error) {
    const std::string found = error.violations().front().found;
    EXPECT_TRUE(found.ends_with(" bytes by itself")) << found;
  }
}

TEST(Allocate, PsumTensorsStartAtBanks) {
  Kernel k;
  const Tile a = k.tensor(Space::psum, {128, 16}), b = k.tensor(Space::psum, {128, 16}),
             s = k.tensor(Space::sbuf, {128, 16});
  k.copy(a, s);
  k.copy(b, s);
  k.copy(s, a);
  k.copy(s, b);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  EXPECT_EQ(p.tensors[a.tensor].address % trn3().core.psum.bank_size.value, 0);
  EXPECT_NE(p.tensors[a.tensor].address, p.tensors[b.tensor].address);
}

TEST(Allocate, SmallPsumTensorsShareBanksWhereThereAreTooFew) {
  // Seven banks are taken whole; tensors of 3/8 of a bank go into the last one by twos.
  const std::int64_t bank = trn3().core.psum.bank_size.value;
  for (const int wanted : {2, 3}) {
    Kernel k;
    std::vector<Tile> tiles;
    for (int i = 0; i < 7; ++i) tiles.push_back(k.tensor(Space::psum, {128, bank / 4}));
    for (int i = 0; i < wanted; ++i) tiles.push_back(k.tensor(Space::psum, {128, bank * 3 / 32}));
    for (const Tile& tile : tiles) k.fill(tile);
    for (const Tile& tile : tiles) k.copy(tile, tile);
    if (wanted == 3) {
      EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }),
                "psum.capacity");
      continue;
    }
    const isa::Program p = compile(std::move(k.program), trn3().core);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const isa::Tensor& tensor = p.tensors[tiles[i].tensor];
      EXPECT_EQ(tensor.address / bank, (tensor.address + tensor.bytes_per_partition() - 1) / bank)
          << "none lies in two banks";
      for (std::size_t j = 0; j < i; ++j) expect_apart(p, tiles[i].tensor, tiles[j].tensor);
    }
  }
}

TEST(Allocate, SmallPsumTensorsShareBanksInLongProgramsToo) {
  constexpr int many = 9000;  // more than are packed the tightest way
  const std::int64_t bank = trn3().core.psum.bank_size.value;
  Kernel k;
  for (int i = 0; i < many; ++i) {
    const Tile tile = k.tensor(Space::psum, {128, bank / 4});
    k.fill(tile);
    k.copy(tile, tile);
  }
  std::vector<Tile> tiles;
  for (int i = 0; i < 16; ++i) tiles.push_back(k.tensor(Space::psum, {128, bank / 8}));
  for (const Tile& tile : tiles) k.fill(tile);
  for (const Tile& tile : tiles) k.copy(tile, tile);
  const isa::Program p = compile(std::move(k.program), trn3().core);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) expect_apart(p, tiles[i].tensor, tiles[j].tensor);
  }
}

TEST(Allocate, ManualAddressesAreHonouredAndChecked) {
  {
    Kernel k;
    const Tile a = k.at(Space::sbuf, 4096, {128, 64}), b = k.tensor(Space::sbuf, {128, 64});
    k.copy(b, a);
    const isa::Program p = compile(std::move(k.program), trn3().core);
    EXPECT_EQ(p.tensors[a.tensor].address, 4096);
  }
  {
    Kernel k;
    const Tile a = k.at(Space::sbuf, 4096, {128, 64}), b = k.at(Space::sbuf, 4096 + 128, {128, 64});
    k.copy(b, a);
    EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }),
              "memory.overlap");
  }
  {
    Kernel k;
    const Tile a = k.at(Space::psum, 100, {128, 64}), b = k.tensor(Space::sbuf, {128, 64});
    k.copy(b, a);
    EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }),
              "memory.address");
  }
  for (const std::int64_t address : {4, 6}) {
    Kernel k;
    const Tile a = k.at(Space::sbuf, address, {128, 64}), b = k.tensor(Space::sbuf, {128, 64});
    k.copy(b, a);
    if (address % 4 == 0) {
      EXPECT_EQ(compile(std::move(k.program), trn3().core).tensors[a.tensor].address, address);
    } else {
      EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }),
                "memory.address");
    }
  }
}

TEST(Accumulate, TheFirstMatmulOverwritesAndLaterOnesAdd) {
  Kernel k;
  const Tile s = k.tensor(Space::sbuf, {128, 128}, DType::bfloat16),
             m = k.tensor(Space::sbuf, {128, 512}, DType::bfloat16);
  const Tile out = k.tensor(Space::psum, {128, 512});
  std::vector<std::uint32_t> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(k.program.append(isa::NcMatmul{.dst = out, .stationary = s, .moving = m},
                                   isa::Engine::tensor));
  }
  const isa::Program p = compile(std::move(k.program), trn3().core);
  EXPECT_EQ(p.as<isa::NcMatmul>(all[0]).accumulate, isa::Accumulate::overwrite);
  EXPECT_EQ(p.as<isa::NcMatmul>(all[1]).accumulate, isa::Accumulate::add);
  EXPECT_EQ(p.as<isa::NcMatmul>(all[2]).accumulate, isa::Accumulate::add);
  EXPECT_EQ(item_of(p, isa::Engine::tensor, all[1]).depends_back, 0u)
      << "accumulating does not wait for the sum before";
}

TEST(Streams, EveryLegalInterleavingGivesTheBitsOfTheAuthorsOrder) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const isa::Program program = compile(tangle(seed).program, trn3().core);
    const std::vector<std::byte> expected = run(program, std::nullopt);
    for (std::uint64_t order = 0; order < 5; ++order) {
      EXPECT_EQ(run(program, order), expected) << "program " << seed << ", order " << order;
    }
  }
}

TEST(Schedule, AReorderedProgramGivesTheSameBits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::byte> expected =
        run(compile(tangle(seed).program, trn3().core), std::nullopt);
    const isa::Program listed = compile(tangle(seed).program, trn3().core, {.order = Order::list});
    EXPECT_EQ(run(listed, std::nullopt), expected) << seed;
    EXPECT_EQ(run(listed, 1), expected) << seed;
  }
}

TEST(Schedule, TensorsThatShareBytesByHandKeepTheirBits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const isa::Program kept =
        compile(tangle(seed, true).program, trn3().core, {.allow_overlap = true});
    const std::vector<std::byte> expected = run(kept, std::nullopt);
    const isa::Program listed =
        compile(tangle(seed, true).program, trn3().core, {.order = Order::list});
    EXPECT_EQ(run(listed, std::nullopt), expected) << seed;
    EXPECT_EQ(run(listed, 1), expected) << seed;
  }
}

TEST(Schedule, AddressesChosenByHandAreNoReasonToWait) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 512});
  const Tile a = k.at(Space::sbuf, 0, {128, 512}), b = k.at(Space::sbuf, 2048, {128, 512}),
             c = k.at(Space::sbuf, 4096, {128, 512}), d = k.at(Space::sbuf, 6144, {128, 512});
  k.load(a, in);
  k.copy(b, a);
  k.copy(d, c);
  const isa::Program p = compile(std::move(k.program), trn3().core, {.order = Order::list});
  const auto& stream = p.streams[static_cast<std::size_t>(isa::Engine::vector)];
  ASSERT_EQ(stream.size(), 2u);
  EXPECT_EQ(p.as<isa::TensorCopy>(stream[0].instruction).dst.tensor, d.tensor);
}

TEST(Schedule, IndependentWorkFillsAWait) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 512});
  const Tile a = k.tensor(Space::sbuf, {128, 512}), b = k.tensor(Space::sbuf, {128, 512}),
             c = k.tensor(Space::sbuf, {128, 512}), d = k.tensor(Space::sbuf, {128, 512});
  k.load(a, in);
  k.copy(b, a);
  k.copy(d, c);
  const isa::Program p = compile(std::move(k.program), trn3().core, {.order = Order::list});
  const auto& stream = p.streams[static_cast<std::size_t>(isa::Engine::vector)];
  ASSERT_EQ(stream.size(), 2u);
  EXPECT_EQ(p.as<isa::TensorCopy>(stream[0].instruction).dst.tensor, d.tensor)
      << "the copy that needs no load goes first";
}

TEST(Schedule, AShortLoadBehindLongOnesComesLate) {
  Kernel k;
  const auto large = [&](Space space) { return k.tensor(space, {128, 8192}); };
  const auto small = [&](Space space) { return k.tensor(space, {128, 16}); };
  for (int i = 0; i < 2; ++i) k.load(large(Space::sbuf), large(Space::hbm));
  const Tile loaded = small(Space::sbuf), last = small(Space::sbuf);
  k.load(loaded, small(Space::hbm));
  k.copy(last, loaded);
  const Tile source = large(Space::sbuf), copied = large(Space::sbuf);
  for (int i = 0; i < 2; ++i) k.copy(copied, source);
  const isa::Program p = compile(std::move(k.program), trn3().core, {.order = Order::list});
  const auto& stream = p.streams[static_cast<std::size_t>(isa::Engine::vector)];
  ASSERT_EQ(stream.size(), 3u);
  EXPECT_EQ(p.as<isa::TensorCopy>(stream[2].instruction).dst.tensor, last.tensor);
}

TEST(Schedule, ACycleOfEdgesIsRefused) {
  Kernel k;
  const Tile a = k.tensor(Space::sbuf, {128, 64}), b = k.tensor(Space::sbuf, {128, 64}),
             c = k.tensor(Space::sbuf, {128, 64});
  const std::uint32_t first = k.copy(b, a), second = k.copy(c, b);
  k.program.schedule_edges.push_back({second, first});
  EXPECT_EQ(label_of([&] { (void)compile(std::move(k.program), trn3().core); }), "schedule.cycle");
}

TEST(Engines, AnAddressComputedAtRunTimeIsLeftToSoftwareDescriptorsUnlessTheAuthorSays) {
  for (const isa::DgeMode mode : {isa::DgeMode::unknown, isa::DgeMode::hwdge}) {
    Kernel k;
    const Tile index = k.tensor(Space::sbuf, {1, 1}, DType::int32);
    const Tile dst = k.tensor(Space::sbuf, {128, 64});
    const Tile src = k.tensor(Space::hbm, {128, 64}, DType::float32, isa::TensorRole::input);
    k.load(index, k.tensor(Space::hbm, {1, 1}, DType::int32, isa::TensorRole::input));
    const std::uint32_t plain = k.load(dst, src);
    const std::uint32_t computed =
        k.program.append(isa::DmaCopy{.dst = dst, .src = k.by_tile(src, index), .dge_mode = mode});
    const isa::Program program = compile(k.program, trn3().core, {});
    EXPECT_EQ(program.instructions[plain].engine, isa::Engine::sync);
    EXPECT_EQ(program.instructions[computed].engine,
              mode == isa::DgeMode::hwdge ? isa::Engine::sync : isa::Engine::gpsimd);
    // Whoever triggers it reads the word, multiplies, adds and moves first.
    const machine::Core core = trn3().core;
    const auto held = [&](std::uint32_t i) {
      return estimate(program, i, program.instructions[i].engine, core).engine;
    };
    const machine::Sequencer& sync = core.sync.sequencer;
    EXPECT_EQ(held(plain), sync.dma_issue_hardware + sync.gap);
    const machine::Sequencer& issuer = core.engine(program.instructions[computed].engine).sequencer;
    EXPECT_EQ(held(computed),
              issuer.register_load_sbuf + issuer.register_alu * 2 + issuer.register_move +
                  (mode == isa::DgeMode::hwdge
                       ? issuer.dma_issue_hardware
                       : core.dma.software_prepare_next + issuer.dma_issue_software) +
                  issuer.gap);
  }
}

}  // namespace
}  // namespace trainyard::compiler
