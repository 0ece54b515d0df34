#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "trace/trace_file.h"
#include "trace/trace_header.h"

namespace trainyard::trace {
namespace {

// Level 3 is zstd's own default; these blocks are written once, after the run.
constexpr int final_level = 3;

class Writer {
 public:
  Writer() : bytes_(file_header_bytes, '\0') {}

  Block append(std::string_view frame) {
    const Block block{bytes_.size(), frame.size()};
    bytes_.append(frame);
    return block;
  }
  Block append_packed(std::string_view bytes) { return append(compressor_.compress(bytes)); }

  std::vector<ChunkEntry> append_chunks(const std::vector<Chunk>& chunks) {
    std::vector<ChunkEntry> entries;
    entries.reserve(chunks.size());
    for (const Chunk& chunk : chunks)
      entries.push_back({append(chunk.frame), chunk.rows, chunk.begin, chunk.end});
    return entries;
  }

  std::string finish(const Directory& directory) {
    const Block block = append_packed(encode(directory));
    FileHeader header;
    header.directory_offset = block.offset;
    header.directory_bytes = block.size;
    header.file_bytes = bytes_.size();
    header.directory_hash = content_hash(std::string_view(bytes_).substr(block.offset), 0);
    std::memcpy(bytes_.data(), &header, sizeof header);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  Compressor compressor_{final_level};
};

}  // namespace

std::string write_trace(const Recorder& recorder, const Labels& labels, const Metadata& metadata) {
  base::check(recorder.detail() == Detail::full, "only a full recording can be written as a trace");
  const std::size_t instructions = recorder.summary().instruction_count();
  base::check(labels.size() == 0 || labels.size() == instructions,
              "a trace's labels are not those of its program");
  Writer writer;
  Directory directory;
  directory.metadata = metadata;
  directory.end = recorder.summary().end();
  directory.content_hash = recorder.content_hash();
  directory.tracks = recorder.tracks();
  for (std::size_t i = 0; i < recorder.intervals().size(); ++i) {
    const IntervalStore& store = recorder.intervals()[i];
    if (store.chunks().empty()) continue;
    StreamEntry& entry = directory.streams.emplace_back();
    entry.set = recorder.set(static_cast<StreamId>(i));
    entry.chunks = writer.append_chunks(store.chunks());
  }
  std::string bytes;
  recorder.summary().encode(bytes);
  directory.summary = writer.append_packed(bytes);
  bytes.clear();
  labels.encode(bytes);
  directory.labels = writer.append_packed(bytes);
  return writer.finish(directory);
}

}  // namespace trainyard::trace
