// Whatever the bytes, reading a .tytrace file either works or throws InputError. The first byte of
// the input chooses the reader, because hashes and checksums would otherwise keep random bytes out
// of the inner ones.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/error.h"
#include "trace/columns.h"
#include "trace/timeline.h"
#include "trace/trace_file.h"
#include "trace/trace_header.h"

namespace trainyard::trace {
namespace {

void read_everything(const TraceFile& file) {
  static_cast<void>(timeline_of(file));
  for (std::uint32_t i = 0; i < file.labels().size(); ++i) {
    static_cast<void>(file.labels().place(i));
    static_cast<void>(file.labels().indices(i, i * 7919u));
  }
}

// Makes the header fit again, so that damage behind it is reached.
std::string with_fitting_header(std::string bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.file_bytes = bytes.size();
  if (header.directory_offset <= bytes.size()) {
    header.directory_bytes = bytes.size() - header.directory_offset;
    header.directory_hash =
        content_hash(std::string_view(bytes).substr(header.directory_offset), 0);
  }
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

void read_as(unsigned kind, std::string_view bytes) {
  constexpr std::string_view place = "input";
  // The inner readers are told a number by the directory; here it comes from the next two bytes.
  std::uint16_t number = 0;
  std::string_view inner = bytes;
  if (kind >= 2 && bytes.size() >= sizeof number) {
    std::memcpy(&number, bytes.data(), sizeof number);
    inner.remove_prefix(sizeof number);
  }
  ByteReader reader(inner, place);
  switch (kind) {
    case 0: read_everything(TraceFile::parse(std::string(bytes), "input")); break;
    case 1:
      read_everything(TraceFile::parse(with_fitting_header(std::string(bytes)), "input"));
      break;
    case 2: static_cast<void>(decode_directory(inner, file_header_bytes + number, place)); break;
    case 3: static_cast<void>(Labels::decode(reader)); break;
    case 4: static_cast<void>(Summary::decode(reader, 3, {1 << 30})); break;
    default:
      static_cast<void>(decode_intervals(inner, number, {5}, {std::int64_t{1} << 62}, place));
      break;
  }
}

}  // namespace
}  // namespace trainyard::trace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    trainyard::trace::read_as(data[0] % 6u, bytes.substr(1));
  } catch (const trainyard::base::InputError&) {
  }
  return 0;
}
