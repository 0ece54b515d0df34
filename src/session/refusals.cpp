#include "session/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string_view>

namespace trainyard::session {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;

// Custom calls by NCC_EVRF015.
constexpr auto known_targets = std::to_array<std::string_view>(
    {"AwsNeuronErf", "AwsNeuronGelu", "AwsNeuronGeluApprxTanh", "AwsNeuronGeluBackward",
     "AwsNeuronSilu", "AwsNeuronSiluBackward", "AwsNeuronRmsNorm", "AwsNeuronSoftmax",
     "AwsNeuronSoftmaxBackward", "AwsNeuronCollectiveMatmul", "AwsNeuronIntMatmult",
     "AwsNeuronArgMax", "AwsNeuronArgMin", "AwsNeuronTopK", "AwsNeuronDropoutMaskV1",
     "AwsNeuronCustomNativeKernel", "AwsNeuronCustomOp", "AwsNeuronDevicePrint", "ResizeNearest",
     "ResizeBilinear", "ResizeNearestGrad", "AwsNeuronLNCShardingConstraint",
     "AwsNeuronTransferWithStaticRing", "AwsNeuronModuleMarkerStart-Forward",
     "AwsNeuronModuleMarkerStart-Backward", "AwsNeuronModuleMarkerEnd-Forward",
     "AwsNeuronModuleMarkerEnd-Backward", "NeuronBoundaryMarker-Start", "NeuronBoundaryMarker-End",
     // Other pages describe these two; the last three are how shardings are written.
     "QuantizeMX", "__op$block_scaled_dot", "Sharding", "SPMDFullToShardShape",
     "SPMDShardToFullShape"});

struct At {
  const Function& function;
  const Op& op;
  machine::Generation generation;
  const Permissions& permissions;

  [[nodiscard]] bool may_downcast(Downcast operation) const {
    return std::ranges::find(permissions.downcasts, operation) != permissions.downcasts.end();
  }
  [[nodiscard]] const Type& operand(std::size_t i) const {
    return function.type(op.operands.at(i));
  }
  [[nodiscard]] bool has_operand(std::size_t i, auto is) const {
    return i < op.operands.size() && operand(i).kind == Type::Kind::tensor &&
           is(operand(i).element);
  }
  [[nodiscard]] bool any_type(auto is) const {
    const auto matches = [&](graph::ValueId value) {
      const Type& type = function.type(value);
      return type.kind == Type::Kind::tensor && is(type);
    };
    return std::ranges::any_of(op.operands, matches) || std::ranges::any_of(op.results, matches);
  }
  [[nodiscard]] bool any_element(std::initializer_list<ElementType> elements) const {
    return any_type([&](const Type& type) {
      return std::ranges::find(elements, type.element) != elements.end();
    });
  }
  [[nodiscard]] bool any_above(std::string_view attribute, std::int64_t limit) const {
    const graph::Attribute* const found = op.find(attribute);
    const auto* const list =
        found == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&found->value);
    return list != nullptr && std::ranges::any_of(*list, [&](auto n) { return n > limit; });
  }
};

bool is_wide_integer(ElementType element) {
  return graph::is_integer(element) && graph::bits(element) >= 32;
}
bool is_int64(ElementType element) {
  return graph::is_integer(element) && graph::bits(element) == 64;
}
bool is_integer_or_bool(ElementType element) {
  return graph::is_integer(element) || element == ElementType::pred;
}

// Whether a scatter combines what it writes with what is there.
bool computes(const Op& scatter) {
  return !scatter.regions.empty() && scatter.regions.front().ops.size() > 1;
}

bool is_large_constant(const At& at) {
  if (at.op.kind != OpKind::constant) return false;
  const graph::Literal& value = at.op.literal("value");
  if (value.type.element != ElementType::u64) return false;
  for (std::size_t i = 0; i + 8 <= value.content.size(); i += 8) {
    for (std::size_t high = 4; high < 8; ++high) {
      if (value.content[i + high] != std::byte{0}) return true;
    }
  }
  return false;
}

bool is_unknown_call(const At& at) {
  if (at.op.kind != OpKind::custom_call) return false;
  return std::ranges::find(known_targets, at.op.text("call_target_name")) == known_targets.end();
}

bool is_top_k(const At& at) {
  return at.op.kind == OpKind::composite && at.op.text("name") == "chlo.top_k";
}

const Op* definition(const graph::Region& region, graph::ValueId value) {
  for (const Op& op : region.ops) {
    if (std::ranges::find(op.results, value) != op.results.end()) return &op;
    for (const graph::Region& inner : op.regions) {
      if (const Op* const found = definition(inner, value)) return found;
    }
  }
  return nullptr;
}

