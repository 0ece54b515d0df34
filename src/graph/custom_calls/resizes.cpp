// Pictures [n, height, width, channels] in another size. Sources of operands: torch_neuronx's class
// UpSampleNearestNeighbor2d; of the meaning of the configuration ("align_corners" and
// "half_pixel_centers", one digit each): TensorFlow's ResizeNearestNeighbor and ResizeBilinear,
// whose names XLA's custom calls have.
#include <fmt/format.h>

#include "graph/custom_calls/call.h"

namespace trainyard::graph::custom_calls {

namespace {

bool are_pictures(const Type& small, const Type& large) {
  return small.rank() == 4 && large.rank() == 4 && small.element == large.element &&
         is_float(small.element) && small.shape[0] == large.shape[0] &&
         small.shape[3] == large.shape[3] && small.elements() > 0 && large.elements() > 0;
}

// Enlarged a whole number of times, so that each pixel becomes a block of equal ones. With aligned
// corners it would not.
bool makes_blocks(const Type& small, const Type& large, std::string_view config) {
  return are_pictures(small, large) && (config == "00" || config == "01") &&
         large.shape[1] % small.shape[1] == 0 && large.shape[2] % small.shape[2] == 0;
}

constexpr std::string_view no_blocks =
    "not pictures [n, height, width, channels] that are enlarged a whole number of times, with "
    "configuration 00 or 01";

Words block_words(const Type& small, const Type& large) {
  const std::int64_t down = large.shape[1] / small.shape[1];
  const std::int64_t across = large.shape[2] / small.shape[2];
  return {{"$SMALL", to_string(small)},
          {"$LARGE", to_string(large)},
          {"$BLOCKS",
           tensor({small.shape[0], small.shape[1], down, small.shape[2], across, small.shape[3]},
                  small.element)},
          {"$ELEMENT", std::string(name(small.element))}};
}

// Where pixel i of the result lies in the picture, as i * scale + offset.
std::pair<double, double> line_of(std::int64_t from, std::int64_t to, std::string_view config) {
  const auto size = static_cast<double>(from);
  if (config == "10" && to > 1) return {(size - 1) / static_cast<double>(to - 1), 0.0};
  const double scale = size / static_cast<double>(to);
  return {scale, config == "01" ? 0.5 * scale - 0.5 : 0.0};
}

// %weights: for each pixel of the result along one side the shares of the pixels of the picture,
// max(0, 1 - distance) of a place that is kept within the picture.
std::string weights(std::string_view side, std::int64_t from, std::int64_t to,
                    std::string_view config) {
  const auto [scale, offset] = line_of(from, to, config);
  return filled(R"(  %$S_scale = stablehlo.constant dense<$SCALE> : $W
  %$S_offset = stablehlo.constant dense<$OFFSET> : $W
  %$S_zero = stablehlo.constant dense<0.0> : $W
  %$S_one = stablehlo.constant dense<1.0> : $W
  %$S_last = stablehlo.constant dense<$LAST.0> : $W
  %$S_to = stablehlo.iota dim = 0 : $W
  %$S_from = stablehlo.iota dim = 1 : $W
  %$S_scaled = stablehlo.multiply %$S_to, %$S_scale : $W
  %$S_moved = stablehlo.add %$S_scaled, %$S_offset : $W
  %$S_place = stablehlo.clamp %$S_zero, %$S_moved, %$S_last : $W
  %$S_difference = stablehlo.subtract %$S_place, %$S_from : $W
  %$S_distance = stablehlo.abs %$S_difference : $W
  %$S_share = stablehlo.subtract %$S_one, %$S_distance : $W
  %$S_weights = stablehlo.maximum %$S_share, %$S_zero : $W
)",
                {{"$SCALE", fmt::format("{:.17e}", scale)},
                 {"$OFFSET", fmt::format("{:.17e}", offset)},
                 {"$LAST", std::to_string(from - 1)},
                 {"$S", std::string(side)},
                 {"$W", tensor({to, from}, ElementType::f32)}});
}

}  // namespace

Expansion resize_nearest(const Call& call) {
  if (!call.has_counts(1, 1) || !makes_blocks(call.operands[0], call.results[0], call.config))
    return misfit(std::string(no_blocks));
  return meaning(R"(func.func @"$NAME"(%x: $SMALL) -> $LARGE {
  %blocks = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3, 5] : ($SMALL) -> $BLOCKS
  %y = stablehlo.reshape %blocks : ($BLOCKS) -> $LARGE
  return %y : $LARGE
}
)",
                 block_words(call.operands[0], call.results[0]));
}

Expansion resize_nearest_gradient(const Call& call) {
  if (!call.has_counts(1, 1) || !makes_blocks(call.results[0], call.operands[0], call.config))
    return misfit(std::string(no_blocks));
  return meaning(R"(func.func @"$NAME"(%gradient: $LARGE) -> $SMALL {
  %zero = stablehlo.constant dense<0.0> : tensor<$ELEMENT>
  %blocks = stablehlo.reshape %gradient : ($LARGE) -> $BLOCKS
  %y = stablehlo.reduce(%blocks init: %zero) applies stablehlo.add across dimensions = [2, 4] : ($BLOCKS, tensor<$ELEMENT>) -> $SMALL
  return %y : $SMALL
}
)",
                 block_words(call.results[0], call.operands[0]));
}

Expansion resize_bilinear(const Call& call) {
  const bool fits = call.has_counts(1, 1) && are_pictures(call.operands[0], call.results[0]) &&
                    (call.config == "00" || call.config == "01" || call.config == "10");
  if (!fits) return misfit("not pictures [n, height, width, channels], with 00, 01 or 10");
  const Type& from = call.operands[0];
  const Type& to = call.results[0];
  const std::int64_t n = from.shape[0];
  const std::int64_t channels = from.shape[3];
  constexpr ElementType wide = ElementType::f32;
  const std::string text = "func.func @\"$NAME\"(%x: $FROM) -> $TO {\n" +
                           weights("rows", from.shape[1], to.shape[1], call.config) +
                           weights("columns", from.shape[2], to.shape[2], call.config) +
                           R"(  %wide = stablehlo.convert %x : ($FROM) -> $WIDE
  %tall = stablehlo.dot_general %rows_weights, %wide, contracting_dims = [1] x [1] : ($ROWS, $WIDE) -> $TALL
  %broad = stablehlo.dot_general %columns_weights, %tall, contracting_dims = [1] x [2] : ($COLUMNS, $TALL) -> $BROAD
  %turned = stablehlo.transpose %broad, dims = [2, 1, 0, 3] : ($BROAD) -> $RESULT
  %y = stablehlo.convert %turned : ($RESULT) -> $TO
  return %y : $TO
}
)";
  return meaning(text, {{"$FROM", to_string(from)},
                        {"$TO", to_string(to)},
                        {"$WIDE", tensor(from.shape, wide)},
                        {"$ROWS", tensor({to.shape[1], from.shape[1]}, wide)},
                        {"$COLUMNS", tensor({to.shape[2], from.shape[2]}, wide)},
                        {"$TALL", tensor({to.shape[1], n, from.shape[2], channels}, wide)},
                        {"$BROAD", tensor({to.shape[2], to.shape[1], n, channels}, wide)},
                        {"$RESULT", tensor(to.shape, wide)}});
}

}  // namespace trainyard::graph::custom_calls
