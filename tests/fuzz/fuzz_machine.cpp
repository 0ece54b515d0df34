// Whatever the bytes, reading a machine file or an override either works or throws InputError.
// A first byte of '=' means an override of trn3, '@' a system file, '%' an override of a system;
// anything else is a machine file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "machine/machine.h"
#include "machine/topology.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trainyard;
  static const machine::Machine trn3 = machine::load("trn3");
  static const machine::System gen2 = machine::load_system("trn3-gen2");
  static const std::string folder = trn3.path.substr(0, trn3.path.rfind('/'));
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (bytes.starts_with('=')) {
      static_cast<void>(machine::apply_override(trn3, bytes.substr(1)).hash());
    } else if (bytes.starts_with('@')) {
      static_cast<void>(machine::load_system_text(bytes.substr(1), "input.toml", folder).chips());
    } else if (bytes.starts_with('%')) {
      static_cast<void>(machine::apply_override(gen2, bytes.substr(1)).chips());
    } else {
      static_cast<void>(machine::load_text(bytes, "input.toml", folder).hash());
    }
  } catch (const base::InputError&) {
  }
  return 0;
}
