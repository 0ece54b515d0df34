// Whatever the bytes, reading a program either works or throws InputError; and what was read can be
// written, read again, shown and checked. The first byte of the input chooses the reader, because a
// checksum would otherwise keep random bytes out of the binary one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/error.h"
#include "base/hash.h"
#include "isa/forms/binary.h"
#include "isa/forms/text.h"
#include "isa/rules/validate.h"
#include "machine/machine.h"

namespace trainyard::isa {
namespace {

const machine::Core& core() {
  static const machine::Machine machine = machine::load("trn3");
  return machine.core;
}

std::string with_checksum(std::string_view content) {
  std::string bytes(content);
  base::put_fixed64(bytes, base::hash_bytes(std::as_bytes(std::span(bytes))));
  return bytes;
}

void use(const Program& program) {
  const std::string bytes = to_binary(program), text = to_text(program);
  if (to_binary(from_binary(bytes)) != bytes) std::abort();
  if (to_text(parse_text(text)) != text) std::abort();
  static_cast<void>(disassemble(program));
  validate(program, core());
}

void read_as(unsigned kind, std::string_view bytes) {
  switch (kind) {
    case 0: return use(from_binary(bytes));
    case 1: return use(from_binary(with_checksum(bytes)));
    default: return use(parse_text(bytes));
  }
}

}  // namespace
}  // namespace trainyard::isa

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    trainyard::isa::read_as(data[0] % 3u, bytes.substr(1));
  } catch (const trainyard::base::InputError&) {
  }
  return 0;
}
