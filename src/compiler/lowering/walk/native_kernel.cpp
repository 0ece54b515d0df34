#include "compiler/lowering/walk/native_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/base64.h"
#include "base/error.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/walk/lowerer.h"
#include "isa/forms/binary.h"

namespace trainyard::compiler {

namespace {

constexpr std::string_view mark = "trainyard-kernel-1";

[[noreturn]] void refuse(const std::string& place, std::string found) {
  throw base::InputError({"kernel.config",
                          "AwsNeuronCustomNativeKernel carries a kernel that nki.jit traced here",
                          place, std::move(found),
                          "call the @nki.jit function inside of jax.jit with this installation"});
}

std::string_view next_part(std::string_view& text) {
  const std::size_t end = std::min(text.find(';'), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<std::vector<isa::TensorId>> ids_of(std::string_view text, std::size_t tensors) {
  std::vector<isa::TensorId> ids;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    isa::TensorId id = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + end, id);
    if (error != std::errc() || rest != text.data() + end || id >= tensors) return std::nullopt;
    ids.push_back(id);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return ids;
}

void check_tensors(const isa::Program& program, std::span<const isa::TensorId> ids,
                   const graph::Function& function, std::span<const graph::ValueId> values,
                   const std::string& place) {
  const auto wrong = [&](std::string found) {
    throw base::InputError(
        {"kernel.operand",
         fmt::format("the tensors of {} are its operands and results", program.name), place,
         std::move(found), "trace the kernel for these arrays"});
  };
  if (ids.size() != values.size())
    wrong(fmt::format("{} tensors for {} values", ids.size(), values.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const isa::Tensor& tensor = program.tensors[ids[i]];
    const graph::Type& type = function.type(values[i]);
    const bool fits = type.kind == graph::Type::Kind::tensor && tensor.space == isa::Space::hbm &&
                      tensor.shape == type.shape && storage_of(type.element) == tensor.dtype;
    if (!fits)
      wrong(fmt::format("{}, a tensor of [{}], for {}", tensor.name, fmt::join(tensor.shape, ", "),
                        graph::to_string(type)));
  }
}

}  // namespace

bool is_native_kernel(const graph::Op& op) {
  return op.kind == graph::OpKind::custom_call &&
         op.text("call_target_name") == "AwsNeuronCustomNativeKernel";
}

std::string native_kernel_config(const NativeKernel& kernel) {
  return fmt::format("{};{};{};{}", mark, fmt::join(kernel.inputs, ","),
                     fmt::join(kernel.outputs, ","),
                     base::to_base64(isa::to_binary(kernel.program)));
}

NativeKernel read_native_kernel(const graph::Module& module, const graph::Function& function,
                                const graph::Op& op) {
  const std::string place = module.describe(op.location);
  const graph::Attribute* const config = op.find("backend_config");
  const auto* const text = config == nullptr ? nullptr : std::get_if<std::string>(&config->value);
  if (text == nullptr) refuse(place, "no backend_config of text");
  std::string_view rest = *text;
  if (next_part(rest) != mark) refuse(place, "the configuration of another compiler");
  const std::string_view inputs = next_part(rest), outputs = next_part(rest);
  const std::optional<std::string> bytes = base::from_base64(rest);
  if (!bytes) refuse(place, "a program that is not base64");
  NativeKernel kernel{isa::from_binary(*bytes, "AwsNeuronCustomNativeKernel"), {}, {}};
  const auto in = ids_of(inputs, kernel.program.tensors.size());
  const auto out = ids_of(outputs, kernel.program.tensors.size());
  if (!in || !out) refuse(place, "tensors that the program lacks");
  kernel.inputs = *in;
  kernel.outputs = *out;
  check_tensors(kernel.program, kernel.inputs, function, op.operands, place);
  check_tensors(kernel.program, kernel.outputs, function, op.results, place);
  return kernel;
}

void Lowerer::embed_kernel(const graph::Op& op) {
  close();
  NativeKernel kernel = read_native_kernel(module_, scope().function(), op);
  ProgramStep step;
  step.programs = std::make_shared<std::vector<isa::Program>>();
  step.programs->push_back(std::move(kernel.program));
  for (std::size_t i = 0; i < op.operands.size(); ++i)
    step.inputs.emplace_back(slot(op.operands[i]), kernel.inputs[i]);
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    step.outputs.emplace_back(fresh_slot(type(op.results[i])), kernel.outputs[i]);
    scope().place(op.results[i]).slot = step.outputs.back().first;
  }
  block_->steps.push_back({std::move(step)});
}

}  // namespace trainyard::compiler
