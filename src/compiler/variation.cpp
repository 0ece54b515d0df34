#include "compiler/variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard::compiler {

namespace {

template <std::size_t way>
void product_way(Variation& variation) {
  variation.product_way = way;
}

// Those of "program" change more than one region, and are for tests.
constexpr auto all = std::to_array<Alternative>({
    {"attention as operations", "program", [](Variation& v) { v.fuses_attention = false; }},
    {"two bands under way", "attention", [](Variation& v) { v.attention_bands = 2; }},
    {"three bands under way", "attention", [](Variation& v) { v.attention_bands = 3; }},
    {"half as many keys scored at a time", "attention", [](Variation& v) { v.chunk_divisor = 2; }},
    {"probabilities turned by the array", "attention",
     [](Variation& v) { v.attention_turns_on_array = true; }, true},
    {"probabilities turned by the DMA engines", "attention",
     [](Variation& v) { v.attention_turns_on_array = false; }, true},
    {"its operations one after the other", "rows", [](Variation& v) { v.clusters_rows = false; }},
    {"engines by what passes the bus of Vector and GpSimd, too", "rows",
     [](Variation& v) { v.minds_bus = true; }, true},
    {"bands one after the other", "rows", [](Variation& v) { v.overlaps_rows = false; }},
    {"its operations one after the other", "cluster",
     [](Variation& v) { v.fuses_elements = false; }},
    {"tiles of half the columns", "elements", [](Variation& v) { v.tile_divisor = 2; }},
    {"tiles of a quarter of the columns", "elements", [](Variation& v) { v.tile_divisor = 4; }},
    {"without spreading over Vector and Scalar", "elements",
     [](Variation& v) { v.spreads = false; }},
    {"what follows it apart", "product", [](Variation& v) { v.fuses_behind = false; }},
    {"operands turned by the array", "product", [](Variation& v) { v.loads_turned = false; }},
    {"patches as a matrix", "convolution", [](Variation& v) { v.views_images = false; }},
    {"transfers of single elements", "", [](Variation& v) { v.rearranges = false; }},
    {"values between operations in HBM", "program", [](Variation& v) { v.keeps_on_chip = false; }},
    {"each operation between both cores", "program", [](Variation& v) { v.halves_batch = false; }},
    {"on one core", "", [](Variation& v) { v.divides = false; }},
    {"another tiling", "product", product_way<1>},
    {"a third tiling", "product", product_way<2>},
    {"a fourth tiling", "product", product_way<3>},
    {"a fifth tiling", "product", product_way<4>},
});

}  // namespace

std::span<const Alternative> alternatives() { return all; }

Variation with(Variation variation, const Alternative& alternative) {
  alternative.change(variation);
  if (!variation.words.empty()) variation.words += ", ";
  variation.words += alternative.words;
  return variation;
}

Variation with(Variation variation, std::vector<ValueLayout> layouts) {
  const auto is_turned = [](const ValueLayout& each) { return each == ValueLayout{true, false}; };
  variation.words.clear();
  if (std::ranges::all_of(layouts, is_turned)) {
    variation.words = "features on partitions";
  } else {
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const auto [turned, in_hbm] = layouts[i];
      if (!turned && !in_hbm) continue;
      variation.words +=
          fmt::format("{}{}{}{}", variation.words.empty() ? "" : ", ",
                      turned ? "features on partitions" : "by way of HBM",
                      turned && in_hbm ? " by way of HBM" : "",
                      layouts.size() > 1 ? fmt::format(" behind product {}", i + 1) : "");
    }
  }
  variation.layouts = std::move(layouts);
  return variation;
}

}  // namespace trainyard::compiler
