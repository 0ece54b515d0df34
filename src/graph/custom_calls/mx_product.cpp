// Products of blocks that QuantizeMX made, or of elements and scales that are not packed. Sources:
// AWS Neuron SDK, error pages NCC_EVRF043 to 050 and 053 to 055; jax.nn.scaled_matmul.
#include <algorithm>
#include <functional>
#include <variant>

#include "graph/custom_calls/mx.h"

namespace trainyard::graph::custom_calls {

namespace {

// The part behind `dimension` is moved there from the end.
Dimensions part_behind(std::size_t rank, std::size_t dimension) {
  Dimensions order;
  for (std::size_t i = 0; i < rank; ++i) {
    order.push_back(i);
    if (i == dimension) order.push_back(rank);
  }
  return order;
}
// One operand of a product: what it is, and its depth.
struct Side {
  Type type{}, scale{};
  Dimensions batches{};
  std::size_t depth = 0;
  Format format{};

  [[nodiscard]] bool is_packed() const { return type.element == ElementType::u32; }
  [[nodiscard]] Shape elements() const {
    Shape shape = type.shape;
    if (is_packed()) shape[depth] *= mx_pack;
    return shape;
  }
  [[nodiscard]] ElementType element() const { return is_packed() ? format.type : type.element; }
  [[nodiscard]] bool is_mx() const {
    return is_packed() || element() == ElementType::f8e4m3fn || element() == ElementType::f8e5m2 ||
           element() == ElementType::f4e2m1fn;
  }
  [[nodiscard]] bool has_scales() const {
    return is_scale(scale) && elements()[depth] % mx_block == 0 &&
           scale.shape == divided(elements(), depth, mx_block);
  }
};

// The code of what is wrong with a list of dimensions, or nothing.
std::string read_dimensions(const json& config, const std::string& key, std::size_t rank,
                            std::string_view outside, Dimensions& result) {
  const json list = config.value(key, json::array());
  if (!list.is_array() || !std::ranges::all_of(list, &json::is_number_integer))
    return fmt::format("NCC_EVRF049: {} that is not a list of integers", key);
  for (const json& each : list) {
    if (each.get<std::int64_t>() < 0 || each.get<std::size_t>() >= rank)
      return fmt::format("{}: {} of {} for {} dimensions", outside, key, each.dump(), rank);
    result.push_back(each.get<std::size_t>());
  }
  return {};
}

// The side, or what is wrong with it.
std::variant<Side, std::string> side_of(const Call& call, std::size_t index, const json& config) {
  const std::string name = index == 0 ? "lhs" : "rhs";
  Side side{.type = call.operands[index], .scale = call.operands[index + 2]};
  const std::size_t rank = side.type.shape.size();
  if (rank < 2)
    return fmt::format("{}: an {} of {} dimensions", index == 0 ? "NCC_EVRF046" : "NCC_EVRF047",
                       name, rank);
  std::string problem =
      read_dimensions(config, name + "_batch_dimensions", rank, "NCC_EVRF054", side.batches);
  if (!problem.empty()) return problem;
  Dimensions depths;
  problem = read_dimensions(config, name + "_contracting_dimensions", rank, "NCC_EVRF055", depths);
  if (!problem.empty()) return problem;
  const Format* const format = format_of(config, "element_dtype", "float8_e4m3fn");
  if (format == nullptr) return std::string("an element_dtype that is not FP8");
  if (depths.size() > 1) return fmt::format("{} dimensions to contract, not one", depths.size());
  side.depth = depths.empty() ? rank - 1 : depths.front();
  side.format = *format;
  if (std::ranges::find(side.batches, side.depth) != side.batches.end())
    return fmt::format("NCC_EVRF053: dimension {} of {} in batches and contracted", side.depth,
                       name);
  if (!side.is_mx())
    return fmt::format("{}{} of {}, not packed FP8, FP8 or FP4", index == 0 ? "NCC_EVRF044: " : "",
                       name, to_string(side.type));
  if (!side.has_scales())
    return fmt::format("{} of {} without a scale for each 32 elements", name, to_string(side.type));
  return side;
}

// %$S, %$S_scale: elements and scales as tensors of their own types. Batches of one are left out,
// since the array multiplies two matrices.
std::string unpacked(std::string_view name, Side& side, bool drop_batches) {
  const Shape shape = side.elements();
  const ElementType element = side.element();
  std::string text;
  if (side.is_packed()) {
    text += R"(  %$S_groups = stablehlo.bitcast_convert %$S_given : ($TYPE) -> $TURNED
  %$S_turned = stablehlo.transpose %$S_groups, dims = [$TURN] : ($TURNED) -> $GROUPS
  %$S_elements = stablehlo.reshape %$S_turned : ($GROUPS) -> $ELEMENTS
)";
  } else {
    text += "  %$S_elements = stablehlo.reshape %$S_given : ($TYPE) -> $ELEMENTS\n";
  }
  text += R"(  %$S_codes = stablehlo.bitcast_convert %$S_scale_given : ($SCALE) -> $CODES
  %$S = stablehlo.reshape %$S_elements : ($ELEMENTS) -> $MATRIX
  %$S_scale = stablehlo.reshape %$S_codes : ($CODES) -> $SCALES
)";
  Words words{{"$TYPE", to_string(side.type)},
              {"$TURNED", tensor(with_last(side.type.shape, mx_pack), element)},
              {"$TURN", listed(part_behind(side.type.shape.size(), side.depth))},
              {"$GROUPS", tensor(with_parts(shape, side.depth, mx_pack), element)},
              {"$ELEMENTS", tensor(shape, element)},
              {"$SCALE", to_string(side.scale)},
              {"$CODES", tensor(side.scale.shape, ElementType::f8e8m0fnu)},
              {"$S", std::string(name)}};
  side.type = {.element = element, .shape = shape};
  side.scale.element = ElementType::f8e8m0fnu;
  if (drop_batches) {
    Dimensions gone = side.batches;
    std::ranges::sort(gone, std::greater{});
    for (const std::size_t each : gone) {
      const auto at = static_cast<std::ptrdiff_t>(each);
      side.type.shape.erase(side.type.shape.begin() + at);
      side.scale.shape.erase(side.scale.shape.begin() + at);
      if (each < side.depth) --side.depth;
    }
    side.batches.clear();
  }
  words.emplace_back("$MATRIX", to_string(side.type));
  words.emplace_back("$SCALES", to_string(side.scale));
  return filled(text, words);
}

