// Whatever the bytes, a StableHLO program that can be read is compiled, or refused with an
// InputError. Programs that are large or go round often are left out: they take time, not new code.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "graph/evaluate.h"
#include "graph/text.h"
#include "session/model.h"

namespace {

using namespace trainyard;

constexpr std::int64_t elements_max = 1 << 14;
constexpr std::size_t values_max = 400;

// The elements of a tensor without overflow; of one with dimensions of no size, 0.
std::int64_t count_elements(const graph::Type& type) {
  std::int64_t count = 1;
  for (const std::int64_t extent : type.shape) {
    if (extent <= 0) return 0;
    if (extent > elements_max / count) return elements_max + 1;
    count *= extent;
  }
  return count;
}

bool is_small(const graph::Module& module) {
  for (const graph::Function& function : module.functions) {
    if (function.types.size() > values_max) return false;
    for (const graph::Type& type : function.types)
      if (count_elements(type) > elements_max) return false;
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const machine::Machine trn3 = machine::load("trn3");
  try {
    graph::Module module =
        graph::read_program({reinterpret_cast<const std::byte*>(data), size}, "fuzz");
    if (!is_small(module)) return 0;
    const auto evaluate = [](const graph::Module& routine, std::span<const graph::Literal> inputs) {
      return graph::evaluate(routine, inputs);
    };
    const session::Model model(trn3, std::move(module), evaluate,
                               {.order = compiler::Order::author});
  } catch (const base::InputError&) {
  }
  return 0;
}
