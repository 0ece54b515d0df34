// Export of a run to Perfetto's protobuf format (ui.perfetto.dev). A view for people: Perfetto
// counts whole nanoseconds, so exact ticks travel as arguments. docs/formats/perfetto.md says what
// is where.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/directory.h"
#include "trace/labels.h"
#include "trace/timeline.h"

namespace trainyard::trace {

struct PerfettoOptions {
  // Of a run of several ranks, whose exports one after the other are one file: which of them, from
  // 0, and what it is called before "NeuronCore 0".
  std::uint32_t part = 0;
  std::string name{};
  // By instruction: a number that those have in common who meet at it, 0 for nobody. The n-th
  // meetings of a number are joined by arrows.
  std::vector<std::uint64_t> meetings{};
};

// A share of something over equal parts of a run.
struct Series {
  std::string name;
  std::vector<double> values;  // 0 to 1
};
// A part of an export that has counters only, in percent; `name` is what the group is called.
[[nodiscard]] std::string series_to_perfetto(std::string_view name, std::span<const Series> series,
                                             base::Ticks end, std::uint32_t part);

// The bytes of a .pftrace file. `labels`: of the instructions, or none.
[[nodiscard]] std::string to_perfetto(const Timeline& timeline, const Labels& labels,
                                      const Metadata& metadata,
                                      const PerfettoOptions& options = {});

}  // namespace trainyard::trace
