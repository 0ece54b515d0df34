#include "trace/trace_file.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/error.h"
#include "trace/trace_header.h"

namespace trainyard::trace {
namespace {

// No directory, label or summary block is larger than this once unpacked: a guard against damaged
// files.
constexpr std::size_t unpacked_limit = std::size_t{1} << 28;

FileHeader read_header(std::string_view bytes, std::string_view name) {
  const auto wrong = [&](std::size_t offset, std::string_view found) {
    malformed_file(fmt::format("{}, offset {}", name, offset), found);
  };
  FileHeader header;
  if (bytes.size() < sizeof header) wrong(bytes.size(), "the file ends within its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != FileHeader{}.magic) wrong(0, "it does not begin with TYTRACE");
  if (header.version != trace_format_version)
    wrong(8, fmt::format("format version {}", header.version));
  if (header.reserved != 0 || header.reserved_too != FileHeader{}.reserved_too)
    wrong(header.reserved != 0 ? 12 : 48,
          "bytes of the header that this version leaves zero are not");
  if (header.file_bytes != bytes.size()) {
    wrong(40, fmt::format("{} bytes where the header says {}", bytes.size(), header.file_bytes));
  }
  if (header.directory_offset < sizeof header || header.directory_offset > bytes.size() ||
      header.directory_bytes != bytes.size() - header.directory_offset) {
    wrong(16, "the directory is not the last block");
  }
  if (content_hash(bytes.substr(header.directory_offset), 0) != header.directory_hash) {
    wrong(header.directory_offset, "the directory does not match its hash");
  }
  return header;
}

}  // namespace

TraceFile TraceFile::parse(std::string bytes, std::string name) {
  TraceFile file;
  file.bytes_ = std::move(bytes);
  file.name_ = std::move(name);
  const FileHeader header = read_header(file.bytes_, file.name_);
  const Block block{header.directory_offset, header.directory_bytes};
  file.directory_ = decode_directory(file.unpack(block, unpacked_limit), header.directory_offset,
                                     file.place(block));

  const Block& summary = file.directory_.summary;
  const std::string summary_bytes = file.unpack(summary, unpacked_limit);
  const std::string summary_place = file.place(summary);
  ByteReader summary_reader(summary_bytes, summary_place);
  file.summary_ =
      Summary::decode(summary_reader, file.directory_.tracks.size(), file.directory_.end);

  const Block& labels = file.directory_.labels;
  const std::string label_bytes = file.unpack(labels, unpacked_limit);
  const std::string label_place = file.place(labels);
  ByteReader label_reader(label_bytes, label_place);
  file.labels_ = Labels::decode(label_reader);
  const std::size_t count = file.labels_.size();
  if (count != 0 && count != file.summary_.instruction_count()) {
    label_reader.malformed("the labels are not as many as the instructions");
  }
  return file;
}

std::string TraceFile::place(const Block& block) const {
  return fmt::format("{}, block at offset {}", name_, block.offset);
}

std::string TraceFile::unpack(const Block& block, std::size_t limit) const {
  return decompress(std::string_view(bytes_).substr(block.offset, block.size), limit, place(block));
}

std::vector<Interval> TraceFile::rows(const StreamEntry& stream) const {
  std::vector<Interval> all;
  for (const ChunkEntry& chunk : stream.chunks) {
    const std::vector<Interval> found = rows(chunk);
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::vector<Interval> TraceFile::rows(const ChunkEntry& chunk) const {
  const std::string columns = unpack(chunk.block, chunk.rows * row_bytes_max);
  std::vector<Interval> found =
      decode_intervals(columns, chunk.rows, chunk.begin, chunk.end, place(chunk.block));
  for (const Interval& row : found) {
    if (row.cause != no_track && index(row.cause) >= directory_.tracks.size())
      malformed_file(place(chunk.block), "a wait is caused by no track");
    if (row.instruction != no_instruction && row.instruction >= summary_.instruction_count())
      malformed_file(place(chunk.block), "an interval names an instruction beyond the program");
  }
  return found;
}

}  // namespace trainyard::trace
