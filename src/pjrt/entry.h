// What stands in a slot of the table: takes the caller's record, whatever version it was built for,
// calls serve() for it, and turns exceptions into an Error. A record without serve() is refused by
// name.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "numerics/float_environment.h"
#include "pjrt/abi/slots.h"
#include "pjrt/error.h"
#include "pjrt/serve.h"

namespace trainyard::pjrt {

template <class Arguments>
concept Served = requires(Arguments& args) {
  serve(args);
};

// Callers built for another version have longer or shorter records: fields they lack are zero, and
// are not written back.
template <class Arguments>
void serve_record(void* record, const char* name) {
  require(record, "arguments");
  std::size_t size = 0;
  std::memcpy(&size, record, sizeof size);
  if (size < sizeof(Header)) {
    throw Failure(
        ErrorCode::invalid_argument,
        fmt::format("{}: struct_size is {}, less than the {} bytes that every record begins with",
                    name, size, sizeof(Header)));
  }
  Arguments args{};
  const std::size_t known = std::min(size, sizeof args);
  std::memcpy(&args, record, known);
  serve(args);
  std::memcpy(record, &args, known);
}

template <class Arguments, std::size_t index>
Error* enter(void* record) noexcept {
  constexpr const char* name = slots.names[index];
  // JAX's threads flush subnormals, which would change a program's constants.
  const numerics::StandardFloatEnvironment standard;
  try {
    if constexpr (Served<Arguments>) {
      serve_record<Arguments>(record, name);
      return nullptr;
    } else {
      throw Failure(ErrorCode::unimplemented,
                    fmt::format("{} is not implemented by the plugin `neuron`", name));
    }
  } catch (...) {
    return current_error();
  }
}

template <class... Arguments, std::size_t... index>
constexpr void fill(Api& api, const SlotTable<Arguments...>&, std::index_sequence<index...>) {
  ((api.functions[index] = &enter<Arguments, index>), ...);
}

}  // namespace trainyard::pjrt
