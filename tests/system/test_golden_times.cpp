// Has anything changed a time? The totals of a few programs are pinned to the tick (1/168 ns). A
// change that is meant replaces the number here and says in its commit what it was measured by.
#include <gtest/gtest.h>

#include "../engines/fixture.h"
#include "compiler/compiler.h"
#include "isa/views/view.h"
#include "machine/machine.h"
#include "random_kernel.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

struct Golden {
  std::uint64_t seed;
  const char* machine;
  std::int64_t ticks;
};

class GoldenTimes : public testing::TestWithParam<Golden> {};

TEST_P(GoldenTimes, AKernelOfLoadsEnginesMatmulsAndStoresTakesWhatItTook) {
  const RandomKernel kernel(GetParam().seed);
  const machine::Machine machine = machine::load(GetParam().machine);
  const isa::Program program = compiler::compile(kernel.program(), machine.core, {});
  EXPECT_EQ(time(program, machine).time.value, GetParam().ticks);
}

// Loads of one row at a place that a word in SBUF decides, then a chain of matmuls on what came.
isa::Program gathers_and_matmuls() {
  isa::Program program;
  const auto tensor = [&](isa::Space space, std::vector<std::int64_t> shape, isa::DType dtype) {
    isa::Tensor t;
    t.name = "t" + std::to_string(program.tensors.size());
    t.shape = std::move(shape);
    t.dtype = dtype;
    t.space = space;
    if (space == isa::Space::hbm) t.role = isa::TensorRole::input;
    program.tensors.push_back(t);
    return isa::tile_of(
        isa::view_of(program, static_cast<isa::TensorId>(program.tensors.size() - 1)));
  };
  const isa::Tile table = tensor(isa::Space::hbm, {8, 128, 512}, isa::DType::bfloat16);
  const isa::Tile index = tensor(isa::Space::sbuf, {1, 1}, isa::DType::int32);
  const isa::Tile sum = tensor(isa::Space::psum, {128, 512}, isa::DType::float32);
  program.append(
      isa::DmaCopy{.dst = index, .src = tensor(isa::Space::hbm, {1, 1}, isa::DType::int32)});
  isa::DynamicAddress where;
  where.kind = isa::DynamicAddress::Kind::tile_offset;
  where.index = index;
  where.stride = 128 * 512;
  program.dynamics.push_back(where);
  for (int i = 0; i < 4; ++i) {
    const isa::Tile row = tensor(isa::Space::sbuf, {128, 512}, isa::DType::bfloat16);
    isa::Tile src = table;
    src.rank = 2;
    src.dims[0] = table.dims[1];
    src.dims[1] = table.dims[2];
    src.dynamic = 1;
    program.append(isa::DmaCopy{.dst = row, .src = src});
    isa::Tile stationary = row;
    stationary.dims[0].count = 128;
    program.append(isa::NcMatmul{.dst = sum, .stationary = stationary, .moving = row});
  }
  return program;
}

TEST(GoldenTimes, AddressesThatAreComputedTakeWhatTheyTook) {
  const auto ticks = [](const char* name) {
    const machine::Machine machine = machine::load(name);
    return time(compiler::compile(gathers_and_matmuls(), machine.core, {}), machine).time.value;
  };
  EXPECT_EQ(ticks("trn1"), 1655647);
  EXPECT_EQ(ticks("trn3"), 1383359);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenTimes,
                         testing::Values(Golden{1, "trn2", 2927745}, Golden{1, "trn3", 1717826},
                                         Golden{2, "trn3", 2107839}, Golden{3, "trn2", 8214819}),
                         [](const auto& info) {
                           return std::string(info.param.machine) + "_" +
                                  std::to_string(info.param.seed);
                         });

}  // namespace
}  // namespace trainyard::system
