#include "pjrt/host_functions.h"

#include <array>
#include <string>
#include <vector>

#include "pjrt/error.h"

namespace trainyard::pjrt {

namespace {

HostTensor view(const graph::Type& type, void* data, const std::string& element) {
  const bool is_tensor = type.kind == graph::Type::Kind::tensor;
  return {.data = data,
          .element = is_tensor ? element.c_str() : nullptr,
          .dims = type.shape.data(),
          .rank = is_tensor ? type.rank() : 0};
}

// What a function is given, and what that points to.
struct Views {
  explicit Views(std::size_t count) { elements.reserve(count); }
  void add(const graph::Type& type, void* data) {
    elements.emplace_back(graph::name(type.element));
    tensors.push_back(view(type, data, elements.back()));
  }
  std::vector<std::string> elements;
  std::vector<HostTensor> tensors;
};

}  // namespace

graph::HostFunctions host_functions(HostFunction* function) {
  return [function](std::uint64_t number, std::span<const graph::Literal> operands,
                    std::span<graph::Literal> results) {
    std::vector<std::vector<std::byte>> contents;
    contents.reserve(operands.size());
    Views given(operands.size());
    for (const graph::Literal& operand : operands)
      given.add(operand.type, contents.emplace_back(operand.expanded()).data());
    Views made(results.size());
    for (graph::Literal& result : results) made.add(result.type, result.content.data());
    std::array<char, 4096> error{};
    const int failed =
        function(number, given.tensors.data(), std::ssize(given.tensors), made.tensors.data(),
                 std::ssize(made.tensors), error.data(), error.size());
    if (failed != 0) throw Failure(ErrorCode::aborted, error.data());
  };
}

}  // namespace trainyard::pjrt
