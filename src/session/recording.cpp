#include "session/recording.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "isa/semantics/meeting.h"
#include "report/details.h"
#include "report/labels.h"
#include "trace/perfetto.h"
#include "trace/trace_file.h"

namespace trainyard::session {

namespace {

const trace::Recorder& recorder_of(const Run& run) {
  base::check(run.recording != nullptr && run.report && run.instance != nullptr,
              "only a recorded run has a recording");
  return *run.recording;
}

std::string perfetto_of(const Run& run, const trace::PerfettoOptions& options) {
  return trace::to_perfetto(timeline_of(run), report::labels_of(run.instance->program()),
                            run.report->run, options);
}

// A number for each collective of a program, equal for all ranks that meet at it.
std::vector<std::uint64_t> meetings_of(const Instance& instance) {
  const isa::Program& program = instance.program();
  std::vector<std::uint64_t> keys(program.instructions.size(), 0);
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const isa::Meeting meeting = isa::meeting_of(program, i, instance.rank());
    if (meeting.encounter != isa::Encounter::collective) continue;
    std::uint64_t key =
        base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(meeting.channel));
    for (const std::int32_t rank : meeting.ranks)
      key = base::hash_combine(key, static_cast<std::uint64_t>(rank));
    keys[i] = key | 1;
  }
  return keys;
}

std::vector<trace::Series> series_of(const system::LinkRecord& record) {
  std::vector<trace::Series> series;
  for (const system::LinkUse& link : record.links)
    series.push_back(
        {link.alike > 1 ? fmt::format("{} and {} alike", link.name, link.alike - 1) : link.name,
         link.use});
  return series;
}

}  // namespace

trace::Timeline timeline_of(const Run& run) { return trace::timeline_of(recorder_of(run)); }

std::string tytrace_of(const Run& run) {
  return trace::write_trace(recorder_of(run), report::labels_of(run.instance->program()),
                            run.report->run);
}

std::string perfetto_of(const Run& run) { return perfetto_of(run, {}); }

std::string details_of(const Run& run) {
  return report::details_json(run.instance->program(),
                              run.instance->loaded()->device().machine().core, timeline_of(run));
}

std::string perfetto_of_ranks(std::span<const Run* const> runs) {
  std::string bytes;
  std::uint32_t part = 0;
  for (const Run* const run : runs) {
    if (run->recording == nullptr) continue;
    bytes += perfetto_of(*run, {.part = part++,
                                .name = fmt::format("rank {}", run->instance->rank()),
                                .meetings = meetings_of(*run->instance)});
  }
  const auto links = runs.empty() ? nullptr : runs.front()->links;
  if (links != nullptr)
    bytes += trace::series_to_perfetto("Links between chips", series_of(*links), links->end, part);
  return bytes;
}

}  // namespace trainyard::session