// Indices that are an iota, in another shape perhaps, longer than the dimension that they index.
bool counts_too_far(const At& at, std::string_view indexed) {
  const graph::Attribute* const found = at.op.find(indexed);
  const auto* const dims =
      found == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&found->value);
  if (dims == nullptr || dims->size() != 1 || at.op.operands.size() < 2) return false;
  const Op* source = definition(at.function.body, at.op.operands[1]);
  while (source != nullptr &&
         (source->kind == OpKind::reshape || source->kind == OpKind::broadcast_in_dim))
    source = definition(at.function.body, source->operands[0]);
  if (source == nullptr || source->kind != OpKind::iota) return false;
  const auto dimension = static_cast<std::size_t>(source->integer("iota_dimension"));
  return at.function.type(source->results[0]).shape.at(dimension) >
         at.operand(0).shape.at(static_cast<std::size_t>(dims->front()));
}

struct Refusal {
  std::string_view code, rule, fix;
  bool (*applies)(const At&);
};

constexpr auto refusals = std::to_array<Refusal>({
    {"NCC_EVRF001", "operators are those of `neuronx-cc list-operators`",
     "write the operation with others; of triangular_solve, the inverse and a product",
     [](const At& at) {
       return at.op.kind == OpKind::triangular_solve || at.op.kind == OpKind::cholesky;
     }},
    {"NCC_EVRF004", "complex numbers are not supported on the device",
     "keep real and imaginary parts in two tensors",
     [](const At& at) {
       return at.any_element({ElementType::c64, ElementType::c128});
     }},
    {"NCC_EVRF005", "F8E4M3FNUZ, F8E4M3B11FNUZ and F8E5M2FNUZ are not supported",
     "use another FP8 format",
     [](const At& at) {
       return at.any_element(
           {ElementType::f8e4m3fnuz, ElementType::f8e4m3b11fnuz, ElementType::f8e5m2fnuz});
     }},
    {"NCC_EVRF006", "rng_bit_generator uses the default algorithm",
     "use the framework's own random functions with jax_default_prng_impl=rbg",
     [](const At& at) {
       return at.op.kind == OpKind::rng_bit_generator && at.op.text("rng_algorithm") != "DEFAULT";
     }},
    {"NCC_EVRF010", "a convolution dilates its input or its kernel, not both",
     "dilate one of them by a pad",
     [](const At& at) {
       return at.op.kind == OpKind::convolution && at.any_above("lhs_dilation", 1) &&
              at.any_above("rhs_dilation", 1);
     }},
    {"NCC_EVRF011", "a convolution with strides does not dilate its input",
     "dilate the input by a pad",
     [](const At& at) {
       return at.op.kind == OpKind::convolution && at.any_above("lhs_dilation", 1) &&
              at.any_above("window_strides", 1);
     }},
    {"NCC_EVRF013", "top_k takes floating-point numbers", "convert its input",
     [](const At& at) { return is_top_k(at) && at.has_operand(0, is_wide_integer); }},
    {"NCC_EVRF015", "a custom call has a target that the compiler knows",
     "use one of the documented targets, as AwsNeuronSilu, or plain operations", is_unknown_call},
    {"NCC_EVRF016", "a scatter that reduces takes floating-point numbers",
     "convert what is scattered and what it is added to",
     [](const At& at) {
       return at.op.kind == OpKind::scatter && computes(at.op) &&
              !at.may_downcast(Downcast::scatter) && at.has_operand(0, is_integer_or_bool);
     }},
    {"NCC_EVRF017", "reduce_window does not dilate its input", "dilate it by a pad",
     [](const At& at) {
       return at.op.kind == OpKind::reduce_window && at.any_above("base_dilations", 1);
     }},
    {"NCC_EVRF018", "reduce_window does not dilate its window", "take slices and reduce them",
     [](const At& at) {
       return at.op.kind == OpKind::reduce_window && at.any_above("window_dilations", 1);
     }},
    {"NCC_EVRF019", "reduce_window has one input and one initial value", "reduce one at a time",
     [](const At& at) {
       return at.op.kind == OpKind::reduce_window && at.op.operands.size() != 2;
     }},
    {"NCC_EVRF022", "shift_right_arithmetic takes numbers of 32 bits",
     "convert the first argument to 32 bits",
     [](const At& at) {
       return at.op.kind == OpKind::shift_right_arithmetic &&
              at.has_operand(0, [](ElementType element) { return graph::bits(element) != 32; });
     }},
    {"NCC_EVRF031", "an iota that says where to scatter stays inside the dimension",
     "make it as long as the dimension",
     [](const At& at) {
       return at.op.kind == OpKind::scatter && counts_too_far(at, "scatter_dims_to_operand_dims");
     }},
    {"NCC_EVRF035", "a product of matrices takes floating-point numbers",
     "convert the operands, or pass --implicit-integer-downcast=dot to AWS's compiler",
     [](const At& at) {
       if (at.op.kind != OpKind::dot_general && at.op.kind != OpKind::dot) return false;
       if (at.may_downcast(Downcast::dot)) return false;
       // Trainium1 multiplies integers of 32 bits.
       const bool only_wide = at.generation == machine::Generation::gen2;
       return at.has_operand(0, only_wide ? is_int64 : is_wide_integer);
     }},
    {"NCC_EVRF051", "F8E4M3FN needs Trainium3", "use F8E4M3, or another machine",
     [](const At& at) {
       return at.generation != machine::Generation::gen4 && at.any_element({ElementType::f8e4m3fn});
     }},
    {"NCC_EVRF056", "an iota that says what to gather stays inside the dimension",
     "make it as long as the dimension: max_position_embeddings at least the sequence length",
     [](const At& at) {
       return at.op.kind == OpKind::gather && counts_too_far(at, "start_index_map");
     }},
    {"NCC_EVRF044", "a product of MX blocks has packed elements on its left",
     "pass the words that QuantizeMX returns",
     [](const At& at) {
       return at.op.kind == OpKind::custom_call &&
              at.op.text("call_target_name") == "__op$block_scaled_dot" &&
              at.has_operand(0, [](ElementType element) { return element != ElementType::u32; });
     }},
    {"NCC_EVRF060", "a scatter that computes takes floating-point numbers",
     "convert the operands, or pass --implicit-integer-downcast=scatter to AWS's compiler",
     [](const At& at) {
       return at.op.kind == OpKind::scatter && computes(at.op) &&
              !at.may_downcast(Downcast::scatter) && at.has_operand(0, is_wide_integer);
     }},
    {"NCC_EVRF061", "all_reduce takes floating-point numbers",
     "convert the operands, or pass --implicit-integer-downcast=all_reduce to AWS's compiler",
     [](const At& at) {
       return at.op.kind == OpKind::all_reduce && !at.may_downcast(Downcast::all_reduce) &&
              at.has_operand(0, is_wide_integer);
     }},
    {"NCC_EVRF062", "power does not take integers of 64 bits",
     "convert them to 32 bits, or pass --implicit-integer-downcast=pow to AWS's compiler",
     [](const At& at) {
       return at.op.kind == OpKind::power && !at.may_downcast(Downcast::pow) &&
              at.has_operand(0, is_int64);
     }},
    {"NCC_EVRF063", "reduce_scatter takes floating-point numbers",
     "convert the operands, or pass --implicit-integer-downcast=reduce_scatter to AWS's compiler",
     [](const At& at) {
       return at.op.kind == OpKind::reduce_scatter && !at.may_downcast(Downcast::reduce_scatter) &&
              at.has_operand(0, is_wide_integer);
     }},
    {"NCC_ESPP004", "types are those that the device computes with", "use bfloat16 or float32",
     [](const At& at) {
       return at.any_element(
           {ElementType::f4e2m1fn, ElementType::f6e2m3fn, ElementType::f6e3m2fn, ElementType::f64});
     }},
    {"NCC_ESFH002", "a constant of 64 bits fits into 32", "use a smaller constant of 32 bits",
     is_large_constant},
    {"NCC_EMOD025", "shapes are static", "give every dimension a size",
     [](const At& at) { return at.any_type([](const Type& type) { return !type.is_static(); }); }},
});

