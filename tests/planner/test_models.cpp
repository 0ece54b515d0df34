// Does the reader give models the sizes that their makers state, and refuse what it cannot model?
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "planner/read_model.h"

namespace trainyard::planner {
namespace {

struct Published {
  const char* name;
  double total, active;  // parameters in 1e9, as the maker prints them
  double tolerance;
};
class Sizes : public testing::TestWithParam<Published> {};
INSTANTIATE_TEST_SUITE_P(
    Models, Sizes,
    testing::Values(
        Published{"llama3-8b", 8.03, 0, .01}, Published{"llama3-70b", 70.6, 0, .01},
        Published{"llama3-405b", 405.9, 0, .01}, Published{"llama2-7b", 6.74, 0, .01},
        Published{"llama3-1b", 1.24, 0, .01}, Published{"mistral-7b", 7.24, 0, .01},
        Published{"mixtral-8x7b", 46.7, 12.9, .02}, Published{"mixtral-8x22b", 140.6, 39.1, .02},
        Published{"falcon-40b", 41.3, 0, .03}, Published{"falcon-180b", 179.5, 0, .02},
        Published{"gpt3-175b", 174.6, 0, .01}, Published{"gpt-oss-120b", 116.8, 5.13, .03},
        Published{"gpt-oss-20b", 20.9, 3.61, .03}, Published{"qwen3-30b-a3b", 30.5, 3.3, .05},
        Published{"deepseek-v3", 671, 37, .02}, Published{"moe-1t", 1030, 32, .05},
        Published{"trinity-nano", 6, .82, .03}, Published{"trinity-mini", 26, 3.06, .03},
        Published{"vit-base", 0.086, 0, .02}, Published{"resnet-50", 0.02556, 0, .005},
        Published{"wan-14b", 14.3, 0, .05}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::ranges::replace(name, '-', '_');
      return name;
    });

TEST_P(Sizes, AreWhatTheMakerPrints) {
  const Parameters found = parameters(load_model(GetParam().name));
  EXPECT_NEAR(found.total / 1e9, GetParam().total, GetParam().tolerance * GetParam().total);
  if (GetParam().active > 0) {
    EXPECT_NEAR(found.active / 1e9, GetParam().active, 0.1 * GetParam().active);
  }
}

TEST(Models, EveryFileIsReadAndHasASource) {
  for (const std::string& name : available_models()) {
    const Model model = load_model(name);
    EXPECT_EQ(model.name, name);
    EXPECT_FALSE(model.source.empty()) << name;
  }
}

TEST(Models, AResNetTakesFourBillionMacsAnImage) {
  EXPECT_NEAR(load_model("resnet-50").convolutions.macs / 1e9, 4.1, 0.1);
}

TEST(Models, KvCacheFollowsTheKindOfAttention) {
  EXPECT_EQ(kv_elements(load_model("llama3-70b")), 80 * 2 * 8 * 128);
  EXPECT_EQ(kv_elements(load_model("llama2-7b")), 32 * 2 * 4096);
  EXPECT_EQ(kv_elements(load_model("deepseek-v3")), 61 * (512 + 64));
}

TEST(Models, AWindowShortensWhatHalfOfTheLayersSee) {
  const Model model = load_model("gpt-oss-20b");
  const double pair = 24 * pair_macs({64, 8, 64, {}});
  EXPECT_EQ(attention_macs(model, 1128), pair * (128 + 1128) / 2.0);
  EXPECT_EQ(attention_macs(model, 64), pair * 64);
}

TEST(Models, ASelectionBoundsWhatIsSeenAndReadAndNotWhatIsKept) {
  LayerKind picks{.heads = {2, 1, 8, {}}, .cached = 16};
  picks.selection = {.picked = 100, .searched = 4, .scoring = 3};
  EXPECT_EQ(picks.seen(60), 60);
  EXPECT_EQ(picks.seen(1000), 100);
  EXPECT_EQ(picks.kept(1000), 1000 * 20);
  EXPECT_EQ(picks.read(1000, 1), 100 * 16 + 1000 * 4);
  EXPECT_EQ(picks.read(1000, 50), 1000 * 20);  // each of many tokens picks for itself
  EXPECT_EQ(picks.attention_macs(1000), pair_macs(picks.heads) * 100 + 3 * 1000);

  LayerKind entries{.mixer = Mixer::sliding, .window = 32, .heads = {2, 1, 8, {}}, .cached = 8};
  entries.selection = {.stride = 4, .cached = 2};
  EXPECT_EQ(entries.seen(400), 32 + 100);
  EXPECT_EQ(entries.kept(400), 32 * 8 + 400 * 2);
  EXPECT_EQ(entries.read(400, 1), entries.kept(400));
  entries.selection.picked = 10;
  EXPECT_EQ(entries.seen(400), 32 + 10);
  EXPECT_EQ(entries.read(400, 1), 32 * 8 + 40 * 2);
}

TEST(Models, IndexedAttentionIsShorterThanItsCache) {
  const Model model = read_config(R"({"model_type": "deepseek_v32"})", "c");
  EXPECT_EQ(kv_elements(model), 61 * (512 + 64 + 128));
  const double pair = pair_macs(model.kinds.front().heads);
  EXPECT_EQ(attention_macs(model, 65536), 61 * (2048 * pair + 65536.0 * 64 * 128));
  const Model entries = read_config(R"({"model_type": "deepseek_v4"})", "c");
  EXPECT_LT(kv_elements(entries, true), 0.15 * kv_elements(entries));
}

TEST(Models, FewTokensTouchFewExperts) {
  const Model model = load_model("deepseek-v3");
  EXPECT_NEAR(experts_touched(model, 1), 8, 1e-9);
  EXPECT_NEAR(experts_touched(model, 4096), 256, 1e-6);
}

constexpr auto llama = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
  "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})";

TEST(Config, AnyTransformerIsRead) {
  const Model model = read_config(llama, "config.json");
  EXPECT_EQ(model.kv_heads, 4);
  EXPECT_EQ(model.head_dim, 16);
}

TEST(Config, TheLanguageModelInsideOfAnotherIsTheOneThatIsRead) {
  EXPECT_EQ(
      read_config(std::string(R"({"model_type": "llava", "text_config": )") + llama + "}", "c")
          .hidden,
      64);
}

struct Refusal {
  const char* name;
  const char* text;
  const char* label;
};
class Refused : public testing::TestWithParam<Refusal> {};
INSTANTIATE_TEST_SUITE_P(
    Configs, Refused,
    testing::Values(
        Refusal{"NoJson", "hidden_size", "model.syntax"},
        Refusal{"AList", "[1, 2]", "model.syntax"},
        Refusal{"UnknownFamily", R"({"model_type": "kimi_k9", "hidden_size": 64})",
                "model.unsupported"},
        Refusal{"NoFamily", R"({"num_attention_heads": 4})", "model.unsupported"},
        Refusal{"APathAsFamily", R"({"model_type": "../families/llama"})", "model.unsupported"},
        Refusal{"AKeyThatNobodyKnows", R"({"model_type": "llama", "moe_k_extra": 4})",
                "model.unknown_key"},
        Refusal{"AKeyOfATowerThatNobodyKnows",
                R"({"model_type": "gemma3", "vision_config": {"windows": 4}})",
                "model.unknown_key"},
        Refusal{"AValueThatIsNotModelled",
                R"({"model_type": "bert", "position_embedding_type": "relative_key"})",
                "model.unsupported"},
        Refusal{"AnUnknownQuantisation",
                R"({"model_type": "llama", "quantization_config": {"quant_method": "vptq"}})",
                "model.unsupported"},
        Refusal{
            "Negative",
            R"({"model_type": "llama", "num_attention_heads": -4, "hidden_size": 8, "vocab_size": 8,
                "num_hidden_layers": 1, "intermediate_size": 8})",
            "model.range"},
        Refusal{
            "Huge",
            R"({"model_type": "llama", "num_attention_heads": 4, "hidden_size": 18446744073709551615,
                "vocab_size": 8, "num_hidden_layers": 1, "intermediate_size": 8})",
            "model.range"},
        Refusal{
            "NotANumber",
            R"({"model_type": "llama", "num_attention_heads": "4", "hidden_size": 8, "vocab_size": 8,
                "num_hidden_layers": 1, "intermediate_size": 8})",
            "model.range"},
        Refusal{"OddGroups",
                R"({"model_type": "llama", "num_attention_heads": 6, "num_key_value_heads": 4,
                "hidden_size": 48, "vocab_size": 8, "num_hidden_layers": 1,
                "intermediate_size": 8})",
                "model.inconsistent"},
        Refusal{"ResNetWithoutStages", R"({"model_type": "resnet"})", "model.inconsistent"},
        Refusal{"DiffusionWithoutTokens", R"({"_class_name": "XTransformer3DModel",
                "num_layers": 2, "num_attention_heads": 2, "attention_head_dim": 8})",
                "model.missing_key"}),
    [](const auto& info) { return info.param.name; });

