#include "binding/trace_columns.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::binding {

namespace nb = nanobind;

namespace {

template <typename Number>
nb::bytes to_bytes(const std::vector<Number>& column) {
  return nb::bytes(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(Number));
}

// The column of `of(item)` for all items that are kept.
template <typename Number, typename Items, typename Of>
nb::bytes column(const Items& items, Of of) {
  std::vector<Number> values;
  values.reserve(items.size());
  for (const auto& item : items) values.push_back(static_cast<Number>(of(item)));
  return to_bytes(values);
}

void set_identity(const trace::Track& track, nb::dict& result) {
  result["name"] = nb::str(track.name.data(), track.name.size());
  result["kind"] = std::string(trace::name(track.kind)).c_str();
  result["core"] = track.core;
}

nb::dict track_columns(const trace::Track& track, std::vector<trace::Interval>& rows) {
  std::erase_if(rows, [](const trace::Interval& row) { return row.reason == trace::Reason::idle; });
  using Row = trace::Interval;
  nb::dict result;
  set_identity(track, result);
  result["begin"] = column<std::int64_t>(rows, [](const Row& row) { return row.begin.value; });
  result["end"] = column<std::int64_t>(rows, [](const Row& row) { return row.end.value; });
  result["reason"] =
      column<std::uint8_t>(rows, [](const Row& row) { return trace::index(row.reason); });
  result["instruction"] =
      column<std::uint32_t>(rows, [](const Row& row) { return row.instruction; });
  result["iteration"] = column<std::uint32_t>(rows, [](const Row& row) { return row.iteration; });
  result["cause"] =
      column<std::uint32_t>(rows, [](const Row& row) { return trace::index(row.cause); });
  std::vector<Row>().swap(rows);  // a track at a time: the columns are as large as the rows
  return result;
}

nb::dict instruction_columns(const trace::Labels& labels) {
  std::vector<trace::Label> all;
  all.reserve(labels.size());
  for (std::uint32_t i = 0; i < labels.size(); ++i) all.push_back(labels[i]);
  nb::dict result;
  result["mnemonic"] = column<std::uint32_t>(all, [](const auto& label) { return label.mnemonic; });
  result["operands"] = column<std::uint32_t>(all, [](const auto& label) { return label.operands; });
  result["frame"] = column<std::uint32_t>(all, [](const auto& label) { return label.frame; });
  result["nest"] = column<std::uint32_t>(all, [](const auto& label) { return label.nest; });
  return result;
}

nb::dict frame_columns(const trace::Labels& labels) {
  std::vector<trace::Frame> all;
  for (std::uint32_t f = 0; f < labels.frame_count(); ++f) all.push_back(labels.frame(f));
  nb::dict result;
  result["parent"] = column<std::uint32_t>(all, [](const auto& frame) { return frame.parent; });
  result["file"] = column<std::uint32_t>(all, [](const auto& frame) { return frame.file; });
  result["line"] = column<std::uint32_t>(all, [](const auto& frame) { return frame.line; });
  result["function"] = column<std::uint32_t>(all, [](const auto& frame) { return frame.function; });
  return result;
}

nb::list strings_of(const trace::Labels& labels) {
  nb::list strings;
  for (std::uint32_t s = 0; s < labels.string_count(); ++s) {
    const std::string_view text = labels.string(s);
    // A name may hold any bytes; what is no UTF-8 is replaced.
    strings.append(nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")));
  }
  return strings;
}

nb::list nests_of(const trace::Labels& labels) {
  nb::list nests;
  for (std::uint32_t n = 0; n < labels.nest_count(); ++n) {
    nb::list loops;
    for (const trace::Loop& loop : labels.nest(n))
      loops.append(nb::make_tuple(loop.name, loop.first, loop.step, loop.trips));
    nests.append(loops);
  }
  return nests;
}

// What a run is, and its tracks.
nb::dict described(const nb::list& tracks, base::Ticks end, const trace::Labels& labels,
                   const trace::Metadata& run) {
  nb::dict result;
  result["program"] = nb::str(run.program.data(), run.program.size());
  result["machine"] = nb::str(run.machine.data(), run.machine.size());
  result["version"] = nb::str(run.version.data(), run.version.size());
  result["end"] = end.value;
  result["ticks_per_ns"] = base::ticks_per_nanosecond;
  result["tracks"] = tracks;
  result["strings"] = strings_of(labels);
  result["instructions"] = instruction_columns(labels);
  result["frames"] = frame_columns(labels);
  result["nests"] = nests_of(labels);
  return result;
}

}  // namespace

nb::dict columns_of(trace::Timeline timeline, const trace::Labels& labels,
                    const trace::Metadata& run) {
  nb::list tracks;
  for (std::size_t t = 0; t < timeline.tracks.size(); ++t)
    tracks.append(track_columns(timeline.tracks[t], timeline.rows[t]));
  return described(tracks, timeline.end, labels, run);
}

LongTrace::LongTrace(trace::TraceFile file) : file_(std::move(file)) {}

std::vector<std::size_t> LongTrace::counts() const {
  const trace::Directory& directory = file_.directory();
  std::vector<std::size_t> counts(directory.tracks.size());
  for (const trace::StreamEntry& stream : directory.streams) {
    for (std::size_t t = 0; t < counts.size(); ++t) {
      if (!stream.set.contains(trace::TrackId{static_cast<std::uint32_t>(t)})) continue;
      for (const trace::ChunkEntry& chunk : stream.chunks) counts[t] += chunk.rows;
    }
  }
  return counts;
}

nb::dict LongTrace::description() const {
  const std::vector<std::size_t> count = counts();
  nb::list tracks;
  for (std::size_t t = 0; t < count.size(); ++t) {
    nb::dict track;
    set_identity(file_.directory().tracks[t], track);
    track["count"] = count[t];
    tracks.append(track);
  }
  return described(tracks, file_.end(), file_.labels(), file_.metadata());
}

const trace::Pyramid& LongTrace::pyramid(const trace::Classes& classes) {
  const nb::gil_scoped_release others_may_run;
  const std::scoped_lock one_at_a_time(making_);
  if (!pyramid_) pyramid_.emplace(file_, classes);
  return *pyramid_;
}

nb::bytes LongTrace::shares(const trace::Classes& classes, std::int64_t from, std::int64_t to,
                            std::size_t columns) {
  const trace::Pyramid& made = pyramid(classes);
  std::vector<float> shares;
  {
    const nb::gil_scoped_release others_may_run;
    shares = made.shares({from}, {to}, columns);
  }
  return to_bytes(shares);
}

nb::object LongTrace::window(const trace::Classes& classes, std::int64_t from, std::int64_t to,
                             std::size_t rows_max) {
  auto found = pyramid(classes).window({from}, {to}, rows_max);
  if (!found) return nb::none();
  nb::list tracks;
  for (std::size_t t = 0; t < found->size(); ++t)
    tracks.append(track_columns(file_.directory().tracks[t], (*found)[t]));
  return tracks;
}

}  // namespace trainyard::binding
