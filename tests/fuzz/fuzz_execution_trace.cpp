// Whatever the bytes, reading an execution trace either works or throws InputError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "trace/execution_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trainyard;
  try {
    static_cast<void>(trace::read_execution_trace(
        std::string_view(reinterpret_cast<const char*>(data), size), "input.et"));
  } catch (const base::InputError&) {
  }
  return 0;
}