TEST_P(Refused, ByItsRuleWithAFix) {
  try {
    static_cast<void>(read_config(GetParam().text, "config.json"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, GetParam().label);
    EXPECT_FALSE(error.violations().front().fix.empty());
    EXPECT_NE(error.violations().front().place.find("config.json"), std::string::npos);
  }
}

TEST(Config, NumbersThatJsonHasNotAreReadAsTheHubWritesThem) {
  const Model model = read_config(
      R"({"model_type": "nemotron_h", "time_step_limit": [0.0, Infinity], "norm_eps": NaN,
          "hybrid_override_pattern": "M-*E", "architectures": ["Infinity and \" NaN"]})",
      "config.json");
  EXPECT_EQ(model.layers, 4);
}

TEST(Config, WhatIsOfGenerationChangesNothing) {
  const std::string text = llama;
  const Model plain = read_config(text, "c");
  const Model chatty = read_config(
      text.substr(0, text.size() - 1) + R"(, "top_k": 50, "temperature": 0.7, "num_beams": 4})",
      "c");
  EXPECT_EQ(parameters(plain).total, parameters(chatty).total);
  EXPECT_EQ(chatty.experts_per_token, 0);
}

TEST(Config, LayersAreOfTheKindsThatTheFamilySays) {
  const Model gemma = read_config(R"({"model_type": "gemma3_text", "num_hidden_layers": 12})", "c");
  EXPECT_EQ(kv_elements(gemma, true), kv_elements(gemma) / 6);
  EXPECT_LT(request_elements(gemma, 131072), 0.25 * 131072 * kv_elements(gemma));
  const Model jamba = read_config(R"({"model_type": "jamba"})", "c");
  EXPECT_EQ(kv_elements(jamba), 4 * 2 * 8 * 128);
  EXPECT_GT(request_elements(jamba, 0), 0);
  EXPECT_EQ(expert_layers(jamba), 16);
}