class Finder {
 public:
  Finder(const graph::Module& module, machine::Generation generation,
         const Permissions& permissions)
      : module_(module), generation_(generation), permissions_(permissions) {}

  std::vector<base::Violation> find() {
    for (const Function& function : module_.functions) visit(function, function.body);
    return std::move(found_);
  }

 private:
  void visit(const Function& function, const graph::Region& region) {
    for (const Op& op : region.ops) {
      const At at{function, op, generation_, permissions_};
      for (const Refusal& refusal : refusals) {
        if (seen_.contains(refusal.code) || !refusal.applies(at)) continue;
        seen_.insert(refusal.code);
        found_.push_back(violation(refusal, at));
      }
      for (const graph::Region& inner : op.regions) visit(function, inner);
    }
  }

  base::Violation violation(const Refusal& refusal, const At& at) {
    std::string found(graph::name(at.op.kind));
    if (at.op.kind == OpKind::custom_call)
      found += fmt::format(" of {}", at.op.text("call_target_name"));
    if (!at.op.operands.empty())
      found += fmt::format(" on {}", graph::to_string(at.operand(0)));
    else if (!at.op.results.empty())
      found += fmt::format(" of {}", graph::to_string(at.function.type(at.op.results.front())));
    return {std::string(refusal.code), std::string(refusal.rule), module_.describe(at.op.location),
            std::move(found), std::string(refusal.fix)};
  }

  const graph::Module& module_;
  machine::Generation generation_;
  const Permissions& permissions_;
  std::set<std::string_view> seen_;
  std::vector<base::Violation> found_;
};

}  // namespace

std::vector<base::Violation> documented_refusals(const graph::Module& module,
                                                 machine::Generation generation,
                                                 const Permissions& permissions) {
  return Finder(module, generation, permissions).find();
}

std::optional<base::Violation> refused_length(std::string_view program, std::int64_t instructions,
                                              const Permissions& permissions) {
  if (instructions <= permissions.instructions_max) return std::nullopt;
  return base::Violation{"NCC_EBVF030", "the instructions of a program do not exceed the limit",
                         std::string(program),
                         fmt::format("{} instructions, loops unrolled; the limit is {}",
                                     instructions, permissions.instructions_max),
                         "divide the model over more devices (tensor or pipeline parallelism), or "
                         "pass --internal-max-instruction-limit to AWS's compiler"};
}

}  // namespace trainyard::session
