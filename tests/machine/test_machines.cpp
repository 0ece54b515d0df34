// Do the shipped machines say what is published, with a source for every number and a range for
// every guess?
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "example.h"
#include "machine/schema.h"

namespace trainyard::machine {
namespace {

class Shipped : public testing::TestWithParam<const char*> {
 protected:
  const Machine machine_ = load(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Machines, Shipped, testing::Values("trn1", "trn2", "trn3"),
                         [](const auto& info) { return info.param; });

TEST_P(Shipped, EveryKeyOfTheSchemaHasAFigureInOrder) {
  const auto fields = schema();
  ASSERT_EQ(machine_.provenance().size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Figure& figure = machine_.provenance()[i];
    EXPECT_EQ(figure.key, fields[i].key);
    EXPECT_FALSE(figure.unit.empty() || figure.source.empty() || figure.value.empty())
        << figure.key;
    EXPECT_NE(figure.place.find(".toml:"), std::string::npos) << figure.key;
  }
}

TEST_P(Shipped, EveryGuessedNumberHasARange) {
  for (const Figure& figure : machine_.provenance()) {
    const Dimension dimension = find_field(figure.key)->dimension;
    const bool guess = figure.kind == Kind::estimated || figure.kind == Kind::assumed;
    const bool number = dimension != Dimension::flag && dimension != Dimension::choice;
    // Bit patterns and seeds have no range.
    const bool pattern =
        figure.key == "policy.canonical_nan" || figure.key == "policy.stochastic_rounding_seed";
    if (guess && number && !pattern) {
      EXPECT_TRUE(figure.range) << figure.place << " " << figure.key;
    }
  }
}

TEST_P(Shipped, PrintedPeaksOfACoreFollowFromClockAndArray) {
  const PeArray& array = machine_.core.array;
  const Headline& printed = machine_.chip.headline;
  // AWS prints whole TFLOPS (23 for 22.9), so half of one is the most that may differ.
  EXPECT_NEAR(machine_.peak_teraflops(array.macs_bf16), printed.core_bf16.value, 0.5);
  EXPECT_NEAR(machine_.peak_teraflops(array.macs_fp32), printed.core_fp32.value, 0.5);
  if (machine_.core.features.mx) {
    EXPECT_NEAR(machine_.peak_teraflops(array.macs_mx), printed.core_mx.value, 0.5);
  }
  if (machine_.core.features.double_row) {
    EXPECT_NEAR(machine_.peak_teraflops(array.macs_double_row), printed.core_fp8.value, 0.75);
  }
}

TEST_P(Shipped, LoadingTwiceIsTheSame) { EXPECT_EQ(load(GetParam()).hash(), machine_.hash()); }

TEST_P(Shipped, FetchReturnsWhatStoreWrote) {
  for (const Field& field : schema()) {
    Machine copy = machine_;
    field.store(copy, field.fetch(machine_));
    EXPECT_EQ(field.fetch(copy), field.fetch(machine_)) << field.key;
  }
  EXPECT_EQ(Machine(machine_).hash(), machine_.hash());
}

TEST_P(Shipped, EveryKeyIsExplained) {
  for (const Field& field : schema()) {
    const std::string text = machine_.explain(field.key);
    EXPECT_NE(text.find(field.meaning), std::string::npos) << field.key;
    EXPECT_NE(text.find("source: "), std::string::npos) << field.key;
  }
}

TEST(Schema, EveryFieldHasItsOwnMember) {
  // Writing one field must change no other: catches a key bound to a neighbour's member.
  Machine machine = load("trn3");
  for (const Field& field : schema()) {
    const Value before = field.fetch(machine);
    Value other = before;
    other.exact = before.exact == 1 ? 0 : 1;
    other.real = before.real + 1;
    if (field.dimension == Dimension::rate) other = {.exact = 7, .denominator = 11};
    field.store(machine, other);
    const Value read = field.fetch(machine);
    EXPECT_NE(read, before) << field.key;
    int changed = 0;
    const Machine original = load_text(file_text("trn3"), "trn3.toml", folder);
    for (const Field& each : schema()) changed += each.fetch(machine) != each.fetch(original);
    EXPECT_EQ(changed, 1) << field.key;
    field.store(machine, before);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Trn3, PublishedFigures) {
  const Machine machine = load("trn3");
  const Core& core = machine.core;
  EXPECT_EQ(machine.name, "trn3");
  EXPECT_EQ(core.generation, Generation::gen4);
  EXPECT_EQ(core.tensor.clock.gigahertz(), 2.4);
  EXPECT_EQ(core.vector.clock.gigahertz(), 1.2);
  EXPECT_NEAR(machine.peak_teraflops(core.array.macs_mx), 314.6, 0.05);
  EXPECT_NEAR(machine.peak_teraflops(core.array.macs_bf16), 78.6, 0.05);
  EXPECT_NEAR(machine.peak_teraflops(core.array.macs_fp32), 19.7, 0.05);
  EXPECT_NEAR(machine.peak_teraflops(core.array.macs_mx) * 8, machine.chip.headline.chip_mx.value,
              0.5);
  EXPECT_EQ(core.sbuf.partition_size.value * core.sbuf.partitions, 32 << 20);
  EXPECT_EQ(core.sbuf.usable().value, 245'752);
  EXPECT_EQ(core.psum.partition_size().value, 16 << 10);
  EXPECT_EQ(machine.chip.hbm.stack_size.value * machine.chip.hbm.stacks, std::int64_t{144} << 30);
  EXPECT_EQ(core.throttle.window.value, 4096 * 140);  // cycles of 1.2 GHz
  EXPECT_EQ(core.dma.achieved.bytes_per_second * core.dma.engines, 528'000'000'000);
  // 256 + 320 + 128 GB/s
  const Fabric& fabric = machine.fabric;
  const std::int64_t links = fabric.links_sled + fabric.links_rack + fabric.links_twin;
  EXPECT_EQ(links * fabric.link.bytes_per_second, 704'000'000'000);
}

// What was measured or printed for an older core is an assumption about Trainium3.
TEST(Trn3, NothingCarriedOverPassesAsPublished) {
  const Machine machine = load("trn3");
  for (const Figure& figure : machine.provenance()) {
    if (figure.kind != Kind::published) continue;
    for (const std::string_view older : {"Trn2", "ISA-2.26", "carried over"}) {
      EXPECT_EQ(figure.source.find(older), std::string::npos)
          << figure.key << ": " << figure.source;
    }
  }
}

TEST(Trn2, PublishedFigures) {
  const Machine machine = load("trn2");
  EXPECT_EQ(machine.core.vector.clock.gigahertz(), 0.96);
  EXPECT_EQ(machine.core.sbuf.partition_size.value * 128, 28 << 20);
  EXPECT_NEAR(machine.peak_teraflops(machine.core.array.macs_double_row), 157.3, 0.05);
  EXPECT_EQ(machine.chip.hbm.stack_size.value * machine.chip.hbm.stacks, std::int64_t{96} << 30);
  EXPECT_FALSE(machine.core.features.mx);
}

TEST(Trn1, PublishedFigures) {
  const Machine machine = load("trn1");
  EXPECT_EQ(machine.core.tensor.clock.gigahertz(), 2.8);
  EXPECT_EQ(machine.core.scalar.clock.gigahertz(), 1.4);
  EXPECT_EQ(machine.core.sbuf.partition_size.value * 128, 24 << 20);
  EXPECT_NEAR(machine.peak_teraflops(machine.core.array.macs_bf16), 91.75, 0.05);
  EXPECT_FALSE(machine.core.throttle.enabled);
}

TEST(Assumed, ListsOnlyGuessesOfThePrefixes) {
  const Machine machine = load("trn3");
  const std::vector<std::string_view> prefixes{"vector.", "dma.completion"};
  const auto figures = machine.assumed(prefixes);
  const auto has = [&](std::string_view key) {
    return std::ranges::any_of(figures, [&](const Figure* f) { return f->key == key; });
  };
  EXPECT_TRUE(has("vector.startup"));
  EXPECT_TRUE(has("dma.completion"));
  EXPECT_FALSE(has("vector.clock"));  // published
  EXPECT_FALSE(has("scalar.startup"));
  EXPECT_TRUE(machine.assumed({}).empty());
}

TEST(Interval, IsTheWrittenRangeInTheCanonicalUnit) {
  const Machine machine = load("trn3");
  EXPECT_EQ(machine.interval("dma.completion"), (Interval{290, 365, 400}));
  EXPECT_EQ(machine.interval("fabric.efa_latency"), (Interval{10'000, 15'000, 20'000}));
  EXPECT_EQ(machine.interval("gpsimd.rate.partition_reduce"), (Interval{1.0 / 16, 1.0 / 8, 1}));
  EXPECT_EQ(machine.interval("tensor.clock"), (Interval{2.4, 2.4, 2.4}));
  EXPECT_EQ(apply_override(machine, "dma.completion=1us").interval("dma.completion"),
            (Interval{1000, 1000, 1000}));
  EXPECT_THROW(static_cast<void>(machine.interval("dma.complete")), base::InputError);
}

TEST(SearchPath, TheEnvironmentComesFirst) {
  ASSERT_EQ(::setenv("TRAINYARD_MACHINES", "/a::/b", 1), 0);
  const auto folders = search_path();
  ASSERT_EQ(::unsetenv("TRAINYARD_MACHINES"), 0);
  ASSERT_GE(folders.size(), 3u);
  EXPECT_EQ(folders[0], "/a");
  EXPECT_EQ(folders[1], "/b");
}

TEST(Load, APathIsReadAsItIs) {
  EXPECT_EQ(load(folder + "/trn2.toml").hash(), load("trn2").hash());
  EXPECT_EQ(available(), (std::vector<std::string>{"trn1", "trn2", "trn3"}));
}

TEST(AtEnd, WhereTheMachineWouldContradictItselfThereIsNone) {
  const Machine late = apply_override(load("trn3"), "throttle.phase=3400ns");
  EXPECT_FALSE(at_end(late, "throttle.window", End::low).has_value());
  EXPECT_TRUE(at_end(late, "throttle.window", End::high).has_value());
}

}  // namespace
}  // namespace trainyard::machine
