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
  EXPECT_EQ(kv_elements(load_model("llama3-70b")), 2 * 8 * 128);
  EXPECT_EQ(kv_elements(load_model("llama2-7b")), 2 * 4096);
  EXPECT_EQ(kv_elements(load_model("deepseek-v3")), 512 + 64);
}

TEST(Models, AWindowShortensWhatHalfOfTheLayersSee) {
  const Model model = load_model("gpt-oss-20b");
  EXPECT_EQ(seen_context(model, 1128), (128 + 1128) / 2.0);
  EXPECT_EQ(seen_context(model, 64), 64);
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
        Refusal{"Mamba", R"({"model_type": "mamba", "hidden_size": 64})", "model.unsupported"},
        Refusal{"T5", R"({"model_type": "t5", "is_encoder_decoder": true, "num_heads": 4})",
                "model.unsupported"},
        Refusal{"NoSizes", R"({"num_attention_heads": 4})", "model.missing_key"},
        Refusal{"Negative", R"({"num_attention_heads": -4, "hidden_size": 8, "vocab_size": 8,
                "num_hidden_layers": 1, "intermediate_size": 8})",
                "model.range"},
        Refusal{"Huge", R"({"num_attention_heads": 4, "hidden_size": 18446744073709551615,
                "vocab_size": 8, "num_hidden_layers": 1, "intermediate_size": 8})",
                "model.range"},
        Refusal{"NotANumber", R"({"num_attention_heads": "4", "hidden_size": 8, "vocab_size": 8,
                "num_hidden_layers": 1, "intermediate_size": 8})",
                "model.range"},
        Refusal{"LinearAttention", R"({"num_attention_heads": 4, "hidden_size": 8, "vocab_size": 8,
                "num_hidden_layers": 1, "intermediate_size": 8, "sliding_window": 4,
                "layer_types": ["linear_attention"]})",
                "model.unsupported"},
        Refusal{"OddGroups", R"({"num_attention_heads": 6, "num_key_value_heads": 4,
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
