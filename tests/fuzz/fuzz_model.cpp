// Whatever the bytes, reading a model's configuration either works or throws InputError.
// A first byte of '[' means a models/*.toml file; anything else is a config.json.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "planner/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trainyard;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const planner::Model model = bytes.starts_with('[') ? planner::read_model_text(bytes, "m.toml")
                                                        : planner::read_config(bytes, "m.json");
    static_cast<void>(planner::parameters(model));
  } catch (const base::InputError&) {
  }
  return 0;
}
