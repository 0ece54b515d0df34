// Whatever the bytes, what another process of a job sends is read or is an error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "plan/messages.h"
#include "transport/mesh.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace plan = trainyard::plan;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto try_to = [&](auto&& read) {
    try {
      read();
    } catch (const trainyard::base::InputError&) {
    }
  };
  try_to([&] { static_cast<void>(trainyard::transport::Card::read(bytes)); });
  try_to([&] { static_cast<void>(trainyard::transport::Address::read(bytes)); });
  try_to([&] {
    trainyard::base::ByteReader reader(bytes, plan::from_another, plan::message_format);
    using trainyard::graph::ElementType;
    for (const ElementType element : {ElementType::f32, ElementType::bf16, ElementType::pred})
      static_cast<void>(plan::take_literal(reader, {.element = element, .shape = {2, 3}}));
    reader.expect_end();
  });
  return 0;
}
