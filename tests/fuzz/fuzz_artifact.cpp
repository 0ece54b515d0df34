// Whatever the bytes, reading a StableHLO artifact either works or throws InputError, and what was
// read can be printed.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "graph/artifact.h"
#include "graph/print.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace graph = trainyard::graph;
  try {
    const graph::Module module =
        graph::read_artifact({reinterpret_cast<const std::byte*>(data), size});
    static_cast<void>(graph::print(module, {.elements_max = 16, .locations = true}));
  } catch (const trainyard::base::InputError&) {
  }
  return 0;
}
