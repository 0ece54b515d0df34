// Are answers what their parts come to, do unknown figures stay unknown, and does no estimate beat
// its bound for any model on any machine?
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "economics/cost.h"
#include "planner/fit.h"
#include "planner/forward.h"
#include "planner/intervals.h"
#include "planner/read_model.h"
#include "planner/search.h"

namespace trainyard::planner {
namespace {

const economics::Prices& prices() {
  static const economics::Prices list = economics::load_prices();
  return list;
}
Sheet sheet(const char* machine) { return {machine::load_accelerator(machine), prices()}; }

const Model& llama70() {
  static const Model model = load_model("llama3-70b");
  return model;
}

TEST(Serving, ADecodeStepReadsEveryWeightOnce) {
  const Chip ideal = ideal_of(sheet("h100"));
  const Phases work = phases(llama70(), {.tp = 8}, ideal, {.input = 1, .output = 1, .batch = 1});
  // 70.6 G parameters less the embedding's rows, in bf16, over eight chips of 3.35 TB/s.
  EXPECT_NEAR(seconds(work.decode, ideal), (70.55e9 - 1.05e9) * 2 / 8 / 3.35e12, 1e-4);
}

TEST(Serving, APrefillComputesTwoOperationsAParameterAndToken) {
  const Chip ideal = ideal_of(sheet("h100"));
  const Phases work = phases(llama70(), {.tp = 8}, ideal, {.input = 2048, .output = 1, .batch = 1});
  const double flops = 2 * 68.45e9 * 2048 + 2 * 80 * 2.0 * 8192 * 2048 * 1024;
  EXPECT_NEAR(work.prefill.flops * 8 / flops, 1, 0.01);
}

TEST(Serving, ThroughputIsRequestsOverTheirTime) {
  const Answer answer =
      serve(llama70(), {.tp = 8}, sheet("h100"), {.input = 1024, .output = 512, .batch = 32}, {});
  EXPECT_NEAR(answer.at("output_tput_per_gpu") * 8, 32 * answer.at("mean_intvty"), 1e-6);
  EXPECT_NEAR(answer.at("input_tput_per_gpu"), 2 * answer.at("output_tput_per_gpu"), 1e-6);
  const double per_token =
      answer.at("usd_per_gpu_hour") / 3600 / answer.at("output_tput_per_gpu") * 1e6;
  EXPECT_NEAR(answer.at("usd_per_million_output_tokens"), per_token, 1e-9);
  EXPECT_NEAR(answer.at("provisioned_joules_per_output_token"),
              1730 / answer.at("output_tput_per_gpu"), 1e-9);
}

TEST(Serving, AFrontierTradesThroughputForSpeed) {
  const auto points = frontier(serving_choices(llama70(), sheet("h100"), {}, {}));
  ASSERT_GT(points.size(), 3u);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_LE(points[i].answer.at("output_tput_per_gpu"),
              points[i - 1].answer.at("output_tput_per_gpu"));
    EXPECT_GT(points[i].answer.at("mean_intvty"), points[i - 1].answer.at("mean_intvty"));
  }
}

// serve() and train() check each estimate against its bound; this asks them about everything.
TEST(Bounds, HoldForEveryModelOnEveryMachine) {
  int asked = 0;
  for (const std::string& machine : machine::available_accelerators()) {
    const Sheet each = sheet(machine.c_str());
    for (const std::string& name : available_models()) {
      const Model model = load_model(name);
      for (const double batch : {1.0, 64.0}) {
        for (const Plan plan : {Plan{.tp = 1}, Plan{.tp = 8}, Plan{.tp = 4, .pp = 2, .dp = 4}}) {
          static_cast<void>(serve(model, plan, each, {.batch = batch}, {}));
          static_cast<void>(train(model, plan, each, {.microbatch = 2}, {}, 1e9));
          asked += 2;
        }
      }
    }
  }
  EXPECT_GT(asked, 4000);
}

TEST(Unknown, APriceThatNobodyKnowsIsNamedAndNothingIsMadeOfIt) {
  const Answer answer = serve(llama70(), {.tp = 4}, sheet("trn4"), {}, {});
  EXPECT_EQ(answer.unknown, std::vector<std::string>{"capex.trn4"});
  EXPECT_FALSE(answer.has("usd_per_million_output_tokens"));
  EXPECT_TRUE(answer.has("output_tput_per_gpu"));
  const Answer rented = serve(llama70(), {.tp = 4}, sheet("trn3-gen2"), {}, {.basis = "on_demand"});
  EXPECT_EQ(rented.unknown, std::vector<std::string>{"rental.trn3.on_demand"});
}

TEST(Rates, OwningIsTheSumOfTheEconomicsFolder) {
  std::vector<std::string> unknown;
  const auto rate = hourly_rate(sheet("h100"), {}, unknown);
  const auto expected = economics::ownership(prices(), "h100", prices().all_in("h100")).total();
  ASSERT_TRUE(rate);
  EXPECT_NEAR(*rate, expected.value.value, 1e-9);
}

TEST(Rates, ARegionHasItsOwnPrice) {
  std::vector<std::string> unknown;
  EXPECT_NEAR(*hourly_rate(sheet("trn1"), {"spot", "us-east-2"}, unknown), 0.134, 1e-9);
  EXPECT_FALSE(hourly_rate(sheet("trn1"), {"spot", "moon-1"}, unknown));
  EXPECT_EQ(unknown, std::vector<std::string>{"region.moon-1.trn1.spot"});
}

TEST(Training, ThePipelineWaitsForItsStages) {
  const Chip chip = chip_of(sheet("trn1"));
  const Step step = training_step(llama70(), {.tp = 16, .pp = 8, .dp = 4}, chip,
                                  {.sequence = 8192, .global_batch = 1024});
  EXPECT_EQ(step.microbatches, 256);
  // Seven stages fill before the last one starts; it has the output matrix besides.
  EXPECT_LT(step.bubble, 7 * step.stage);
  EXPECT_GT(step.bubble, 7 * step.stage * 0.9);
}

TEST(Training, CollectivesAreGathersAndScattersOfSequenceParallelism) {
  const Chip chip = chip_of(sheet("trn1"));
  const Plan plan{.tp = 16};
  const Pass pass{.tokens = 8192, .training = true};
  const double forward = layers(llama70(), plan, chip, pass).collective;  // 2 + 2 of each layer
  const auto all = [&](const Training& training) {
    return training_step(llama70(), plan, chip, training).microbatch.collective / forward;
  };
  EXPECT_NEAR(all({}), (6 + 4) / 4.0, 1e-9);
  EXPECT_NEAR(all({.summed_bytes = 4}), (6 + 2 * 4) / 4.0, 1e-9);
  EXPECT_NEAR(all({.recompute = Recompute::mlp}), (7 + 4) / 4.0, 1e-9);
  EXPECT_NEAR(all({.recompute = Recompute::full}), (8 + 6) / 4.0, 1e-9);
}

TEST(Training, WhatIsRecomputedIsComputedOnceMore) {
  const Chip chip = chip_of(sheet("h100"));
  const auto linear = [&](Recompute recompute) {
    const Plan plan{.tp = 8};
    const Work output = output_matrix(llama70(), plan, chip, {.tokens = 8192, .training = true});
    return training_step(llama70(), plan, chip, {.recompute = recompute}).microbatch.linear -
           3 * output.linear;
  };
  EXPECT_NEAR(linear(Recompute::full) / linear(Recompute::selective), 4.0 / 3, 1e-9);
  // Two of three matrices of 8,192 x 28,672, beside attention's 2 x 8,192 x 9,216.
  EXPECT_NEAR(linear(Recompute::mlp) / linear(Recompute::selective),
              1 + 2 * 28672.0 / (3 * 28672 + 2 * 9216) / 3, 1e-4);
}

TEST(Heads, CoresComputeWholeOnesAndRepeatKeysThatTheyShare) {
  const Chip chip = chip_of(sheet("trn1"));
  const Pass pass{.tokens = 4096};
  const Model thirteen = load_model("llama2-13b");
  // 40 heads on 32 cores: as long as 64.
  const double flops = layers(thirteen, {.tp = 16}, chip, pass).flops;
  const double pairs = 4096.0 * 2048 * 40 * 4 * 128 * 40;
  const double products = 2 * 4096 * (parameters(thirteen).active - parameters(thirteen).output);
  EXPECT_NEAR(flops, products / 16 + pairs * 64 / 40 / 16, 1e-6 * flops);
  // Eight keys of 70B for 32 cores: each is computed four times.
  const double seventy = layers(llama70(), {.tp = 16}, chip, {.tokens = 1}).flops * 16;
  const double own = 2 * (parameters(llama70()).active - parameters(llama70()).output);
  EXPECT_NEAR(seventy / own, 1 + 80 * 3 * 2 * 8192 * 1024.0 * 2 / own, 1e-4);
}

TEST(Training, AModelNeedsSixOperationsAParameterAndToken) {
  const double flops = model_flops(load_model("llama3-8b"), 8192);
  EXPECT_NEAR(flops, 6 * 7.5e9 + 6 * 32 * 8192.0 * 4096, 0.02 * flops);
}

TEST(Memory, PartsAddUpAndThePeakIsNamed) {
  const Chip chip = chip_of(sheet("h100"));
  const MemoryNeed memory = serving_memory(llama70(), {.tp = 8}, chip, {.batch = 64});
  double sum = 0;
  for (const MemoryPart& part : memory.parts) sum += part.bytes;
  EXPECT_EQ(memory.total(), sum);
  EXPECT_EQ(memory.largest().name, "weights");
  // 64 requests of 2,048 tokens, 80 layers x 2 x 8 heads x 128 x 2 bytes, an eighth on each chip.
  EXPECT_NEAR(memory.parts[1].bytes, 64.0 * 2048 * 80 * 2 * 8 * 128 * 2 / 8, 1);
}

TEST(Memory, OptimizerStatesAreSharedOutByZero) {
  const Chip chip = chip_of(sheet("h100"));
  const Plan plan{.tp = 8, .dp = 16};
  const MemoryNeed with = training_memory(llama70(), plan, chip, {.zero = 1});
  const MemoryNeed without = training_memory(llama70(), plan, chip, {.zero = 0});
  EXPECT_NEAR(without.parts[2].bytes / with.parts[2].bytes, 16, 1e-9);
  EXPECT_NEAR(with.parts[1].bytes, 2 * with.parts[0].bytes, 1);
}

TEST(Fit, SeventyBillionNeedTwoH100AndOneInEightBits) {
  const Fit fit = fit_serving(llama70(), chip_of(sheet("h100")), {}, {.chips = 1});
  EXPECT_FALSE(fit.asked.memory.fits());
  ASSERT_FALSE(fit.alternatives.empty());
  EXPECT_EQ(fit.alternatives.front().plan.chips(), 1);
  EXPECT_NE(fit.alternatives.front().what.find("fp8"), std::string::npos);
  for (const Layout& layout : fit.alternatives) EXPECT_TRUE(layout.memory.fits());
  EXPECT_TRUE(
      std::ranges::is_sorted(fit.alternatives, {}, [](const Layout& l) { return l.plan.chips(); }));
}

TEST(Fit, TheLargestBatchFitsAndOneMoreDoesNot) {
  const Chip chip = chip_of(sheet("trn3-gen2"));
  const Fit fit = fit_serving(llama70(), chip, {.input = 8192, .output = 1024}, {.chips = 4});
  Serving serving{.input = 8192, .output = 1024, .batch = fit.asked.batch_max};
  EXPECT_TRUE(serving_memory(llama70(), fit.asked.plan, chip, serving).fits());
  serving.batch += 1;
  EXPECT_FALSE(serving_memory(llama70(), fit.asked.plan, chip, serving).fits());
}

// One prefill at a time of a replica of many groups made experts over many chips look slow.
TEST(Serving, EachGroupReadsAPromptOfItsOwn) {
  const Model model = load_model("deepseek-v3");
  const Chip chip = chip_of(sheet("gb300-nvl72"));
  const Serving serving{.batch = 64, .weights = Format::fp8};
  const auto flops = [&](std::int64_t dp) {
    return phases(model, {.tp = 1, .dp = dp}, chip, serving).prefill.flops;
  };
  EXPECT_NEAR(flops(16), flops(64), 1e-6 * flops(64));  // of a chip
  const auto rate = [&](std::int64_t dp, double batch) {
    return serve(model, {.tp = 1, .dp = dp}, sheet("gb300-nvl72"),
                 {.batch = batch, .weights = Format::fp8}, {})
        .at("tput_per_gpu");
  };
  EXPECT_GT(rate(64, 64 * 32), 0.8 * rate(16, 16 * 32));
}

TEST(Serving, AFullReplicaMakesAPromptWait) {
  const auto waits = [&](double batch) {
    const Answer answer = serve(llama70(), {.tp = 8}, sheet("h100"), {.batch = batch}, {});
    return answer.at("mean_ttft") / answer.at("idle_ttft");
  };
  EXPECT_GT(waits(1), 1);  // the step in progress
  EXPECT_GT(waits(64), waits(1));
  EXPECT_GT(waits(512), 1.5);
  // Never more than the prompts of all others.
  EXPECT_LT(waits(4096), 4096);
}

TEST(Memory, ZeroSharesOutWhatItsLevelSays) {
  const Chip chip = chip_of(sheet("h100"));
  const Plan plan{.tp = 8, .dp = 16};
  const auto bytes = [&](int zero, std::size_t part) {
    return training_memory(llama70(), plan, chip, {.zero = zero}).parts[part].bytes;
  };
  EXPECT_NEAR(bytes(1, 1) / bytes(2, 1), 16, 1e-9);
  EXPECT_EQ(bytes(2, 0), bytes(1, 0));
  // A sixteenth, and two of 80 layers that are gathered.
  EXPECT_NEAR(bytes(2, 0) / bytes(3, 0), 1 / (1.0 / 16 + 2.0 / 80), 1e-9);
}

TEST(Intervals, EncloseTheValueAndNameWhatMovesIt) {
  const Bracketed found = bracket({sheet("trn3-gen2")}, [](const std::vector<Sheet>& sheets) {
    return serve(llama70(), {.tp = 8}, sheets[0], {.batch = 16}, {});
  });
  for (const auto& [name, one] : found.values) {
    EXPECT_LE(one.low, one.value) << name;
    EXPECT_GE(one.high, one.value) << name;
  }
  const Bracket& speed = found.values.at("mean_intvty");
  EXPECT_LT(speed.low, speed.high);
  for (const Influence& by : speed.moved_by) {
    EXPECT_FALSE(by.key.starts_with("capex")) << "a price moves no speed";
    EXPECT_GE(std::max(by.at_low, by.at_high), speed.value);
  }
  const auto& dollars = found.values.at("usd_per_million_output_tokens").moved_by;
  EXPECT_TRUE(
      std::ranges::any_of(dollars, [](const Influence& by) { return by.key == "finance.life"; }));
}

TEST(Intervals, WhatTwoMachinesShareMovesBoth) {
  const std::vector<Sheet> sheets{sheet("h100"), sheet("h200")};
  const Bracketed found = bracket(sheets, [](const std::vector<Sheet>& moved) {
    std::vector<std::string> unknown;
    Answer ratio;
    ratio.values["usd"] = *hourly_rate(moved[0], {}, unknown) / *hourly_rate(moved[1], {}, unknown);
    return ratio;
  });
  for (const Influence& by : found.values.at("usd").moved_by)
    EXPECT_FALSE(by.key == "finance.utilisation") << "it divides both alike";
}

TEST(Settings, ChangeAFigureOrAreRefused) {
  const std::vector<std::string> good{"power.all_in=1000"};
  EXPECT_EQ(sheet("h100").with_settings(good).at("power.all_in"), 1000);
  for (const char* bad : {"power.all_in", "power.all_in=", "power.all_in=x", "power.allin=1",
                          "power.all_in=-1", "power.all_in=nan"}) {
    const std::vector<std::string> settings{bad};
    EXPECT_THROW(static_cast<void>(sheet("h100").with_settings(settings)), base::InputError) << bad;
  }
}

}  // namespace
}  // namespace trainyard::planner
