// A run as Python sees it: columns of native integers as bytes, for NumPy. No object stands
// for one interval, so that ten million of them are read in about a second.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "trace/directory.h"
#include "trace/labels.h"
#include "trace/pyramid.h"
#include "trace/timeline.h"
#include "trace/trace_file.h"

namespace trainyard::binding {

// A dict: `program`, `machine`, `version`, `end` (ticks), `ticks_per_ns`, `tracks` (dicts of name,
// kind, core and the columns begin, end (int64), reason (uint8), instruction, iteration, cause
// (uint32; 0xFFFFFFFF: none); idle time is left out), `strings`, `instructions` (columns mnemonic,
// operands, frame, nest), `frames` (columns parent, file, line, function) and `nests` (lists of
// (name, first, step, trips)).
[[nodiscard]] nanobind::dict columns_of(trace::Timeline timeline, const trace::Labels& labels,
                                        const trace::Metadata& run);

// A trace whose rows are too many for columns: it tells of stretches of time. `classes` are those
// of the first question.
class LongTrace {
 public:
  explicit LongTrace(trace::TraceFile file);

  // Rows of each track.
  [[nodiscard]] std::vector<std::size_t> counts() const;
  // As columns_of(); tracks have a `count` instead of columns.
  [[nodiscard]] nanobind::dict description() const;
  // Reads all of it; else the first question does.
  void prepare(const trace::Classes& classes) { pyramid(classes); }
  // Float32 by track, column and class.
  [[nodiscard]] nanobind::bytes shares(const trace::Classes& classes, std::int64_t from,
                                       std::int64_t to, std::size_t columns);
  // The tracks of columns_of(), with the rows that meet [from, to); None where they are too many.
  [[nodiscard]] nanobind::object window(const trace::Classes& classes, std::int64_t from,
                                        std::int64_t to, std::size_t rows_max);

 private:
  const trace::Pyramid& pyramid(const trace::Classes& classes);

  trace::TraceFile file_;
  std::mutex making_;
  std::optional<trace::Pyramid> pyramid_;
};

}  // namespace trainyard::binding
