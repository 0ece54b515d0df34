// What policy.unwritten = "zero" adds to a program.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "compiler/compiler.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/nc_matmul.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

machine::Machine without_stale() {
  const std::vector<std::string> settings{"policy.unwritten=zero"};
  return machine::apply_overrides(trn3(), settings);
}

// The memsets that policy.unwritten = "zero" adds: the tensor and bytes of each, in their order.
std::vector<std::pair<isa::TensorId, std::int64_t>> zeros_of(const isa::Program& kernel) {
  const isa::Program p = compile(kernel, without_stale().core);
  std::vector<std::pair<isa::TensorId, std::int64_t>> found;
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
    if (!p.is<isa::Memset>(i)) continue;
    const isa::Tile& dst = p.as<isa::Memset>(i).dst;
    found.emplace_back(dst.tensor, dst.bytes());
  }
  return found;
}

TEST(ZeroUnwritten, OnlyWhatIsNotWrittenWholeIsSetToZero) {
  Kernel k;
  const Tile whole = k.tensor(Space::sbuf, {128, 64}), part = k.tensor(Space::sbuf, {128, 64}),
             read = k.tensor(Space::sbuf, {32, 64});
  const Tile in = k.tensor(Space::hbm, {128, 64}, DType::float32, isa::TensorRole::input);
  Tile half = part;
  half.dims[0].count = 32;
  k.load(whole, in);
  k.copy(half, half);  // reads what nothing wrote
  k.copy(part, whole);
  k.copy(k.tensor(Space::sbuf, {32, 64}), read);
  using Zeros = std::vector<std::pair<isa::TensorId, std::int64_t>>;
  EXPECT_EQ(zeros_of(k.program), (Zeros{{part.tensor, 128 * 64 * 4}, {read.tensor, 32 * 64 * 4}}));
}

TEST(ZeroUnwritten, ATransferThatMaySkipRowsDoesNotWriteAll) {
  for (const isa::OobMode mode : {isa::OobMode::error, isa::OobMode::skip}) {
    Kernel k;
    const Tile index = k.tensor(Space::sbuf, {1, 1}, DType::int32);
    const Tile rows = k.tensor(Space::sbuf, {64, 16});
    Tile in = k.tensor(Space::hbm, {128, 16}, DType::float32, isa::TensorRole::input);
    k.fill(index);
    in.dims[0].count = rows.partitions;
    k.program.append(isa::DmaCopy{.dst = rows, .src = k.by_tile(in, index, 16), .oob_mode = mode},
                     isa::Engine::sync);
    const auto zeros = zeros_of(k.program);
    EXPECT_EQ(std::ranges::count(zeros, rows.tensor, [](const auto& zero) { return zero.first; }),
              mode == isa::OobMode::skip ? 1 : 0);
  }
}

TEST(ZeroUnwritten, ATensorLargerThanAnInstructionIsSetInPieces) {
  Kernel k;
  const Tile large = k.tensor(Space::sbuf, {128, 40000});
  k.copy(k.tensor(Space::sbuf, {128, 40000}, DType::float8_e4m3), large);
  std::int64_t bytes = 0;
  const auto zeros = zeros_of(k.program);
  for (const auto& [tensor, size] : zeros) bytes += size;
  EXPECT_EQ(zeros.size(), 3u);
  EXPECT_EQ(bytes, large.bytes());
}

TEST(ZeroUnwritten, ATensorThatOutlivesALoopIsSetBeforeIt) {
  Kernel k;
  const Tile sum = k.tensor(Space::sbuf, {128, 64});
  Tile half = sum;
  half.dims[0].count = 32;
  const auto begin =
      k.program.append(isa::LoopBegin{.counter = isa::Register{0}, .start = {}, .stop = {4}});
  k.program.tensors[sum.tensor].created = begin;
  const Tile inner = k.tensor(Space::sbuf, {128, 32});
  k.program.tensors[inner.tensor].created = begin + 1;
  Tile quarter = inner;
  quarter.dims[0].count = 16;
  k.fill(quarter);
  k.add(half, half, inner);
  k.program.append(isa::LoopEnd{.begin = static_cast<std::int32_t>(begin)});
  const isa::Program p = compile(std::move(k.program), without_stale().core);
  std::vector<std::string_view> order;
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) order.push_back(p.info_at(i).mnemonic);
  EXPECT_EQ(order, (std::vector<std::string_view>{"memset", "loop_begin", "memset", "memset",
                                                  "tensor_tensor", "loop_end", "drain", "drain"}));
}

TEST(ZeroUnwritten, ASumMadeInsideALoopBehindItsMemsetsStartsAnew) {
  Kernel k;
  const Tile s = k.tensor(Space::sbuf, {128, 128}, DType::bfloat16),
             m = k.tensor(Space::sbuf, {128, 512}, DType::bfloat16);
  for (int i = 0; i < 4; ++i) {
    Tile half = k.tensor(Space::sbuf, {128, 64});
    half.dims[0].count = 32;
    k.fill(half);
  }
  const auto begin =
      k.program.append(isa::LoopBegin{.counter = isa::Register{0}, .start = {}, .stop = {4}});
  const Tile sum = k.tensor(Space::psum, {128, 512});
  k.program.tensors[sum.tensor].created = begin + 1;
  k.program.append(isa::NcMatmul{.dst = sum, .stationary = s, .moving = m}, isa::Engine::tensor);
  k.program.append(isa::LoopEnd{.begin = static_cast<std::int32_t>(begin)});
  const isa::Program p = compile(std::move(k.program), without_stale().core);
  int matmuls = 0;
  for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
    if (!p.is<isa::NcMatmul>(i)) continue;
    ++matmuls;
    EXPECT_EQ(p.as<isa::NcMatmul>(i).accumulate, isa::Accumulate::overwrite);
  }
  EXPECT_EQ(matmuls, 1);
}

TEST(ZeroUnwritten, WhereNoInstructionReachesStaysAsItIs) {
  Kernel k;
  const Tile odd = k.at(Space::sbuf, 0, {16, 64});
  k.program.tensors[odd.tensor].partition_start = 16;
  k.load(k.tensor(Space::hbm, {16, 64}, DType::float32, isa::TensorRole::output), odd);
  EXPECT_TRUE(zeros_of(k.program).empty());
}

}  // namespace
}  // namespace trainyard::compiler
