// The bytes of a trace file: the readers and writers of base/bytes.h with the errors of this
// format.
#pragma once

#include "base/bytes.h"

namespace trainyard::trace {

using base::put_fixed64;
using base::put_signed;
using base::put_string;
using base::put_varint;
using base::unzigzag;
using base::varint_bytes_max;
using base::write_varint;
using base::zigzag;

inline constexpr base::ByteFormat trace_file_format{
    "trace.file", "a .tytrace file follows docs/formats/trace.md",
    "write the trace again; it may be cut short or damaged"};

// Throws InputError "trace.file" that names the file, the block's offset in it and the byte within
// the block.
class ByteReader : public base::ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view place)
      : base::ByteReader(bytes, place, trace_file_format) {}
};

// Throws InputError "trace.file": the file at `place` is not what the format says.
[[noreturn]] void malformed_file(std::string_view place, std::string_view found);

// A hash of bytes, eight at a time; the same on every host. For telling traces apart, not for
// security.
[[nodiscard]] std::uint64_t content_hash(std::string_view bytes, std::uint64_t seed);

}  // namespace trainyard::trace