// %$S_wide: elements times scales, in float32.
std::string scaled(std::string_view name, const Side& side) {
  const Shape& shape = side.type.shape;
  const Dimensions kept = but_part(shape.size() + 1, side.depth);
  return filled(R"(  %$S_numbers = stablehlo.convert %$S : ($TYPE) -> $WIDE
  %$S_powers = stablehlo.convert %$S_scale : ($SCALE) -> $POWERS
  %$S_blocks = stablehlo.broadcast_in_dim %$S_powers, dims = [$KEPT] : ($POWERS) -> $PARTS
  %$S_factors = stablehlo.reshape %$S_blocks : ($PARTS) -> $WIDE
  %$S_wide = stablehlo.multiply %$S_numbers, %$S_factors : $WIDE
)",
                {{"$TYPE", to_string(side.type)},
                 {"$WIDE", tensor(shape, ElementType::f32)},
                 {"$SCALE", to_string(side.scale)},
                 {"$POWERS", tensor(side.scale.shape, ElementType::f32)},
                 {"$KEPT", listed(kept)},
                 {"$PARTS", tensor(with_parts(shape, side.depth, mx_block), ElementType::f32)},
                 {"$S", std::string(name)}});
}

Shape shape_of_product(const Side& left, const Side& right) {
  Shape shape;
  for (const std::size_t each : left.batches) shape.push_back(left.type.shape[each]);
  for (const Side* const side : {&left, &right}) {
    for (std::size_t i = 0; i < side->type.shape.size(); ++i) {
      if (i != side->depth && std::ranges::find(side->batches, i) == side->batches.end())
        shape.push_back(side->type.shape[i]);
    }
  }
  return shape;
}

std::int64_t count(const Side& side) {
  std::int64_t all = 1;
  for (const std::size_t each : side.batches) all *= side.type.shape[each];
  return all;
}

