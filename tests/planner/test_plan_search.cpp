// Does the search time what the step's model times, keep to memory and to what is fixed, and do
// the axes do what their papers say?
#include <gtest/gtest.h>

#include <cmath>

#include "planner/plan_search.h"
#include "planner/read_model.h"

namespace trainyard::planner {
namespace {

Sheet sheet(const char* machine) {
  return {machine::load_accelerator(machine), economics::load_prices()};
}

const Model& llama405() {
  static const Model model = load_model("llama3-405b");
  return model;
}

PlanSearch search(const char* machine, const Model& model, const Training& training,
                  const PlanSpace& space) {
  const Chip chip = chip_of(sheet(machine));
  return search_plans(model, chip, training, space, 1000);
}

TEST(PlanSearch, TimesAndWeighsAsTheStepsModelDoes) {
  const Sheet of_machine = sheet("h100");
  const Chip chip = chip_of(of_machine);
  for (const char* name : {"llama3-8b", "mixtral-8x7b"}) {
    const Model model = load_model(name);
    const Training asked{.sequence = 4096, .global_batch = 96};
    const PlanSearch found = search_plans(model, chip, asked, {.chips = 48}, 1000);
    ASSERT_GT(found.best.size(), 20u) << name;
    for (const TrainingPlan& one : found.best) {
      EXPECT_DOUBLE_EQ(one.seconds, training_step(model, one.plan, chip, one.training).seconds());
      const MemoryNeed need = training_memory(model, one.plan, chip, one.training);
      EXPECT_NEAR(one.bytes, need.total(), 1);
      EXPECT_TRUE(need.fits());
      EXPECT_LE(one.plan.chips(), 48);
      EXPECT_GE(one.plan.chips(), std::ceil(48 * 0.95));
      EXPECT_EQ(std::fmod(96, one.training.microbatch * real(one.plan.dp)), 0);
    }
    for (std::size_t i = 1; i < found.best.size(); ++i)
      EXPECT_LE(found.best[i - 1].seconds, found.best[i].seconds);
  }
}

TEST(PlanSearch, FindsNoSlowerPlanThanEveryPlanOfItsSpaceByItself) {
  const Model model = load_model("llama3-8b");
  const Chip chip = chip_of(sheet("h100"));
  const Training asked{.sequence = 4096, .global_batch = 64};
  const PlanSearch found =
      search_plans(model, chip, asked, {.chips = 16, .idle_share = 0, .cp = 1}, 1000);
  double best = 1e9;
  for (const std::int64_t tp : {1, 2, 4, 8})
    for (const std::int64_t pp : {1, 2, 4, 8, 16})
      for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::mlp})
        for (const int zero : {0, 1, 2, 3})
          for (const double microbatch : {1.0, 2.0}) {
            if (16 % (tp * pp) != 0) continue;
            const Plan plan{.tp = tp, .pp = pp, .dp = 16 / (tp * pp)};
            Training one = asked;
            one.recompute = recompute;
            one.zero = zero;
            one.microbatch = microbatch;
            if (!training_memory(model, plan, chip, one).fits()) continue;
            best = std::min(best, training_step(model, plan, chip, one).seconds());
          }
  ASSERT_LT(best, 1e9);
  EXPECT_LE(found.best.front().seconds, best);
}

