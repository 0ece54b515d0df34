// The compact native file of a run, .tytrace: writing a finished recording, and reading it back at
// any zoom without scanning everything. The format is docs/formats/trace.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "trace/directory.h"
#include "trace/labels.h"
#include "trace/recorder.h"
#include "trace/summary.h"

namespace trainyard::trace {

inline constexpr std::uint32_t trace_format_version = 1;

// The bytes of a .tytrace file of a finished Detail::full recording. `labels` has one entry for
// each instruction of the program, or none at all.
[[nodiscard]] std::string write_trace(const Recorder& recorder, const Labels& labels,
                                      const Metadata& metadata);

// Totals of one track in buckets of 2^width_log2 ticks; the first begins at `begin`, a multiple of
// the width.
struct Zoom {
  base::Ticks begin;
  unsigned width_log2 = 0;
  std::vector<ReasonTotals> buckets;
};

// A trace in memory. Rows and buckets are decoded when asked for. All reading throws InputError
// "trace.file", naming the file and the offset, where the bytes are not what the format says.
class TraceFile {
 public:
  // `name` is what errors call it.
  [[nodiscard]] static TraceFile parse(std::string bytes, std::string name);
  [[nodiscard]] static TraceFile read(const std::filesystem::path& path);

  [[nodiscard]] const Metadata& metadata() const { return directory_.metadata; }
  [[nodiscard]] const Directory& directory() const { return directory_; }
  [[nodiscard]] base::Ticks end() const { return directory_.end; }
  // Of all rows; equal runs have equal hashes on every host.
  [[nodiscard]] std::uint64_t content_hash() const { return directory_.content_hash; }
  [[nodiscard]] std::size_t track_count() const { return directory_.tracks.size(); }
  [[nodiscard]] const Track& track(TrackId id) const { return directory_.tracks[index(id)]; }
  [[nodiscard]] std::size_t counter_count() const { return directory_.counters.size(); }
  [[nodiscard]] const Counter& counter(CounterId id) const {
    return directory_.counters[index(id)].counter;
  }
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] const Summary& summary() const { return summary_; }

  // Intervals of a track that tile [begin, end) of the run: those that overlap it, whole, and
  // `idle` in between.
  [[nodiscard]] std::vector<Interval> intervals(TrackId track, base::Ticks begin,
                                                base::Ticks end) const;
  // What was recorded in one chunk, without filled gaps.
  [[nodiscard]] std::vector<Interval> rows(const ChunkEntry& chunk) const;
  // Samples of a counter in [begin, end), after the last one before it.
  [[nodiscard]] std::vector<Sample> samples(CounterId counter, base::Ticks begin,
                                            base::Ticks end) const;
  // Exact totals over [begin, end) in at least `buckets_min` buckets, if the ticks suffice, and at
  // most about twice as many. Reads a few buckets and chunks, however long the run is.
  [[nodiscard]] Zoom zoom(TrackId track, base::Ticks begin, base::Ticks end,
                          std::size_t buckets_min) const;

 private:
  TraceFile() = default;
  [[nodiscard]] std::string unpack(const Block& block, std::size_t limit) const;
  [[nodiscard]] std::string place(const Block& block) const;
  // The rows of a stream that overlap [begin, end).
  [[nodiscard]] std::vector<Interval> rows(const StreamEntry& stream, base::Ticks begin,
                                           base::Ticks end) const;
  [[nodiscard]] std::vector<ReasonTotals> buckets(const LevelEntry& level, std::size_t first,
                                                  std::size_t count) const;
  // Adds what a stream did in buckets of 2^width_log2 ticks from zoom.begin on; idle time is not
  // counted.
  void add(const StreamEntry& stream, base::Ticks end, Zoom& zoom) const;

  std::string bytes_;
  std::string name_;
  Directory directory_;
  Labels labels_;
  Summary summary_;
};

}  // namespace trainyard::trace
