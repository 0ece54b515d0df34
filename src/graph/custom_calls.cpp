#include "graph/custom_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "base/error.h"
#include "graph/custom_calls/call.h"
#include "graph/text.h"

namespace trainyard::graph {

namespace {

// Targets by NCC_EVRF015 and NCC_EVRF036 to 058 of the AWS Neuron SDK, November 2026.
constexpr std::array<std::string_view, 9> markers{"mhlo.copy",
                                                  "AwsNeuronLNCShardingConstraint",
                                                  "AwsNeuronTransferWithStaticRing",
                                                  "AwsNeuronModuleMarkerStart-Forward",
                                                  "AwsNeuronModuleMarkerStart-Backward",
                                                  "AwsNeuronModuleMarkerEnd-Forward",
                                                  "AwsNeuronModuleMarkerEnd-Backward",
                                                  "NeuronBoundaryMarker-Start",
                                                  "NeuronBoundaryMarker-End"};
constexpr std::array<std::string_view, 5> unpublished{
    "AwsNeuronCollectiveMatmul", "AwsNeuronIntMatmult", "AwsNeuronDropoutMaskV1",
    "AwsNeuronCustomOp", "AwsNeuronDevicePrint"};

struct Known {
  std::string_view target;
  custom_calls::Expansion (*expand)(const custom_calls::Call&);
};
// Those of XLA, "mhlo.*", are the operations that StableHLO lacks, as XLA and torch_xla write them
// (xla/mlir_hlo, hlo-legalize-to-stablehlo).
constexpr std::array<Known, 27> functions{
    {{"mhlo.erf", custom_calls::one_of_xla},
     {"mhlo.acos", custom_calls::one_of_xla},
     {"mhlo.acosh", custom_calls::one_of_xla},
     {"mhlo.asin", custom_calls::one_of_xla},
     {"mhlo.asinh", custom_calls::one_of_xla},
     {"mhlo.atanh", custom_calls::one_of_xla},
     {"mhlo.cosh", custom_calls::one_of_xla},
     {"mhlo.sinh", custom_calls::one_of_xla},
     {"mhlo.tan", custom_calls::tangent_of_xla},
     {"mhlo.topk", custom_calls::top_k_of_xla},
     {"AwsNeuronErf", custom_calls::erf},
     {"AwsNeuronGelu", custom_calls::gelu},
     {"AwsNeuronGeluApprxTanh", custom_calls::gelu_tanh},
     {"AwsNeuronGeluBackward", custom_calls::gelu_derivative},
     {"AwsNeuronSilu", custom_calls::silu},
     {"AwsNeuronSiluBackward", custom_calls::silu_derivative},
     {"AwsNeuronSoftmax", custom_calls::softmax},
     {"AwsNeuronSoftmaxBackward", custom_calls::softmax_gradient},
     {"AwsNeuronRmsNorm", custom_calls::rms_norm},
     {"AwsNeuronArgMax", custom_calls::argmax},
     {"AwsNeuronArgMin", custom_calls::argmin},
     {"AwsNeuronTopK", custom_calls::top_k},
     {"QuantizeMX", custom_calls::quantize_mx},
     {"__op$block_scaled_dot", custom_calls::block_scaled_dot},
     {"ResizeNearest", custom_calls::resize_nearest},
     {"ResizeNearestGrad", custom_calls::resize_nearest_gradient},
     {"ResizeBilinear", custom_calls::resize_bilinear}}};

// backend_config as text, without the quotes that some callers keep.
std::string config_of(const Op& op) {
  const Attribute* const config = op.find("backend_config");
  const auto* const text = config == nullptr ? nullptr : std::get_if<std::string>(&config->value);
  if (text == nullptr) return {};
  const bool quoted = text->size() >= 2 && text->front() == '"' && text->back() == '"';
  return quoted ? text->substr(1, text->size() - 2) : *text;
}

void set_location(Region& region, LocationId location) {
  for (Op& op : region.ops) {
    op.location = location;
    for (Region& inner : op.regions) set_location(inner, location);
  }
}

class Expander {
 public:
  explicit Expander(Module& module) : module_(module) {}

