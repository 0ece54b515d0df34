// Does a compared machine say what it must, does a broken one get a clear error, and do those with
// a core described in detail agree with it?
#include "machine/accelerator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "machine/machine.h"
#include "machine/schema.h"

namespace trainyard::machine {
namespace {

std::vector<base::Violation> violations_of(std::string_view text) {
  try {
    static_cast<void>(
        load_accelerator_text(text, "test.toml", TRAINYARD_SOURCE_DIR "/machines/compared"));
  } catch (const base::InputError& error) {
    return error.violations();
  }
  return {};
}

double value(const Accelerator& accelerator, std::string_view key) {
  const Quantity* quantity = accelerator.find(key);
  return quantity == nullptr ? -1 : quantity->amount.value;
}

TEST(Accelerator, EveryMachineThatMustBeComparedIsThere) {
  const std::vector<std::string> names = available_accelerators();
  for (const char* name :
       {"trn1", "inf2", "trn2", "trn2-ultraserver", "trn3-gen1", "trn3-gen2", "trn4", "h100",
        "h200", "b200", "gb300-nvl72", "mi355x", "tpu6e", "tpu7"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
}

TEST(Accelerator, EveryGuessHasARangeAndEveryRequiredFigureIsThere) {
  for (const std::string& name : available_accelerators()) {
    const Accelerator accelerator = load_accelerator(name);
    EXPECT_EQ(accelerator.name, name);
    for (const Field& field : accelerator_schema()) {
      const Quantity* quantity = accelerator.find(field.key);
      ASSERT_TRUE(quantity != nullptr || !is_required(field.key)) << name << " " << field.key;
      if (quantity == nullptr) continue;
      const Kind kind = quantity->figure.kind;
      if (kind == Kind::estimated || kind == Kind::assumed) {
        EXPECT_TRUE(quantity->figure.range) << quantity->figure.place << " " << field.key;
      }
    }
  }
}

// The same silicon stands in two files; neither may drift.
TEST(Accelerator, ACoreInDetailAgreesWithWhatIsCompared) {
  for (const std::string& name : available_accelerators()) {
    const Accelerator compared = load_accelerator(name);
    if (compared.core.empty()) continue;
    const Machine core = load(compared.core);
    const double chip_bf16 =
        static_cast<double>(core.chip.cores) * core.peak_teraflops(core.core.array.macs_bf16);
    EXPECT_NEAR(value(compared, "compute.bf16"), chip_bf16, 0.001 * chip_bf16) << name;
    const double hbm = static_cast<double>(core.chip.hbm.stack_size.value * core.chip.hbm.stacks);
    EXPECT_EQ(value(compared, "memory.capacity"), hbm) << name;
    EXPECT_NEAR(value(compared, "memory.bandwidth"),
                core.chip.hbm.bandwidth_peak.gigabytes_per_second(), 150)
        << name;
    if (name != "inf2") {
      EXPECT_EQ(value(compared, "power.all_in"), core.chip.power.all_in.watts) << name;
    }
  }
}

TEST(Accelerator, PrintedSystemsFollowFromTheirChips) {
  const Accelerator gen2 = load_accelerator("trn3-gen2");
  const double chips = value(gen2, "system.chips");
  EXPECT_EQ(chips, value(gen2, "scale_up.level1_size") * value(gen2, "scale_up.level2_size") *
                       value(gen2, "scale_up.level3_size"));
  EXPECT_NEAR(chips * value(gen2, "compute.mxfp8"), 362'448, 72);  // TFLOPS printed by AWS, rounded
  EXPECT_NEAR(chips * value(gen2, "memory.bandwidth"), 705'600, 1);   // GB/s
  EXPECT_EQ(chips * value(gen2, "scale_out.bandwidth") * 8, 28'800);  // Gb/s
}

struct Damage {
  const char* name;
  const char* text;
  const char* label;
};
class Broken : public testing::TestWithParam<Damage> {};
INSTANTIATE_TEST_SUITE_P(
    Files, Broken,
    testing::Values(
        Damage{"NoName", "[machine]\nprices = \"h100\"", "machine.name"},
        Damage{"UnknownKey",
               "[machine]\nname = \"x\"\nprices = \"x\"\nextends = \"h100.toml\"\n[memory]\n"
               "capacty = { value = 1, unit = \"GB\", kind = \"published\", source = \"s\" }",
               "machine.unknown_key"},
        Damage{"WrongUnit",
               "[machine]\nname = \"x\"\nprices = \"x\"\nextends = \"h100.toml\"\n[memory]\n"
               "capacity = { value = 1, unit = \"GHz\", kind = \"published\", source = \"s\" }",
               "machine.unit"},
        Damage{"NoSource",
               "[machine]\nname = \"x\"\nprices = \"x\"\nextends = \"h100.toml\"\n[memory]\n"
               "capacity = { value = 1, unit = \"GB\", kind = \"published\" }",
               "machine.source"},
        Damage{"Missing", "[machine]\nname = \"x\"\nprices = \"x\"", "machine.missing_key"},
        Damage{
            "GapInLevels",
            "[machine]\nname = \"x\"\nprices = \"x\"\nextends = \"h100.toml\"\n[scale_up]\n"
            "level3_size = { value = 2, unit = \"count\", kind = \"published\", source = \"s\" }",
            "machine.inconsistent"},
        Damage{"NoToml", "[machine", "machine.syntax"}),
    [](const auto& info) { return info.param.name; });

TEST_P(Broken, IsRefusedByItsLabel) {
  const std::vector<base::Violation> found = violations_of(GetParam().text);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().label, GetParam().label);
  EXPECT_FALSE(found.front().fix.empty());
}

TEST(Accelerator, AnUnknownNameListsTheKnownOnes) {
  try {
    static_cast<void>(load_accelerator("h1000"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(error.violations().front().fix.find("gb300-nvl72"), std::string::npos);
  }
}

}  // namespace
}  // namespace trainyard::machine
