#include "graph/custom_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

// Targets by NCC_EVRF015 of the AWS Neuron SDK, November 2026.
constexpr std::array<std::string_view, 8> markers{
    "AwsNeuronLNCShardingConstraint",     "AwsNeuronTransferWithStaticRing",
    "AwsNeuronModuleMarkerStart-Forward", "AwsNeuronModuleMarkerStart-Backward",
    "AwsNeuronModuleMarkerEnd-Forward",   "AwsNeuronModuleMarkerEnd-Backward",
    "NeuronBoundaryMarker-Start",         "NeuronBoundaryMarker-End"};
constexpr std::array<std::string_view, 16> unpublished{
    "AwsNeuronGeluBackward",    "AwsNeuronSiluBackward",
    "AwsNeuronRmsNorm",         "AwsNeuronSoftmax",
    "AwsNeuronSoftmaxBackward", "AwsNeuronCollectiveMatmul",
    "AwsNeuronIntMatmult",      "AwsNeuronArgMax",
    "AwsNeuronArgMin",          "AwsNeuronTopK",
    "AwsNeuronDropoutMaskV1",   "AwsNeuronCustomOp",
    "AwsNeuronDevicePrint",     "ResizeNearest",
    "ResizeBilinear",           "ResizeNearestGrad"};

// A function of one tensor, built operation by operation.
class Maker {
 public:
  explicit Maker(Type type) : type_(std::move(type)) {
    function_.is_public = false;
    x = function_.add_value(type_);
    function_.body.arguments = {x};
  }

  ValueId x = 0;

  ValueId op(OpKind kind, std::vector<ValueId> operands, Dictionary attributes = {}) {
    const ValueId result = function_.add_value(type_);
    function_.body.ops.push_back({.kind = kind,
                                  .operands = std::move(operands),
                                  .results = {result},
                                  .attributes = std::move(attributes)});
    return result;
  }
  ValueId number(double value) {
    const std::uint64_t pattern = float_pattern(type_.element, value);
    Literal literal{.type = type_, .splat = type_.elements() != 1};
    literal.content.resize(static_cast<std::size_t>(size_in_bytes(type_.element)));
    std::memcpy(literal.content.data(), &pattern, literal.content.size());
    return op(OpKind::constant, {}, {{"value", {std::move(literal)}}});
  }
  ValueId times(ValueId a, ValueId b) { return op(OpKind::multiply, {a, b}); }
  ValueId plus(ValueId a, ValueId b) { return op(OpKind::add, {a, b}); }
  ValueId erf(ValueId a) {
    return op(OpKind::composite, {a}, {{"name", {std::string("chlo.erf")}}});
  }
  ValueId tanh(ValueId a) { return op(OpKind::tanh, {a}); }

  Function finish(std::string name, ValueId result) {
    function_.name = std::move(name);
    function_.body.ops.push_back({.kind = OpKind::return_, .operands = {result}});
    return std::move(function_);
  }

 private:
  Type type_;
  Function function_;
};

ValueId erf(Maker& make) { return make.erf(make.x); }
ValueId silu(Maker& make) { return make.times(make.x, make.op(OpKind::logistic, {make.x})); }
ValueId half_of_one_plus(Maker& make, ValueId y) {
  return make.times(make.times(make.x, make.number(0.5)), make.plus(y, make.number(1)));
}
ValueId gelu(Maker& make) {
  constexpr double root_of_half = 0.70710678118654752;
  return half_of_one_plus(make, make.erf(make.times(make.x, make.number(root_of_half))));
}
// Source of the constants: Hendrycks and Gimpel, "Gaussian Error Linear Units".
ValueId gelu_tanh(Maker& make) {
  constexpr double root_of_2_over_pi = 0.79788456080286536;
  const ValueId cube = make.times(make.times(make.x, make.x), make.x);
  const ValueId sum = make.plus(make.x, make.times(cube, make.number(0.044715)));
  return half_of_one_plus(make, make.tanh(make.times(sum, make.number(root_of_2_over_pi))));
}

struct Unary {
  std::string_view target;
  ValueId (*build)(Maker&);
};
constexpr std::array<Unary, 4> functions{{{"AwsNeuronErf", erf},
                                          {"AwsNeuronGelu", gelu},
                                          {"AwsNeuronGeluApprxTanh", gelu_tanh},
                                          {"AwsNeuronSilu", silu}}};

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
    const auto* const unary = std::ranges::find(functions, target, &Unary::target);
    if (unary != functions.end()) return expand_function(function, op, *unary);
    if (std::ranges::find(markers, target) != markers.end()) {
      if (!same_types(function, op)) refuse(op, "operands and results of different types");
      op.kind = OpKind::optimization_barrier;
      op.attributes.clear();
    } else if (std::ranges::find(unpublished, target) != unpublished.end()) {
      refuse(op, "AWS publishes its name, not what its operands and configuration mean");
    }
  }

  void expand_function(const Function& function, Op& op, const Unary& unary) {
    const bool fits = op.operands.size() == 1 && same_types(function, op) &&
                      function.type(op.operands[0]).kind == Type::Kind::tensor &&
                      is_float(function.type(op.operands[0]).element);
    if (!fits) refuse(op, "operands other than one floating-point tensor of the result's type");
    const Type& type = function.type(op.operands[0]);
    const std::string name = fmt::format("{} {}", unary.target, to_string(type));
    if (std::ranges::find(made_, name, &Function::name) == made_.end()) {
      Maker maker(type);
      const ValueId result = unary.build(maker);
      made_.push_back(maker.finish(name, result));
      for (Op& each : made_.back().body.ops) each.location = op.location;
    }
    op.kind = OpKind::call;
    op.attributes = {{"callee", {Symbol{name}}}};
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