// What keeps both sides from a product of that type; empty where nothing does.
std::string misfit_between(const Side& left, const Side& right, const Type& result) {
  const std::int64_t left_depth = left.elements()[left.depth],
                     right_depth = right.elements()[right.depth];
  if (left_depth != right_depth)
    return fmt::format("NCC_EVRF050: {} and {} elements to contract", left_depth, right_depth);
  if (left.batches.size() != right.batches.size() || count(left) != count(right))
    return fmt::format("NCC_EVRF048: {} and {} batches", count(left), count(right));
  if (result.element != ElementType::f32 && result.element != ElementType::bf16)
    return fmt::format("NCC_EVRF045: a result of {}", to_string(result));
  if (result.shape != shape_of_product(left, right))
    return fmt::format("a result of {}, which is not the shape of the product", to_string(result));
  return {};
}

}  // namespace

Expansion block_scaled_dot(const Call& call) {
  if (!call.has_counts(4, 1)) return misfit("NCC_EVRF043: not four operands and one result");
  const bool has_config = !call.config.empty() && call.config != "None";
  const json whole = has_config ? json::parse(call.config, nullptr, false) : json::object();
  if (!whole.is_object()) return misfit("NCC_EVRF049: a backend_config that is not a JSON object");
  const json config = whole.value("scaled_dot_backend_config", json::object());
  if (!config.is_object()) return misfit("a scaled_dot_backend_config that is no object");
  auto either_left = side_of(call, 0, config), either_right = side_of(call, 1, config);
  for (const auto* const each : {&either_left, &either_right}) {
    if (const auto* const problem = std::get_if<std::string>(each)) return misfit(*problem);
  }
  Side &left = std::get<Side>(either_left), &right = std::get<Side>(either_right);
  if (std::string problem = misfit_between(left, right, call.results[0]); !problem.empty())
    return misfit(std::move(problem));
  const Type& result = call.results[0];
  const bool is_one = count(left) == 1;
  const std::string head = filled(
      "func.func @\"$NAME\"(%left_given: $A, %right_given: $B, "
      "%left_scale_given: $C, %right_scale_given: $D) -> $RESULT {\n",
      {{"$A", to_string(left.type)},
       {"$B", to_string(right.type)},
       {"$C", to_string(left.scale)},
       {"$D", to_string(right.scale)},
       {"$RESULT", to_string(result)}});
  const std::string inputs = unpacked("left", left, is_one) + unpacked("right", right, is_one);
  const std::string product = tensor(shape_of_product(left, right), result.element);
  const Words words{
      {"$A", to_string(left.type)},
      {"$B", to_string(right.type)},
      {"$C", to_string(left.scale)},
      {"$D", to_string(right.scale)},
      {"$PRODUCT", product},
      {"$RESULT", to_string(result)},
      {"$WIDE_A", tensor(left.type.shape, ElementType::f32)},
      {"$WIDE_B", tensor(right.type.shape, ElementType::f32)},
      {"$BATCHES", left.batches.empty() ? std::string()
                                        : fmt::format("batching_dims = [{}] x [{}], ",
                                                      listed(left.batches), listed(right.batches))},
      {"$DEPTHS", fmt::format("[{}] x [{}]", left.depth, right.depth)}};
  const std::string call_text = filled(
      R"(  %product = stablehlo.composite "xla.scaled_dot" %left, %right, %left_scale, %right_scale {decomposition = @"$NAME product"} : ($A, $B, $C, $D) -> $PRODUCT
  %y = stablehlo.reshape %product : ($PRODUCT) -> $RESULT
  return %y : $RESULT
}
func.func private @"$NAME product"(%left: $A, %right: $B, %left_scale: $C, %right_scale: $D) -> $PRODUCT {
)",
      words);
  const std::string end = filled(
      R"(  %y = stablehlo.dot_general %left_wide, %right_wide, $BATCHEScontracting_dims = $DEPTHS : ($WIDE_A, $WIDE_B) -> $PRODUCT
  return %y : $PRODUCT
}
)",
      words);
  return {.text = head + inputs + call_text + scaled("left", left) + scaled("right", right) + end,
          .problem = {}};
}

}  // namespace trainyard::graph::custom_calls
