// Whatever the bytes, reading compile options, a topology, or an executable or its code from
// another process either works or is an error. (The programs in the code have fuzz_program.)
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "pjrt/compile_options.h"
#include "pjrt/compiled.h"
#include "pjrt/error.h"
#include "pjrt/topology.h"
#include "session/compiled_code.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace pjrt = trainyard::pjrt;
  static const pjrt::Options options =
      pjrt::read_options({}, [](const char*) { return std::nullopt; });
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto try_to = [&](auto&& read) {
    try {
      read();
    } catch (const trainyard::base::InputError&) {
    } catch (const pjrt::Failure&) {
    }
  };
  try_to([&] { static_cast<void>(pjrt::read_compile_options(bytes)); });
  try_to([&] { static_cast<void>(pjrt::deserialize_topology(bytes)); });
  try_to([&] { static_cast<void>(trainyard::session::CompiledCode::read(bytes).write()); });
  try_to([&] { static_cast<void>(pjrt::deserialize(options, nullptr, bytes, std::nullopt)); });
  return 0;
}
