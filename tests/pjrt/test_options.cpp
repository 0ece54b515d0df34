// Do create-options and the environment choose machine, devices and mode, and name what is wrong?
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "pjrt/error.h"
#include "pjrt/named_values.h"
#include "pjrt/options.h"

namespace trainyard::pjrt {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

Options read(std::map<std::string, std::string> variables) {
  return read_options({}, environment(std::move(variables)));
}

std::string message_of(std::map<std::string, std::string> variables) {
  try {
    static_cast<void>(read(std::move(variables)));
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ErrorCode::invalid_argument);
    return failure.what();
  }
  return "no failure";
}

TEST(Options, Trn3HasFourDevicesOfTwoCoresByDefault) {
  const Options options = read({});
  EXPECT_EQ(options.device_count(), 4);
  EXPECT_EQ(options.cores_per_device, 2);
  EXPECT_EQ(options.device_kind(), "NC_v4");
  EXPECT_EQ(options.hbm_bytes() * 4, 144LL << 30);
}

TEST(Options, LncOneGivesEightDevices) {
  const Options options = read({{"NEURON_LOGICAL_NC_CONFIG", "1"}});
  EXPECT_EQ(options.device_count(), 8);
  EXPECT_EQ(options.hbm_bytes() * 8, 144LL << 30);
}

TEST(Options, TheMachineNamesTheKind) {
  EXPECT_EQ(read({{"TRAINYARD_MACHINE", "trn2"}}).device_kind(), "NC_v3");
  EXPECT_EQ(read({{"NEURON_PLATFORM_TARGET_OVERRIDE", "trn1"}}).device_kind(), "NC_v2");
  EXPECT_EQ(read({{"TRAINYARD_CHIPS", "3"}}).device_count(), 12);
}

TEST(Options, TheRuntimesVariablesSayHowManyDevicesThereAre) {
  const auto count = [](const char* variable, const char* value) {
    return read({{variable, value}}).device_count();
  };
  EXPECT_EQ(count("NEURON_RT_VISIBLE_CORES", "0"), 1);
  EXPECT_EQ(count("NEURON_RT_VISIBLE_CORES", "3"), 1);
  EXPECT_EQ(count("NEURON_RT_VISIBLE_CORES", "1-3"), 3);
  EXPECT_EQ(count("NEURON_RT_VISIBLE_CORES", "0,2-3"), 3);
  EXPECT_EQ(count("NEURON_RT_NUM_CORES", "2"), 2);
  EXPECT_EQ(read({{"NEURON_RT_NUM_CORES", "4"}, {"NEURON_RT_VISIBLE_CORES", "1"}}).device_count(),
            1);
  EXPECT_EQ(read({{"NEURON_RT_NUM_CORES", "8"}, {"NEURON_LOGICAL_NC_CONFIG", "1"}}).device_count(),
            8);
  for (const char* wrong : {"4", "-1", "2-1", "0,0", "0-", ",", "0;1", "a", "0-3,2"})
    EXPECT_NE(message_of({{"NEURON_RT_VISIBLE_CORES", wrong}}).find("logical cores from 0 to 3"),
              std::string::npos)
        << wrong;
  for (const char* wrong : {"0", "5", "x"})
    EXPECT_NE(message_of({{"NEURON_RT_NUM_CORES", wrong}}).find("from 1 to 4"), std::string::npos)
        << wrong;
}

TEST(Options, ACreateOptionComesBeforeTheEnvironment) {
  NamedValues given;
  given.add("machine", "trn2");
  given.add("logical_nc_config", std::int64_t{1});
  given.add("strict", true);
  const Options options =
      read_options(given.values(), environment({{"TRAINYARD_MACHINE", "trn3"}}));
  EXPECT_EQ(options.machine.name, "trn2");
  EXPECT_EQ(options.cores_per_device, 1);
  EXPECT_TRUE(options.strict);
}

TEST(Options, WhatIsUnknownOrWrongIsNamed) {
  NamedValues given;
  given.add("colour", "red");
  EXPECT_THROW(static_cast<void>(read_options(given.values(), environment({}))), Failure);
  EXPECT_NE(
      message_of({{"NEURON_LOGICAL_NC_CONFIG", "3"}}).find("NEURON_LOGICAL_NC_CONFIG is \"3\""),
      std::string::npos);
  for (const char* wrong : {"many", "0", "5000"})
    EXPECT_NE(message_of({{"TRAINYARD_CHIPS", wrong}}).find("TRAINYARD_CHIPS"), std::string::npos);
  EXPECT_NE(message_of({{"TRAINYARD_MODE", "fast"}}).find("\"reference\""), std::string::npos);
  EXPECT_NE(message_of({{"TRAINYARD_STRICT", "yes"}}).find("TRAINYARD_STRICT"), std::string::npos);
}

TEST(Options, TheRuntimesVariablesChooseRounding) {
  const auto policy = [](std::map<std::string, std::string> variables) {
    return read(std::move(variables)).machine.core.policy;
  };
  EXPECT_EQ(policy({}).cast_rounding, machine::Rounding::nearest_even);
  const machine::Policy chosen = policy(
      {{"NEURON_RT_STOCHASTIC_ROUNDING_EN", "1"}, {"NEURON_RT_STOCHASTIC_ROUNDING_SEED", "7"}});
  EXPECT_EQ(chosen.cast_rounding, machine::Rounding::stochastic);
  EXPECT_EQ(chosen.psum_rounding, machine::Rounding::stochastic);
  EXPECT_EQ(chosen.stochastic_rounding_seed, 7);
  EXPECT_THROW(policy({{"NEURON_RT_STOCHASTIC_ROUNDING_EN", "yes"}}), base::InputError);
  EXPECT_THROW(policy({{"NEURON_RT_STOCHASTIC_ROUNDING_SEED", "-1"}}), base::InputError);
}

TEST(Options, FiguresOfTheMachineCanBeSet) {
  const Options options = read({{"TRAINYARD_SET", "vector.startup=70 cycles"}});
  EXPECT_EQ(machine::overrides_of(options.machine).size(), 1u);
}

}  // namespace
}  // namespace trainyard::pjrt
