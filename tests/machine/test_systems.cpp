// Are systems what their files say, do they use the links their chips have, and are broken files
// refused?
#include <gtest/gtest.h>

#include "machine/topology.h"

namespace trainyard::machine {
namespace {

TEST(Systems, HaveTheChipsOfTheirNames) {
  const std::vector<std::pair<std::string, std::int64_t>> chips{
      {"trn1-cluster", 32}, {"trn1-server", 16},      {"trn2-cluster", 32},
      {"trn2-server", 16},  {"trn2-ultraserver", 64}, {"trn3-cluster", 576},
      {"trn3-gen1", 64},    {"trn3-gen2", 144},       {"trn4", 144}};
  std::vector<std::string> names;
  for (const auto& [name, count] : chips) {
    names.push_back(name);
    EXPECT_EQ(load_system(name).chips(), count) << name;
  }
  EXPECT_EQ(available_systems(), names);
}

// The levels use up what a chip has: its own file counts the same links.
TEST(Systems, UseTheLinksOfTheirChips) {
  for (const char* name : {"trn3-gen1", "trn3-gen2"}) {
    const System system = load_system(name);
    const Fabric& chip = system.chip.fabric;
    EXPECT_EQ(system.levels[0].links, chip.links_sled);
    EXPECT_EQ(system.levels[1].links, chip.links_rack);
    EXPECT_EQ(system.levels[2].links, chip.links_twin);
    for (const Level& level : system.levels) EXPECT_EQ(level.link, chip.link);
  }
  // A torus of two dimensions has four neighbours.
  for (const char* name : {"trn1-server", "trn2-server"}) {
    const System system = load_system(name);
    EXPECT_EQ(2 * (system.levels[0].links + system.levels[1].links), system.chip.fabric.links_sled);
    EXPECT_EQ(system.levels[0].link, system.chip.fabric.link);
  }
}

TEST(Systems, PlaceChipsInnermostFirst) {
  const System system = load_system("trn3-gen2");
  EXPECT_EQ(system.coordinate(75, 0), 3);
  EXPECT_EQ(system.coordinate(75, 1), 0);
  EXPECT_EQ(system.coordinate(75, 2), 1);
  EXPECT_EQ(system.chips_below(2), 72);
}

TEST(Systems, FiguresAreOverridden) {
  System system = apply_override(load_system("trn3-gen2"), "rack.size=8");
  EXPECT_EQ(system.chips(), 64);
  EXPECT_EQ(system.figure("rack.size")->kind, Kind::assumed);
  system = apply_override(std::move(system), "twin.link=x2");
  EXPECT_EQ(system.levels[2].link.bytes_per_second, 128'000'000'000);
  system = apply_override(std::move(system), "hbm.bandwidth=x0.5");
  EXPECT_EQ(system.chip.chip.hbm.bandwidth.bytes_per_second, 2'350'000'000'000);
  for (const char* wrong : {"rack.sizes=8", "rack.size=0", "rack.size=two", "rack.join=star",
                            "twin.link=3 parsec", "rack", "shelf.size=3"}) {
    EXPECT_THROW((void)apply_override(system, wrong), base::InputError) << wrong;
  }
}

TEST(Systems, AFigureGoesToAnEndOfItsRange) {
  const System system = load_system("trn3-gen2");
  EXPECT_DOUBLE_EQ(at_end(system, "sled.achieved", End::low).levels[0].achieved.value, 0.72);
  EXPECT_EQ(at_end(system, "sled.latency", End::high).levels[0].latency, base::nanoseconds(500));
  EXPECT_EQ(at_end(system, "sled.size", End::low).chips(), system.chips());
}

std::string label_of(const std::string& text) {
  try {
    (void)load_system_text(text, "s.toml", "");
  } catch (const base::InputError& error) {
    return error.violations()[0].label;
  }
  return "accepted";
}

TEST(Systems, BrokenFilesAreRefused) {
  const std::string head = "[machine]\nname = \"s\"\n";
  EXPECT_EQ(label_of("= ="), "machine.syntax");
  EXPECT_EQ(label_of(head), "machine.system");
  EXPECT_EQ(label_of(head + "chip = \"trn9\"\nlevels = \"x\"\n"), "machine.not_found");
  EXPECT_EQ(label_of(head + "chip = \"trn3\"\n"), "system.levels");
  EXPECT_EQ(label_of(head + "chip = \"trn3\"\nlevels = \"x x\"\n"), "system.levels");
  EXPECT_EQ(label_of(head + "chip = \"trn3\"\nlevels = \"x\"\n"), "machine.missing_key");
  EXPECT_EQ(label_of(head + "chip = \"trn3\"\nlevels = \"x\"\n[y]\nsize = { value = 1, unit = "
                            "\"count\", kind = \"published\", source = \"s\" }\n"),
            "machine.unknown_key");
}

TEST(Systems, AreNoChips) {
  try {
    (void)load(load_system("trn3-gen2").path);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations()[0].label, "machine.system");
  }
}

}  // namespace
}  // namespace trainyard::machine
