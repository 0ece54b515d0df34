// The first 64 bytes of a .tytrace file, as they lie in it (docs/formats/trace.md).
#pragma once

#include <array>
#include <cstdint>

#include "trace/directory.h"

namespace trainyard::trace {

inline constexpr std::uint32_t trace_format_version = 2;

struct FileHeader {
  std::array<char, 8> magic = {'T', 'Y', 'T', 'R', 'A', 'C', 'E', '\n'};
  std::uint32_t version = trace_format_version;
  std::uint32_t reserved = 0;
  std::uint64_t directory_offset = 0;
  std::uint64_t directory_bytes = 0;
  std::uint64_t directory_hash = 0;  // content_hash of the packed directory
  std::uint64_t file_bytes = 0;
  std::array<std::uint64_t, 2> reserved_too{};
};
static_assert(sizeof(FileHeader) == file_header_bytes);

}  // namespace trainyard::trace
