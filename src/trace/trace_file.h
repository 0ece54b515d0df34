// The compact native file of a run, .tytrace: writing a finished recording, and reading it back.
// The format is docs/formats/trace.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/directory.h"
#include "trace/labels.h"
#include "trace/recorder.h"
#include "trace/summary.h"

namespace trainyard::trace {

// The bytes of a .tytrace file of a finished Detail::full recording. `labels` has one entry for
// each instruction of the program, or none at all.
[[nodiscard]] std::string write_trace(const Recorder& recorder, const Labels& labels,
                                      const Metadata& metadata);

// A trace in memory. Rows are decoded when asked for. All reading throws InputError
// "trace.file", naming the file and the offset, where the bytes are not what the format says.
class TraceFile {
 public:
  // `name` is what errors call it.
  [[nodiscard]] static TraceFile parse(std::string bytes, std::string name);

  [[nodiscard]] const Metadata& metadata() const { return directory_.metadata; }
  [[nodiscard]] const Directory& directory() const { return directory_; }
  [[nodiscard]] base::Ticks end() const { return directory_.end; }
  // Of all rows; equal runs have equal hashes on every host.
  [[nodiscard]] std::uint64_t content_hash() const { return directory_.content_hash; }
  // What an error in its bytes is said to be in.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] const Summary& summary() const { return summary_; }

  // What was recorded of a stream, in time order, without what lies in between.
  [[nodiscard]] std::vector<Interval> rows(const StreamEntry& stream) const;
  // The same of one chunk of a stream.
  [[nodiscard]] std::vector<Interval> rows(const ChunkEntry& chunk) const;

 private:
  TraceFile() = default;
  [[nodiscard]] std::string unpack(const Block& block, std::size_t limit) const;
  [[nodiscard]] std::string place(const Block& block) const;

  std::string bytes_;
  std::string name_;
  Directory directory_;
  Labels labels_;
  Summary summary_;
};

}  // namespace trainyard::trace
