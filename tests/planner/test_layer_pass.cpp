// Does a core have its share of each layer, and do all cores together what formulas count?
#include <gtest/gtest.h>

#include <algorithm>

#include "economics/prices.h"
#include "machine/accelerator.h"
#include "planner/layer_pass.h"
#include "planner/read_model.h"
#include "planner/serving.h"
#include "planner/training.h"

namespace trainyard::planner {
namespace {

const Chip& trn3() {
  static const Chip chip =
      chip_of(Sheet(machine::load_accelerator("trn3-gen2"), economics::load_prices()));
  return chip;
}

LayerPass prefill(const Model& m, const Plan& plan, double tokens, std::int64_t cores,
                  double samples = 1) {
  return prefill_layers(m, trn3(), plan, {.samples = samples, .tokens = tokens}, cores);
}

LayerPass decode(const Model& m, const Plan& plan, double requests, double context,
                 std::int64_t cores) {
  return decode_layers(m, trn3(), plan, {.samples = requests, .tokens = 1, .context = context},
                       cores);
}

const Block& block_of(const LayerPass& pass, BlockKind kind) {
  return std::ranges::find(pass.steps, kind, [](const LayerStep& s) { return s.block.kind; })
      ->block;
}

TEST(LayerPass, ACoreHasItsShareOfEachMatrix) {
  const LayerPass pass = prefill(load_model("llama3-8b"), {}, 1024, 8);
  ASSERT_EQ(pass.steps.size(), 3u);
  const Block& attention = pass.steps[0].block;
  EXPECT_EQ(attention.heads.queries, 4);
  EXPECT_EQ(attention.heads.keys, 1);
  EXPECT_EQ(attention.matrices,
            (std::vector<Matrix>{{"qkv", 4096, 6 * 128}, {"out", 4 * 128, 4096}}));
  EXPECT_EQ(pass.steps[1].block.matrices,
            (std::vector<Matrix>{{"up", 4096, 1792}, {"gate", 4096, 1792}, {"down", 1792, 4096}}));
  EXPECT_EQ(pass.steps[2].block.rows, 128);
  EXPECT_EQ(pass.steps[0].times, 32);
  EXPECT_EQ(pass.steps[2].times, 64);
}

// Programs and formulas come from one description. Biases and gains, which are counted and no
// product, are the difference.
TEST(LayerPass, AllCoresTogetherDoWhatFormulasCount) {
  int seen = 0;
  for (const std::string& name : available_models()) {
    const Model m = load_model(name);
    if (!prefill(m, {}, 512, 1).why.empty()) continue;
    ++seen;
    const LayerPass pass = prefill(m, {}, 512, 1);
    double macs = 0;
    for (const LayerStep& step : pass.steps)
      if (step.block.kind != BlockKind::norm) macs += step.times * weight_macs(step.block);
    const Parameters p = parameters(m);
    const double passed = p.active - p.output;
    // Places of experts are whole, and each expert has one at least.
    const double slack = m.experts > 0 ? 0.35 : 0.001;
    EXPECT_NEAR(macs / (512 * passed), 1, slack) << name;
    EXPECT_LT(macs / (512 * passed), 1 + slack) << name;
  }
  EXPECT_GT(seen, 20);
}

TEST(LayerPass, HeadsThatAreNotDealtOutEvenlyLeaveTheBusiestCoreWithOneMore) {
  const Model m = load_model("llama2-13b");  // 40 heads, each with keys of its own
  EXPECT_EQ(block_of(prefill(m, {}, 512, 16), BlockKind::attention).heads.queries, 3);
  EXPECT_EQ(block_of(prefill(m, {}, 512, 64), BlockKind::attention).heads.queries, 1);
}

TEST(LayerPass, GroupsShareAPromptAndTheExperts) {
  const Model m = load_model("qwen3-30b-a3b");  // 128 experts of 768, 8 for a token
  const LayerPass pass = prefill(m, {.tp = 1, .dp = 4}, 1024, 8);
  EXPECT_EQ(block_of(pass, BlockKind::attention).rows, 256);
  EXPECT_EQ(block_of(pass, BlockKind::attention).past, 384);
  const Block& experts = block_of(pass, BlockKind::experts);
  EXPECT_EQ(experts.rows, 1024);
  EXPECT_EQ(experts.routing.local, 4);
  EXPECT_EQ(capacity(experts), 64);
  EXPECT_EQ(experts.matrices.at(1), (Matrix{"up", 2048, 768}));
  EXPECT_EQ(block_of(pass, BlockKind::norm).rows, 32);
  const Block& split = pass.variants.at(0).block;
  EXPECT_EQ(split.routing.local, 32);
  EXPECT_EQ(split.matrices.at(1), (Matrix{"up", 2048, 96}));
  EXPECT_EQ(capacity(split), 1024);
  // More cores than experts have parts of one.
  const Block& part = block_of(prefill(m, {.tp = 1, .dp = 32}, 1024, 8), BlockKind::experts);
  EXPECT_EQ(part.routing.local, 1);
  EXPECT_EQ(part.matrices.at(1), (Matrix{"up", 2048, 384}));
}

TEST(LayerPass, WindowsAreToldApartAndAStepReadsNoMoreThanItsWindow) {
  const Model m = load_model("gpt-oss-20b");  // 12 of 24 layers see 128 tokens
  const LayerPass pass = prefill(m, {}, 1024, 8);
  EXPECT_EQ(pass.steps[0].block.window, 128);
  EXPECT_EQ(pass.steps[1].block.window, 0);
  EXPECT_EQ(pass.steps[0].times, 12);
  // A window as long as what is seen hides nothing.
  EXPECT_EQ(prefill(m, {}, 128, 8).steps[0].times, 24);
  const LayerPass step = decode(m, {}, 4, 1000, 8);
  EXPECT_EQ(step.steps[0].block.context, 128);
  EXPECT_EQ(step.steps[1].block.context, 1024);
}

TEST(LayerPass, LatentAttentionHasItsOwnMatrices) {
  // Those of DeepSeek-V3's attention, by hand.
  const Block block =
      block_of(decode(load_model("deepseek-v3"), {}, 1, 1000, 1), BlockKind::attention);
  const double down = 7168.0 * (1536 + 512 + 64);
  const double up = 128.0 * (1536 * (128 + 64) + 512 * (128 + 128) + 7168 * 128);
  EXPECT_EQ(weight_macs(block), down + up);
}

TEST(LayerPass, AStepReadsTheExpertsThatItsRequestsChoose) {
  // Of 4 requests with 8 of 128 experts each, 29 are chosen: 4 of the 16 of each core.
  const LayerPass step = decode(load_model("qwen3-30b-a3b"), {}, 4, 512, 8);
  EXPECT_EQ(block_of(step, BlockKind::experts).routing.local, 4);
  EXPECT_EQ(block_of(step, BlockKind::norm).rows, 4);
}

TEST(LayerPass, TrainingSumsAndRepeatsWhatRecomputingDoes) {
  const Model m = load_model("llama3-8b");
  const auto pass = [&](Recompute recompute) {
    return microbatch_layers(m, trn3(), {.tp = 8}, {.recompute = recompute}, 8);
  };
  const auto sums = [&](Recompute recompute) {
    return pass(recompute).collectives.at(0).times / real(m.layers);
  };
  // Gathers and scatters, a half of a sum each: of ten, one and four more.
  EXPECT_EQ(sums(Recompute::none), 5);
  EXPECT_EQ(sums(Recompute::mlp), 5.5);
  EXPECT_EQ(sums(Recompute::full), 7);
  for (const LayerStep& step : pass(Recompute::mlp).steps)
    EXPECT_EQ(step.is_again, step.block.kind == BlockKind::feed_forward);
  for (const LayerStep& step : pass(Recompute::full).steps) EXPECT_TRUE(step.is_again);
}

TEST(LayerPass, CollectivesAreThoseThatFormulasPrice) {
  const Model m = load_model("qwen3-30b-a3b");
  const Plan plan{.tp = 2, .dp = 4};
  const Pass pass{.samples = 4, .tokens = 512};
  double seconds = 0;
  for (const Collective& one : prefill_layers(m, trn3(), plan, pass, 8).collectives)
    seconds += price(trn3(), one).seconds;
  EXPECT_NEAR(seconds, layers(m, plan, trn3(), pass).collective, 1e-12);
}

TEST(LayerPass, ASampleIsWholeBlocksAndStandsForAll) {
  const Block block =
      block_of(prefill(load_model("llama3-70b"), {}, 16384, 8), BlockKind::attention);
  const Block sample = sample_of(block);
  EXPECT_LT(sample.rows, block.rows);
  EXPECT_EQ(sample.rows % 512, 0);
  EXPECT_EQ(sample.past, (block.rows - sample.rows) / 2);
  EXPECT_EQ(times_of(block, sample), real(block.rows) / real(sample.rows));
  EXPECT_NE(sample_text(block, sample), "");
  EXPECT_EQ(sample_of(block, 1e18), block);
}

TEST(LayerPass, PositionsAndNormsAreThoseOfTheFamily) {
  const auto blocks = [](const char* name) { return prefill(load_model(name), {}, 512, 8); };
  const LayerPass gpt3 = blocks("gpt3-175b"), falcon = blocks("falcon-40b"),
                  llama = blocks("llama3-8b");
  EXPECT_FALSE(block_of(gpt3, BlockKind::attention).rotary);
  EXPECT_TRUE(block_of(falcon, BlockKind::attention).rotary);
  EXPECT_TRUE(block_of(falcon, BlockKind::norm).centred);
  EXPECT_TRUE(block_of(llama, BlockKind::attention).rotary);
  EXPECT_FALSE(block_of(llama, BlockKind::norm).centred);
}

TEST(LayerPass, AChunkIsASequence) {
  Model m = load_model("llama3-8b");
  m.kinds.at(0).mixer = Mixer::chunked;
  m.kinds.at(0).window = 256;
  const LayerPass pass = prefill(m, {}, 1024, 8);
  EXPECT_EQ(block_of(pass, BlockKind::attention).rows, 256);
  EXPECT_EQ(pass.steps.at(0).times, 4 * 32);
}

TEST(LayerPass, LayersWithoutAttentionAreNotSimulatedAsAttention) {
  Model m = load_model("llama3-8b");
  m.kinds.push_back({.mixer = Mixer::state_space, .count = 1});
  EXPECT_NE(prefill(m, {}, 512, 8).why.find("state_space"), std::string::npos);
}

TEST(LayerPass, WhatHasNoProgramSaysWhy) {
  const auto why = [](const char* name) { return prefill(load_model(name), {}, 512, 8).why; };
  EXPECT_NE(why("vit-base").find("encoder"), std::string::npos);
  EXPECT_NE(why("resnet-50").find("convolution"), std::string::npos);
  EXPECT_NE(why("trinity-mini").find("matrices of its own"), std::string::npos);
  const Model m = load_model("llama3-8b");
  const Pass narrow{.tokens = 512, .format = Format::fp4};
  EXPECT_NE(prefill_layers(m, trn3(), {}, narrow, 8).why.find("fp4"), std::string::npos);
  EXPECT_NE(decode(m, {}, 5000, 512, 8).why.find("at most 4096"), std::string::npos);
}

}  // namespace
}  // namespace trainyard::planner
