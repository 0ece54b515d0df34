// The binary form of a program: compact, exact, checked. The layout is in docs/formats/program.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isa/core/program.h"

namespace trainyard::isa {

// The file names every instruction and operand it uses, so that a later version can read it and an
// earlier one says what it does not know. Equal programs give equal bytes.
[[nodiscard]] std::string to_binary(const Program& program);

// A hash of what they say: of equal programs the same on every host.
[[nodiscard]] std::uint64_t binary_hash(const Program& program);

// Throws InputError "program.binary" that names `place` and the offset of the first wrong byte.
// What it returns is well formed, but perhaps not legal: call validate().
[[nodiscard]] Program from_binary(std::string_view bytes, std::string_view place = "program");

// True when the bytes begin as to_binary's do.
[[nodiscard]] bool is_binary(std::string_view bytes);

namespace binary {
// For both directions.
inline constexpr std::string_view magic = "TYPROG\r\n";
inline constexpr std::uint64_t version = 2;
inline constexpr std::size_t checksum_bytes = 8;
}  // namespace binary

}  // namespace trainyard::isa
