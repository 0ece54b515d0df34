// Do random kernels that move neighbouring tiles, with reads and writes of the same bytes in
// between, give the same bits after the rewriting back end has joined transfers?
#include <gtest/gtest.h>

#include "../engines/fixture.h"
#include "../engines/interleaved.h"
#include "base/random.h"
#include "compiler/compiler.h"
#include "compiler/join_transfers.h"
#include "engines/interpreter.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using engines::trn3;
using isa::DmaCopy;
using isa::Space;
using isa::TensorId;
using isa::Tile;

constexpr std::int32_t columns = 32, blocks = 8;

// Walks of three source lines: loads of successive blocks of columns into tiles of their own, loads
// into the slices of one tile, and stores. In between tiles are changed, and blocks that a walk
// has still to read or has stored are read, written and loaded again.
class Walks {
 public:
  explicit Walks(std::uint64_t seed) : random_(seed) {
    hbm_ = tensor(Space::hbm, {128, columns * blocks}, isa::TensorRole::input);
    out_ = tensor(Space::hbm, {128, columns * blocks}, isa::TensorRole::output);
    wide_ = tensor(Space::sbuf, {128, columns * blocks}, isa::TensorRole::internal);
    for (std::uint32_t line = 1; line <= 5; ++line) {
      program_.frames.push_back({.line = line});
      program_.locations.push_back({.frame = line});
    }
    for (int i = 0; i < blocks; ++i) {
      load(tile(), block(hbm_, i), 1);
      slice(i);
    }
    const int steps = 20 + static_cast<int>(random_.below(20));
    for (int i = 0; i < steps; ++i) step();
    for (int i = 0; i < blocks; ++i) store_result();
  }

  [[nodiscard]] const isa::Program& program() const { return program_; }
  [[nodiscard]] TensorId input() const { return hbm_; }
  [[nodiscard]] TensorId output() const { return out_; }

 private:
  TensorId tensor(Space space, std::vector<std::int64_t> shape, isa::TensorRole role) {
    isa::Tensor made;
    made.shape = std::move(shape);
    made.dtype = isa::DType::float32;
    made.space = space;
    made.role = role;
    made.name = "t" + std::to_string(program_.tensors.size());
    program_.tensors.push_back(made);
    return static_cast<TensorId>(program_.tensors.size() - 1);
  }
  [[nodiscard]] Tile block(TensorId id, int i) const {
    Tile made{.space = program_.tensors[id].space, .tensor = id};
    made.offset = std::int64_t{4} * columns * i;
    if (made.space == Space::hbm) {
      made.rank = 2;
      made.dims = {isa::Dim{columns * blocks, 128}, isa::Dim{1, columns}};
    } else {
      made.rank = 1;
      made.partitions = 128;
      made.dims = {isa::Dim{1, columns}};
    }
    return made;
  }
  Tile tile() {
    const TensorId id = tensor(Space::sbuf, {128, columns}, isa::TensorRole::internal);
    tiles_.push_back(block(id, 0));
    return tiles_.back();
  }
  const Tile& any_tile() { return tiles_[random_.below(tiles_.size())]; }
  int any_block() { return static_cast<int>(random_.below(blocks)); }

  void load(const Tile& dst, const Tile& src, std::uint32_t line) {
    program_.append(DmaCopy{.dst = dst, .src = src}, isa::Engine::any, line);
  }
  void store(const Tile& dst, const Tile& src, std::uint32_t line) { load(dst, src, line); }
  void slice(int i) { load(block(wide_, i), block(hbm_, i), 2); }
  void add(const Tile& dst, const Tile& a, const Tile& b) {
    program_.append(
        isa::TensorTensor{.dst = dst, .data1 = a, .data2 = b, .op = numerics::AluOp::add});
  }

  void step() {
    switch (random_.below(12)) {
      case 0: return add(any_tile(), any_tile(), any_tile());
      case 1: {
        const Tile result = any_tile();
        return add(tile(), result, block(wide_, any_block()));
      }
      case 2: return add(block(wide_, any_block()), any_tile(), any_tile());
      case 3: return load(tile(), block(hbm_, next_ = (next_ + 1) % blocks), 1);
      case 4: return slice(next_ = (next_ + 1) % blocks);
      case 5: return store(block(hbm_, any_block()), any_tile(), 4);
      case 6: return load(any_tile(), block(hbm_, next_ = (next_ + 1) % blocks), 1);
      case 7: return load(tile(), block(out_, any_block()), 5);
      default: return store_result();
    }
  }
  // A result of its own, which later steps may change, to the block behind that of the last one.
  void store_result() {
    const Tile a = any_tile(), b = any_tile();
    const Tile result = tile();
    add(result, a, b);
    store(block(out_, stored_ = (stored_ + 1) % blocks), result, 3);
  }

  base::Random random_;
  isa::Program program_;
  TensorId hbm_ = 0, out_ = 0, wide_ = 0;
  std::vector<Tile> tiles_;
  int next_ = 0, stored_ = 0;
};

std::vector<std::byte> small_numbers() {
  std::vector<std::byte> bits(std::size_t{128} * columns * blocks * 4);
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    const auto number = static_cast<float>(i % 1021) / 64;
    std::memcpy(&bits[i], &number, sizeof number);
  }
  return bits;
}

// A program with its memory, run in one of several ways.
struct Loaded {
  Loaded(const Walks& kernel, const isa::Program& program) : kernel(kernel), bench(program) {
    for (const TensorId id : {kernel.input(), kernel.output()})
      engines::write_tensor(program, id, bench.hbm_base, *bench.core.hbm, small_numbers());
  }
  [[nodiscard]] std::vector<std::byte> result() const {
    std::vector<std::byte> all;
    for (const TensorId id : {kernel.input(), kernel.output()}) {
      const auto part = engines::tensor_content(bench.program, id, bench.hbm_base, *bench.core.hbm);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }
  const Walks& kernel;
  engines::Bench bench;
};

class JoinedTransfers : public testing::TestWithParam<int> {};

TEST_P(JoinedTransfers, GiveTheSameBits) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const Walks kernel(seed);
  isa::Program joined = kernel.program();
  compiler::join_transfers(joined, trn3().core);
  EXPECT_LT(joined.instructions.size(), kernel.program().instructions.size());

  const isa::Program authors = compiler::compile(kernel.program(), trn3().core);
  const auto order = seed % 2 == 0 ? compiler::Order::author : compiler::Order::list;
  const isa::Program rewritten =
      compiler::compile(kernel.program(), trn3().core, {.order = order, .rewrite = true});
  EXPECT_LT(rewritten.instructions.size(), authors.instructions.size());
  Loaded reference(kernel, authors);
  engines::Interpreter(authors, reference.bench.execution).run();
  for (std::uint64_t interleaving = 0; interleaving < 3; ++interleaving) {
    Loaded loaded(kernel, rewritten);
    engines::run_interleaved(rewritten, loaded.bench.execution, interleaving);
    EXPECT_EQ(loaded.result(), reference.result()) << "interleaving " << interleaving;
  }
  Loaded timed(kernel, rewritten);
  (void)run(rewritten, trn3(), timed.bench.execution);
  EXPECT_EQ(timed.result(), reference.result());
}

INSTANTIATE_TEST_SUITE_P(Seeds, JoinedTransfers, testing::Range(0, 60));

}  // namespace
}  // namespace trainyard::system