TEST(Config, OneFigureStandsForEachEntryOfAList) {
  const auto total = [](const char* window) {
    return request_elements(
        read_config(std::string(R"({"model_type": "led", "attention_window": )") + window + "}",
                    "c"),
        64);
  };
  EXPECT_EQ(total("512"), total("[512, 512, 512, 512, 512, 512, 512, 512, 512, 512, 512, 512]"));
  EXPECT_THROW((void)total("[512]"), base::InputError);
}

TEST(Config, StagesHalveWhatTheyCompute) {
  const auto macs = [](const char* depths) {
    return read_config(std::string(R"({"model_type": "convnext", "depths": )") + depths + "}", "c")
        .convolutions.macs;
  };
  // A layer of the second stage: 28 by 28 places of width 192.
  EXPECT_EQ(macs("[3, 4, 9, 3]") - macs("[3, 3, 9, 3]"), 28 * 28 * (8 * 192 * 192 + 49 * 192));
}

TEST(Config, AQuantisedCheckpointIsCountedAsStored) {
  const auto bits = [](const char* quantization) {
    return read_config(std::string(R"({"model_type": "llama", "quantization_config": )") +
                           quantization + "}",
                       "c")
        .stored_bits;
  };
  const double left = 2.0 * 32000 * 4096 / 6.738e9;  // the embedding and the output matrix
  EXPECT_NEAR(bits(R"({"quant_method": "fp8"})"), 8 + 8 * left, 0.01);
  EXPECT_NEAR(bits(R"({"quant_method": "gptq", "bits": 3, "group_size": 64})"),
              (3 + 19.0 / 64) * (1 - left) + 16 * left, 0.01);
  const auto expected = [&](double packed) { return packed * (1 - left) + 16 * left; };
  EXPECT_NEAR(bits(R"({"load_in_4bit": true})"), expected(4.5), 0.01);
  EXPECT_NEAR(bits(R"({"quant_method": "eetq", "weights": "int8"})"), expected(8), 0.01);
  EXPECT_NEAR(bits(R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})"), expected(4.5), 0.01);
  EXPECT_NEAR(bits(R"({"quant_method": "modelopt", "quant_algo": "FP8"})"), expected(8), 0.01);
  EXPECT_NEAR(bits(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params":
                  {"nbits": 4, "group_size": 32}}})"),
              expected(5), 0.01);
  for (const char* unknown :
       {R"({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"})", R"({"quant_method": "hqq"})",
        R"({"quant_method": "gptq"})", R"({"quant_method": 5})",
        R"({"quant_method": "gptq", "bits": -3})",
        R"({"quant_method": "modelopt", "quant_algo": 1})", R"({"load_in_4bit": "yes"})",
        R"({"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": [1]}}})",
        R"({"quant_method": "compressed-tensors"})", "[]"})
    EXPECT_THROW(static_cast<void>(bits(unknown)), base::InputError) << unknown;
}

TEST(Config, DeepNestingIsNoTrap) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_THROW(static_cast<void>(read_config(deep, "c")), base::InputError);
  EXPECT_THROW(static_cast<void>(read_config(R"({"hidden_size": )" + deep + "}", "c")),
               base::InputError);
}

TEST(Models, AnUnknownNameListsTheKnownOnes) {
  try {
    static_cast<void>(load_model("llama9"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(error.violations().front().fix.find("llama3-70b"), std::string::npos);
  }
}

}  // namespace
}  // namespace trainyard::planner
