// Whatever the text, reading StableHLO either works or throws InputError, and what was read can be
// printed and read again.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "graph/print.h"
#include "graph/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace graph = trainyard::graph;
  try {
    const graph::Module module =
        graph::read_text({reinterpret_cast<const char*>(data), size}, "fuzz");
    static_cast<void>(graph::print(module, {.elements_max = 16, .locations = true}));
  } catch (const trainyard::base::InputError&) {
  }
  return 0;
}