TEST(PlanSearch, TakesAnyDivisorAndLeavesFewChipsIdle) {
  const PlanSearch odd = search("h100", load_model("llama3-8b"),
                                {.sequence = 8192, .global_batch = 105}, {.chips = 35});
  ASSERT_FALSE(odd.best.empty());
  EXPECT_EQ(odd.best.front().plan.chips(), 35);
  // 100,000 chips: no dp of 2,048 sequences fills them; 98,304 do their work.
  const PlanSearch large =
      search("h100", llama405(), {.sequence = 8192, .global_batch = 2048}, {.chips = 100'000});
  ASSERT_FALSE(large.best.empty());
  EXPECT_GE(large.best.front().plan.chips(), 95'000);
  EXPECT_LE(large.best.front().plan.chips(), 100'000);
}

TEST(PlanSearch, KeepsToWhatIsFixedAndSaysWhatDoesNotFit) {
  const PlanSpace space{.chips = 64,
                        .tp = 8,
                        .cp = 1,
                        .pp = 4,
                        .dp = 2,
                        .zero = 1,
                        .microbatch = 1.0,
                        .recompute = Recompute::full,
                        .schedule = Schedule::zb_h1,
                        .placement = Placement::replicas_inside,
                        .sequence_parallel = true};
  const PlanSearch found =
      search("h100", load_model("llama3-8b"), {.sequence = 8192, .global_batch = 64}, space);
  ASSERT_EQ(found.best.size(), 1u);
  EXPECT_EQ(found.counts.timed, 1);
  EXPECT_EQ(found.best[0].plan, (Plan{.tp = 8, .pp = 4, .dp = 2}));
  EXPECT_EQ(found.best[0].training.schedule, Schedule::zb_h1);
  const PlanSearch none =
      search("h100", llama405(), {.sequence = 8192, .global_batch = 8}, {.chips = 8});
  EXPECT_TRUE(none.best.empty());
  EXPECT_GT(none.counts.refused, 0);
  ASSERT_TRUE(none.smallest);
  EXPECT_GT(none.smallest->bytes, chip_of(sheet("h100")).memory);
}

// Qi et al. 2023: of p stages the bubbles are (p - 1) times F + B + W, F + B - W and F + B - 2 W.
TEST(Pipelines, ZeroBubblesMoveWeightGradientsIntoTheWait) {
  const Chip chip = chip_of(sheet("h100"));
  const Plan plan{.tp = 8, .pp = 16, .dp = 8};
  const Training plain{.global_batch = 256, .recompute = Recompute::none};
  const auto bubble = [&](Schedule schedule) {
    Training one = plain;
    one.schedule = schedule;
    return training_step(llama405(), plan, chip, one).bubble;
  };
  const Microbatch pass = microbatch_of(llama405(), plan, chip, plain);
  const double weight = 15 * pass.of_layers.linear / 3 * 8 / 126;  // W of the busiest stage
  const double all = bubble(Schedule::one_forward_one_backward);
  EXPECT_NEAR(bubble(Schedule::zb_h1), all - 2 * weight, 1e-9 * all);
  EXPECT_NEAR(bubble(Schedule::zb_h2), all - 3 * weight, 1e-9 * all);
  Training turns = plain;
  turns.interleave = 4;
  EXPECT_LT(training_step(llama405(), plan, chip, turns).bubble, 0.27 * all);
}

TEST(Pipelines, KeepAsManyMicrobatchesAsTheirSchedulesHaveUnderWay) {
  const Model model = load_model("gpt3-175b");  // 96 layers
  const Parameters p = parameters(model);
  const Plan plan{.tp = 8, .pp = 8, .dp = 1};
  const auto kept = [&](Schedule schedule, double interleave, double batch) {
    const Training one{
        .sequence = 2048, .global_batch = batch, .interleave = interleave, .schedule = schedule};
    return training_bytes(model, p, plan, one).activations;
  };
  const double plain = kept(Schedule::one_forward_one_backward, 1, 64);
  EXPECT_NEAR(kept(Schedule::zb_h1, 1, 64) / plain, 1, 1e-12);
  EXPECT_NEAR(kept(Schedule::zb_h2, 1, 64) / plain, 15.0 / 8, 1e-12);
  // Korthikanti et al. 2022: 1 + (p - 1) / (p m).
  EXPECT_NEAR(kept(Schedule::one_forward_one_backward, 3, 64) / plain, 1 + 7.0 / (8 * 3), 1e-12);
  EXPECT_NEAR(kept(Schedule::one_forward_one_backward, 1, 4) / plain, 0.5, 1e-12);
}

TEST(Sharing, ContextParallelismSharesOutActivationsAndGathersKeys) {
  const Chip chip = chip_of(sheet("h100"));
  const Model model = load_model("llama3-8b");
  const Training one{.sequence = 131'072, .global_batch = 8};
  const Parameters p = parameters(model);
  const Plan alone{.tp = 8};
  const Plan shared{.tp = 8, .pp = 1, .dp = 1, .cp = 4};
  EXPECT_NEAR(training_bytes(model, p, shared, one).activations * 4,
              training_bytes(model, p, alone, one).activations, 1);
  const Work work = microbatch_of(model, shared, chip, one).of_layers;
  const Work whole = microbatch_of(model, alone, chip, one).of_layers;
  EXPECT_NEAR(work.flops * 4 / whole.flops, 1, 1e-9);  // causal halves, dealt out evenly
  EXPECT_GT(work.of_context, 0);
  EXPECT_EQ(whole.of_context, 0);
}

TEST(Sharing, ExpertParallelismSharesOutExpertsAndSendsTokens) {
  const Chip chip = chip_of(sheet("h800"));
  const Model model = load_model("deepseek-v3");
  const Parameters p = parameters(model);
  const Plan plan{.tp = 1, .pp = 16, .dp = 128};
  Training one{.sequence = 4096, .global_batch = 15'360};
  const Owned all = owned_by_chip(model, p, plan, one);
  one.ep = 64;
  const Owned part = owned_by_chip(model, p, plan, one);
  EXPECT_NEAR(part.experts * 64, all.experts, 1);
  EXPECT_EQ(part.shared, all.shared);
  const Work work = microbatch_of(model, plan, chip, one).of_layers;
  EXPECT_GT(work.to_experts, 0);
  Training near = one;
  near.placement = Placement::replicas_inside;  // its experts are neighbours
  EXPECT_LT(microbatch_of(model, plan, chip, near).of_layers.to_experts, work.to_experts);
}

TEST(Sharing, ZeroGathersWhatItSharesOut) {
  const Chip chip = chip_of(sheet("h100"));
  const Model model = load_model("llama3-70b");
  const Plan plan{.tp = 8, .pp = 1, .dp = 16};
  const auto step = [&](int zero) {
    return training_step(model, plan, chip,
                         {.global_batch = 128, .recompute = Recompute::full, .zero = zero});
  };
  EXPECT_EQ(step(0).gradients, step(1).gradients);
  EXPECT_GT(step(0).optimizer, 15 * step(1).optimizer);
  EXPECT_GT(step(2).stage, step(1).stage);  // scatters each of eight microbatches
  EXPECT_GT(step(3).stage, step(2).stage);  // gathers weights twice
  EXPECT_EQ(step(3).gradients, 0);
  const Parameters p = parameters(model);
  double before = 1e18;
  for (const int zero : {0, 1, 2, 3}) {
    const double bytes =
        training_bytes(model, p, plan, {.global_batch = 128, .zero = zero}).total();
    EXPECT_LT(bytes, before);
    before = bytes;
  }
}

// Hybrid sharding: each of several copies of the states is shared out over fewer replicas, which
// keeps more in a chip and crosses fewer links; the copies' shares are summed once a step.
TEST(Sharing, CopiesTakeMemoryAndKeepGathersNear) {
  const Chip chip = chip_of(sheet("h100"));
  const Model model = load_model("llama3-8b");
  const Parameters p = parameters(model);
  const Plan plan{.tp = 1, .pp = 1, .dp = 64};
  const auto with = [](std::int64_t copies) {
    return Training{.global_batch = 256, .recompute = Recompute::full, .zero = 3, .copies = copies};
  };
  EXPECT_EQ(sharing_chips(plan, with(8)), 8);
  // What is shared out by 8 instead of 64, 16 bytes and two of a gathered layer's left out.
  const double more = training_bytes(model, p, plan, with(8)).total() -
                      training_bytes(model, p, plan, with(1)).total();
  EXPECT_NEAR(more, 18 * p.total * (1.0 / 8 - 1.0 / 64), 1e-6 * more);
  const Owned owned = owned_by_chip(model, p, plan, with(1));
  const Exchange whole = exchange_of(model, owned, plan, chip, with(1));
  const Exchange hybrid = exchange_of(model, owned, plan, chip, with(8));
  EXPECT_LT(hybrid.sum, 0.7 * whole.sum);  // inside a box of eight
  EXPECT_EQ(whole.copies, 0);
  EXPECT_GT(hybrid.copies, 0);
  EXPECT_LT(hybrid.copies, whole.sum);  // an eighth of the bytes
  const auto step = [&](std::int64_t copies) {
    return training_step(model, plan, chip, with(copies));
  };
  EXPECT_LT(step(8).stage, step(1).stage);
  EXPECT_GT(step(8).gradients, 0);  // of copies, which nothing of ZeRO-3 had before
  EXPECT_GT(step(8).optimizer, 7.9 * step(1).optimizer);
  // Without ZeRO there is nothing to copy.
  Training none = with(8);
  none.zero = 0;
  EXPECT_EQ(exchange_of(model, owned, plan, chip, none).copies, 0);
  EXPECT_EQ(sharing_chips(plan, none), 1);
}

TEST(PlanSearch, TriesEveryNumberOfCopiesWhoseChipsHoldAllExperts) {
  const PlanSpace space{.chips = 64, .tp = 1, .cp = 1, .ep = 8, .pp = 1, .dp = 64, .zero = 3};
  const Model model = load_model("mixtral-8x7b");
  const Training asked{.sequence = 4096, .global_batch = 64};
  for (const std::int64_t copies : {1, 2, 4, 8, 16, 64}) {
    PlanSpace one = space;
    one.copies = copies;
    const PlanSearch found = search("b200", model, asked, one);
    ASSERT_EQ(found.best.size(), copies <= 8 ? 1u : 0u) << copies;
    for (const TrainingPlan& plan : found.best) EXPECT_EQ(plan.training.copies, copies);
  }
  PlanSpace free = space;
  const PlanSearch best = search("b200", model, asked, free);
  free.copies = 1;
  EXPECT_LE(best.best.front().seconds, search("b200", model, asked, free).best.front().seconds);
}

TEST(Sharing, WithoutSequenceParallelismInputsStayWhole) {
  const Model model = load_model("gpt3-175b");
  const Parameters p = parameters(model);
  const Plan plan{.tp = 8, .pp = 1, .dp = 1};
  const auto kept = [&](bool shared) {
    return training_bytes(model, p, plan,
                          {.sequence = 2048, .global_batch = 1, .sequence_parallel = shared})
        .activations;
  };
  // 8 h bytes of each token and layer, on all eight chips instead of one.
  EXPECT_NEAR(kept(false) - kept(true), 2048.0 * 96 * 8 * 12288 * 7 / 8, 1);
}

}  // namespace
}  // namespace trainyard::planner
