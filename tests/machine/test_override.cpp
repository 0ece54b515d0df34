// Is an override checked like a file, and does the machine remember it?
#include <fmt/format.h>

#include <algorithm>

#include "example.h"
#include "machine/schema.h"

namespace trainyard::machine {
namespace {

std::string label_of(std::string_view setting) {
  try {
    static_cast<void>(apply_override(load("trn3"), setting));
  } catch (const base::InputError& error) {
    return error.violations()[0].label;
  }
  return "accepted";
}

TEST(Override, SetsTheMemberAndRemembersWhatItReplaced) {
  const Machine machine = apply_override(load("trn3"), "hbm.bandwidth=6TB/s");
  EXPECT_EQ(machine.chip.hbm.bandwidth.bytes_per_second, 6'000'000'000'000);
  const Figure* figure = machine.figure("hbm.bandwidth");
  ASSERT_NE(figure, nullptr);
  EXPECT_EQ(figure->value, "6");
  EXPECT_EQ(figure->unit, "TB/s");
  EXPECT_EQ(figure->kind, Kind::assumed);
  EXPECT_EQ(figure->replaced, "4.7 TB/s");
  EXPECT_EQ(figure->place, "override");
}

TEST(Override, EveryFormOfValue) {
  Machine machine = load("trn3");
  for (const std::string_view setting :
       {"tensor.clock=2.8 GHz", "vector.startup = 70 cycles", "dma.rings_per_engine=24",
        "throttle.enabled=false", "policy.denormals=flush", "vector.rate.bn_aggr=1/2",
        "dma.completion=0.3us", "sbuf.reserved=1KiB", "energy.mac_mx=150fJ", "power.tdp=0.9kW",
        "throttle.threshold=40%", "policy.canonical_nan=1"}) {
    machine = apply_override(std::move(machine), setting);
  }
  EXPECT_EQ(machine.core.tensor.clock.ticks_per_cycle, 60);
  EXPECT_EQ(machine.core.vector.startup.value, 70);
  EXPECT_EQ(machine.core.dma.rings_per_engine, 24);
  EXPECT_FALSE(machine.core.throttle.enabled);
  EXPECT_EQ(machine.core.policy.denormals, Denormals::flush);
  EXPECT_EQ(machine.core.vector_rates.bn_aggr, (Rate{1, 2}));
  EXPECT_EQ(machine.core.dma.completion, base::nanoseconds(300));
  EXPECT_EQ(machine.core.sbuf.reserved.value, 1024);
  EXPECT_DOUBLE_EQ(machine.chip.energy.mac_mx.picojoules, 0.15);
  EXPECT_DOUBLE_EQ(machine.chip.power.tdp.watts, 900);
  EXPECT_DOUBLE_EQ(machine.core.throttle.threshold.value, 0.4);
  EXPECT_EQ(machine.core.policy.canonical_nan, 1);
}

TEST(Override, RelativeScalesThePresentValue) {
  Machine machine = apply_override(load("trn3"), "dma.link=x1.5");
  EXPECT_EQ(machine.core.dma.link.bytes_per_second, 57'600'000'000);
  EXPECT_EQ(machine.figure("dma.link")->value, "57.6");
  machine = apply_override(std::move(machine), "dma.link=x2");
  EXPECT_EQ(machine.core.dma.link.bytes_per_second, 115'200'000'000);
  machine = apply_override(std::move(machine), "vector.rate.reciprocal=x0.5");
  EXPECT_EQ(machine.core.vector_rates.reciprocal, (Rate{1, 16}));
  machine = apply_override(std::move(machine), "dma.rings_per_engine=x1.5");
  EXPECT_EQ(machine.core.dma.rings_per_engine, 24);
}

TEST(Override, AClockMayBeWrittenWithSixDigits) {
  const Machine machine = apply_override(load("trn3"), "tensor.clock=2.47059GHz");
  EXPECT_EQ(machine.core.tensor.clock.ticks_per_cycle, 68);
}

TEST(Override, WhatIsWrongIsNamed) {
  EXPECT_EQ(label_of("hbm.bandwidth"), "machine.override");
  EXPECT_EQ(label_of("hbm.bandwith=6TB/s"), "machine.unknown_key");
  EXPECT_EQ(label_of("hbm.bandwidth=6"), "machine.unit");
  EXPECT_EQ(label_of("hbm.bandwidth=6 cycles"), "machine.unit");
  EXPECT_EQ(label_of("hbm.bandwidth=-6TB/s"), "machine.range");
  EXPECT_EQ(label_of("hbm.bandwidth=fast"), "machine.unit");
  EXPECT_EQ(label_of("hbm.bandwidth="), "machine.unit");
  EXPECT_EQ(label_of("hbm.bandwidth=x"), "machine.unit");
  EXPECT_EQ(label_of("hbm.bandwidth=xy"), "machine.override");
  EXPECT_EQ(label_of("hbm.bandwidth=x-1"), "machine.override");
  EXPECT_EQ(label_of("hbm.bandwidth=x1e300"), "machine.range");
  EXPECT_EQ(label_of("tensor.clock=2.5GHz"), "machine.clock");
  EXPECT_EQ(label_of("hbm.stacks=4.5"), "machine.type");
  EXPECT_EQ(label_of("dma.rings_per_engine=15"), "machine.range");
  EXPECT_EQ(label_of("hbm.stacks=x0.3"), "machine.type");
  EXPECT_EQ(label_of("vector.startup=1.5 cycles"), "machine.whole");
  EXPECT_EQ(label_of("throttle.enabled=maybe"), "machine.type");
  EXPECT_EQ(label_of("policy.denormals=x2"), "machine.choice");
  EXPECT_EQ(label_of("vector.rate.bn_aggr=1/0"), "machine.range");
}

// Settings are no TOML: what to write is shown as --set takes it.
TEST(Override, TheFixIsASettingThatWorks) {
  const Machine machine = load("trn3");
  for (const char* wrong : {"tensor.clock=2.4", "hbm.bandwidth=6", "array.rows=12.5",
                            "throttle.enabled=maybe", "hbm.bandwidth=-1TB/s", "dma.engines=none"}) {
    try {
      (void)apply_override(machine, wrong);
      ADD_FAILURE() << wrong;
    } catch (const base::InputError& error) {
      const std::string& fix = error.violations().front().fix;
      constexpr std::string_view head = "write for instance --set ";
      ASSERT_EQ(fix.substr(0, head.size()), head) << wrong << ": " << fix;
      EXPECT_NO_THROW((void)apply_override(machine, fix.substr(head.size()))) << fix;
    }
  }
}

TEST(Override, EveryWordOfEveryChoiceIsTaken) {
  const Machine machine = load("trn2");
  for (const Field& field : schema()) {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
      const std::string setting = std::string(field.key) + " = " + std::string(field.choices[i]);
      const Machine changed = apply_override(machine, setting + " ");
      EXPECT_EQ(field.fetch(changed).exact, static_cast<std::int64_t>(i)) << setting;
    }
  }
}

TEST(Override, OverridesCanBeReadBackAndGivenAgain) {
  EXPECT_TRUE(overrides_of(load("trn3")).empty());
  const std::vector<std::string> given{"tensor.clock=2.8 GHz",    "dma.link=x1.5",
                                       "throttle.threshold=40%",  "policy.denormals = flush",
                                       "vector.rate.bn_aggr=1/2", "throttle.enabled=false",
                                       "dma.rings_per_engine=24", "energy.mac_mx=150fJ"};
  const Machine machine = apply_overrides(load("trn3"), given);
  const std::vector<std::string> read = overrides_of(machine);
  EXPECT_EQ(read.size(), given.size());
  for (const char* setting : {"tensor.clock=2.8GHz", "dma.link=57.6GB/s", "throttle.threshold=40%",
                              "policy.denormals=flush", "vector.rate.bn_aggr=1/2",
                              "throttle.enabled=false", "dma.rings_per_engine=24"})
    EXPECT_NE(std::ranges::find(read, setting), read.end()) << setting;
  EXPECT_EQ(apply_overrides(load("trn3"), read).hash(), machine.hash());
}

// As far as the digits of a relative override go.
TEST(Override, EveryFigureCanBeReadBack) {
  const Machine machine = load("trn3");
  for (const Figure& figure : machine.provenance()) {
    const Field& field = *find_field(figure.key);
    const bool bare = field.dimension == Dimension::choice || field.dimension == Dimension::flag ||
                      field.dimension == Dimension::rate;
    const Machine same = apply_override(
        machine, fmt::format("{}={}{}", figure.key, figure.value, bare ? "" : figure.unit));
    ASSERT_EQ(overrides_of(same).size(), 1u);
    EXPECT_EQ(apply_override(machine, overrides_of(same)[0]).hash(), same.hash()) << figure.key;
  }
}

TEST(Override, AFileRespectsThePinRateAnOverrideMayAsk) {
  const std::vector<std::string> settings{"hbm.bandwidth=6TB/s"};
  EXPECT_EQ(apply_overrides(load("trn3"), settings).chip.hbm.bandwidth.gigabytes_per_second(),
            6000);
}

TEST(Override, ManyAreCheckedTogetherAndAllProblemsReported) {
  const std::vector<std::string> together{"chip.cores=4", "hbm.stacks=2"};
  EXPECT_EQ(apply_overrides(load("trn3"), together).chip.cores, 4);
  const std::vector<std::string> wrong{"a=1", "chip.cores=7", "hbm.stacks=zwei"};
  try {
    static_cast<void>(apply_overrides(load("trn3"), wrong));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().size(), 2u) << error.what();
  }
  const std::vector<std::string> contradiction{"chip.cores=7"};
  EXPECT_THROW(static_cast<void>(apply_overrides(load("trn3"), contradiction)), base::InputError);
}

TEST(Hash, FollowsValuesNotSpelling) {
  const Machine machine = load("trn3");
  EXPECT_EQ(apply_override(machine, "hbm.bandwidth=4700GB/s").hash(), machine.hash());
  EXPECT_EQ(apply_override(machine, "tensor.clock=2400 MHz").hash(), machine.hash());
  EXPECT_NE(apply_override(machine, "hbm.bandwidth=4701GB/s").hash(), machine.hash());
  EXPECT_NE(apply_override(machine, "energy.mac_mx=x1.0001").hash(), machine.hash());
  EXPECT_NE(apply_override(machine, "vector.rate.scan=1/3").hash(), machine.hash());
  EXPECT_NE(load("trn2").hash(), machine.hash());
}

}  // namespace
}  // namespace trainyard::machine