  void run() {
    const std::size_t count = module_.functions.size();
    for (std::size_t i = 0; i < count; ++i) expand(module_.functions[i], module_.functions[i].body);
    for (Function& function : made_) module_.functions.push_back(std::move(function));
  }

 private:
  void expand(const Function& function, Region& region) {
    for (Op& op : region.ops) {
      for (Region& inner : op.regions) expand(function, inner);
      if (op.kind == OpKind::custom_call) expand(function, op);
    }
  }

  void expand(const Function& function, Op& op) {
    const std::string target = op.text("call_target_name");
    const auto* const known = std::ranges::find(functions, target, &Known::target);
    if (known != functions.end()) return expand_function(function, op, *known);
    if (std::ranges::find(markers, target) != markers.end()) {
      if (!same_types(function, op)) refuse(op, "operands and results of different types");
      op.kind = OpKind::optimization_barrier;
      op.attributes.clear();
    } else if (std::ranges::find(unpublished, target) != unpublished.end()) {
      refuse(op, "AWS publishes its name, not what its operands and configuration mean");
    }
  }

  void expand_function(const Function& function, Op& op, const Known& known) {
    const auto type = [&](ValueId value) { return function.type(value); };
    custom_calls::Call call{.target = std::string(known.target), .config = config_of(op)};
    if (const Attribute* const own = op.find("mhlo.attributes")) {
      if (const auto* const all = std::get_if<Dictionary>(&own->value)) call.attributes = *all;
    }
    std::ranges::transform(op.operands, std::back_inserter(call.operands), type);
    std::ranges::transform(op.results, std::back_inserter(call.results), type);
    if (!std::ranges::all_of(call.operands, is_static_tensor) ||
        !std::ranges::all_of(call.results, is_static_tensor))
      refuse(op, "something other than tensors of known shapes");
    const auto to_words = [](const Type& each) { return to_string(each); };
    std::string config = call.config;
    for (const NamedAttribute& attribute : call.attributes) {
      if (const auto* const number = std::get_if<std::int64_t>(&attribute.value.value))
        config += fmt::format(" {}={}", attribute.name, *number);
      if (const auto* const is_set = std::get_if<bool>(&attribute.value.value))
        config += fmt::format(" {}={}", attribute.name, *is_set);
    }
    std::string name = fmt::format("{} {} ({}) -> ({})", known.target, config,
                                   fmt::join(call.operands | std::views::transform(to_words), ", "),
                                   fmt::join(call.results | std::views::transform(to_words), ", "));
    std::ranges::replace(name, '"', '\'');
    if (std::ranges::find(made_, name, &Function::name) == made_.end()) {
      const custom_calls::Expansion expansion = known.expand(call);
      if (!expansion.problem.empty()) refuse(op, expansion.problem);
      const std::string text = custom_calls::filled(expansion.text, {{"$NAME", name}});
      for (Function& made : read_text(text, known.target).functions) {
        made.is_public = false;
        set_location(made.body, op.location);
        made_.push_back(std::move(made));
      }
    }
    op.kind = OpKind::call;
    op.attributes = {{"callee", {Symbol{name}}}};
  }

  static bool is_static_tensor(const Type& type) {
    return type.kind == Type::Kind::tensor && type.is_static() && type.quantized.empty();
  }
  static bool same_types(const Function& function, const Op& op) {
    return std::ranges::equal(op.operands, op.results, [&](ValueId a, ValueId b) {
      return function.type(a) == function.type(b);
    });
  }

  [[noreturn]] void refuse(const Op& op, std::string_view found) const {
    throw base::InputError(
        {"graph.custom_call", "a custom call is one whose meaning is known",
         module_.describe(op.location), fmt::format("{}: {}", op.text("call_target_name"), found),
         "write it with plain operations: the compiler fuses them, or as an @nki.jit kernel"});
  }

  Module& module_;
  std::vector<Function> made_;
};

}  // namespace

void expand_custom_calls(Module& module) { Expander(module).run(); }

}  // namespace trainyard::graph
