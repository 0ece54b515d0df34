// Arrays that stay in a device's memory between programs: a cache that grows in place, arguments
// that several programs read, and what is given away.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/text.h"
#include "graph_maker.h"
#include "machine/machine.h"
#include "session/device_model.h"
#include "session/model.h"

namespace trainyard::session {
namespace {

constexpr std::int64_t rows = 64, columns = 128;

constexpr const char* append = R"(
module @append {
  func.func public @main(%cache: tensor<64x128xf32> {jax.buffer_donor = true},
                         %row: tensor<1x128xf32>, %at: tensor<i32>) -> tensor<64x128xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %made = stablehlo.dynamic_update_slice %cache, %row, %at, %zero
      : (tensor<64x128xf32>, tensor<1x128xf32>, tensor<i32>, tensor<i32>) -> tensor<64x128xf32>
    return %made : tensor<64x128xf32>
  }
})";

constexpr const char* sum = R"(
module @sum {
  func.func public @main(%cache: tensor<64x128xf32>) -> tensor<128xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %made = stablehlo.reduce(%cache init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<64x128xf32>, tensor<f32>) -> tensor<128xf32>
    return %made : tensor<128xf32>
  }
})";

class Arrays : public testing::Test {
 protected:
  [[nodiscard]] Model model(const std::string& text) const {
    return {devices_, graph::read_text(text, "test"), evaluator({})};
  }
  [[nodiscard]] runtime::Memory& memory() const { return *devices_->device(0)->memory(); }

  static ArrayRef row(float value) {
    return std::make_shared<const Array>(
        graph::literal({.element = graph::ElementType::f32, .shape = {1, columns}},
                       std::vector<float>(columns, value)));
  }
  static ArrayRef at(std::int32_t index) {
    return std::make_shared<const Array>(
        graph::literal({.element = graph::ElementType::s32}, std::vector<std::int32_t>{index}));
  }
  static ArrayRef cache() {
    return zeros({.element = graph::ElementType::f32, .shape = {rows, columns}});
  }
  static std::vector<float> values(const ArrayRef& array) {
    return graph::values_of<float>(*array->content());
  }
  static ArrayRef run(Model& model, Arguments arguments) {
    return model.run(std::move(arguments), {}).outputs.at(0);
  }

  std::shared_ptr<runtime::Devices> devices_ =
      std::make_shared<runtime::Devices>(machine::load("trn3"));
};

TEST_F(Arrays, ADonatedCacheGrowsWhereItIs) {
  Model appends = model(append);
  ArrayRef held = run(appends, {.arrays = {cache(), row(1), at(0)}, .may_overwrite = {true}});
  const std::byte* const place = held->in(memory())->data();
  const std::int64_t in_use = memory().bytes_in_use();
  for (std::int32_t i = 1; i < rows; ++i) {
    const auto value = static_cast<float>(i + 1);
    held = run(appends, {.arrays = {std::move(held), row(value), at(i)}, .may_overwrite = {true}});
    EXPECT_EQ(held->in(memory())->data(), place);
    EXPECT_EQ(memory().bytes_in_use(), in_use);
  }
  const std::vector<float> all = values(held);
  for (std::int64_t i = 0; i < rows * columns; ++i)
    ASSERT_EQ(all[static_cast<std::size_t>(i)], static_cast<float>(i / columns + 1)) << i;
}

TEST_F(Arrays, WhatIsNotDonatedKeepsItsContent) {
  Model appends = model(append);
  const ArrayRef first = cache();
  const ArrayRef second = run(appends, {.arrays = {first, row(3), at(5)}});
  const ArrayRef third = run(appends, {.arrays = {first, row(4), at(5)}});
  EXPECT_EQ(values(first).at(5 * columns), 0);
  EXPECT_EQ(values(second).at(5 * columns), 3);
  EXPECT_EQ(values(third).at(5 * columns), 4);
}

TEST_F(Arrays, WhatIsDonatedIsGone) {
  Model appends = model(append);
  const ArrayRef first = cache();
  const ArrayRef second = run(appends, {.arrays = {first, row(3), at(5)}, .may_overwrite = {true}});
  EXPECT_TRUE(first->is_gone());
  try {
    (void)first->content();
    FAIL() << "it was read";
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().at(0).label, "model.donated");
  }
  EXPECT_EQ(values(second).at(5 * columns), 3);
}

// Whoever else reads the memory keeps it.
TEST_F(Arrays, MemoryThatOthersReadIsCopiedBeforeItIsOverwritten) {
  Model appends = model(append);
  const ArrayRef first = cache();
  const runtime::BufferRef held = first->in(memory());
  const ArrayRef beside = std::make_shared<const Array>(first->type(), held);
  const ArrayRef second = run(appends, {.arrays = {first, row(3), at(5)}, .may_overwrite = {true}});
  EXPECT_EQ(values(beside).at(5 * columns), 0);
  EXPECT_EQ(values(second).at(5 * columns), 3);
}

TEST_F(Arrays, ProgramsOfADeviceFindThemWhereTheyLie) {
  Model appends = model(append), sums = model(sum);
  const ArrayRef grown =
      run(appends, {.arrays = {cache(), row(2), at(7)}, .may_overwrite = {true}});
  const std::byte* const place = grown->in(memory())->data();
  EXPECT_EQ(values(run(sums, {.arrays = {grown}})).at(0), 2);
  EXPECT_EQ(grown->in(memory())->data(), place);
  EXPECT_EQ(values(run(sums, {.arrays = {grown}})).at(columns - 1), 2);
}

TEST_F(Arrays, AnotherDeviceGetsThem) {
  Model sums = model(sum);
  Model appends = model(append);
  const ArrayRef grown = run(appends, {.arrays = {cache(), row(2), at(7)}});
  const auto other = std::make_shared<const runtime::Device>(
      std::make_shared<const machine::Machine>(machine::load("trn3")), 0);
  const ArrayRef found = run(sums, {.arrays = {grown}, .device = other});
  EXPECT_EQ(values(found).at(0), 2);
  EXPECT_EQ(grown->in(*other->memory())->memory(), other->memory());
}

TEST_F(Arrays, ChecksKnowWhatRunsWithoutThemWrote) {
  Model appends = model(append), sums = model(sum);
  const ArrayRef grown =
      appends.run({.arrays = {cache(), row(2), at(7)}}, {.checks = false}).outputs.at(0);
  const ModelRun checked = sums.run({.arrays = {grown}}, {.checks = true});
  for (const ProgramRun& program : checked.programs)
    for (const checkers::Finding& found : program.first.findings)
      EXPECT_NE(found.violation.label, "memory.unwritten");
}

// What programs keep in HBM while they run takes the room of the largest one.
TEST_F(Arrays, ProgramsThatAreCompiledTakeNoMemory) {
  std::vector<Model> models;
  for (int i = 0; i < 8; ++i) models.push_back(model(sum));
  EXPECT_EQ(memory().bytes_in_use(), 0);
  const ArrayRef held = cache();
  (void)run(models[0], {.arrays = {held}});
  const std::int64_t in_use = memory().bytes_in_use();
  for (Model& each : models) (void)run(each, {.arrays = {held}});
  EXPECT_EQ(memory().bytes_in_use(), in_use);
}

}  // namespace
}  // namespace trainyard::session
