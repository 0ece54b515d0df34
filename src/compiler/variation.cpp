#include "compiler/variation.h"

#include <array>

namespace trainyard::compiler {

namespace {

constexpr auto all = std::to_array<Variation>({
    {},
    {.words = "its operations apart", .of = "attention", .fuses_attention = false},
    {.words = "two bands under way", .of = "attention", .attention_bands = 2},
    {.words = "three bands under way", .of = "attention", .attention_bands = 3},
    {.words = "probabilities turned by the array",
     .of = "attention",
     .attention_turns_on_array = true},
    {.words = "probabilities turned by the DMA engines",
     .of = "attention",
     .attention_turns_on_array = false},
    {.words = "its operations one after the other",
     .of = "pass over memory",
     .clusters_rows = false},
    {.words = "bands one after the other", .of = "pass over memory", .overlaps_rows = false},
    {.words = "tiles of half the columns", .of = "elements in tiles", .tile_divisor = 2},
    {.words = "tiles of a quarter of the columns", .of = "elements in tiles", .tile_divisor = 4},
    {.words = "patches as a matrix", .of = "convolution", .views_images = false},
    {.words = "transfers of single elements", .rearranges = false},
    {.words = "values between operations in HBM", .keeps_on_chip = false},
    {.words = "another tiling", .of = "product", .product_way = 1},
    {.words = "a third tiling", .of = "product", .product_way = 2},
    {.words = "a fourth tiling", .of = "product", .product_way = 3},
    {.words = "a fifth tiling", .of = "product", .product_way = 4},
});

}  // namespace

std::span<const Variation> variations() { return all; }

}  // namespace trainyard::compiler
