// What does recording cost? Four engines in turn; each instruction has an overhead, a wait of
// random length with its cause, and work, and every sixteenth one a DMA. At 2 M instructions/s of
// timing, 25 % of wall time is 125 ns an instruction, so a full recording must do at least 8 M
// instructions/s.
#include <algorithm>
#include <vector>

#include "base/random.h"
#include "rate.h"
#include "trace/pyramid.h"
#include "trace/recorder.h"
#include "trace/timeline.h"
#include "trace/trace_file.h"

namespace trainyard::benchmarks {
namespace {

using trace::Reason;
using trace::TrackId;

constexpr std::uint32_t engines = 4;
constexpr std::uint32_t dma_engines = 16;
constexpr std::uint32_t program_length = 20000;
constexpr std::int64_t instructions = 1 << 20;

std::vector<trace::Track> tracks() {
  std::vector<trace::Track> list(engines, {"engine", trace::TrackKind::engine, 0});
  list.insert(list.end(), dma_engines, {"dma", trace::TrackKind::dma_engine, 0});
  return list;
}

void run(trace::Recorder& recorder) {
  std::vector<base::Ticks> now(engines + dma_engines);
  base::Random random(1);
  const auto spend = [&](TrackId track, Reason reason, std::int64_t ticks, std::int64_t i,
                         TrackId cause = trace::no_track) {
    base::Ticks& begin = now[index(track)];
    const base::Ticks end = begin + base::Ticks{ticks};
    recorder.interval(track, reason, begin, end, static_cast<std::uint32_t>(i % program_length),
                      static_cast<std::uint32_t>(i / program_length), cause);
    begin = end;
  };
  for (std::int64_t i = 0; i < instructions; ++i) {
    const TrackId engine{static_cast<std::uint32_t>(i % engines)};
    spend(engine, Reason::overhead, 100, i);
    spend(engine, Reason::waiting_semaphore, 200 + static_cast<std::int64_t>(random.next() & 63u),
          i, TrackId{static_cast<std::uint32_t>((i + 1) % engines)});
    spend(engine, Reason::working, 36000, i);
    if (i % 16 == 0)
      spend(TrackId{engines + static_cast<std::uint32_t>(i / 16) % dma_engines}, Reason::working,
            70000, i);
  }
  recorder.finish(*std::ranges::max_element(now));
}

void record(benchmark::State& state, trace::Detail detail) {
  for (auto _ : state) {
    trace::Recorder recorder(tracks(), program_length, detail);
    run(recorder);
    benchmark::DoNotOptimize(recorder.content_hash());
  }
  report_rate(state, static_cast<double>(instructions), 1e6, "M instructions/s");
}

void read_back(benchmark::State& state) {
  trace::Recorder recorder(tracks(), program_length, trace::Detail::full);
  run(recorder);
  const trace::TraceFile file =
      trace::TraceFile::parse(trace::write_trace(recorder, {}, {}), "trace");
  std::size_t rows = 0;
  for (auto _ : state) {
    rows = 0;
    for (const auto& track : trace::timeline_of(file).rows) rows += track.size();
  }
  report_rate(state, static_cast<double>(rows), 1e6, "M intervals/s");
}

// The server of trainyard view builds these sums of 10^8 intervals in at most 60 s.
void sum_up(benchmark::State& state) {
  constexpr trace::Classes classes{0, 1, 1, 1, 1, 1, 1, 1, 3, 2, 1};
  trace::Recorder recorder(tracks(), program_length, trace::Detail::full);
  run(recorder);
  const trace::TraceFile file =
      trace::TraceFile::parse(trace::write_trace(recorder, {}, {}), "trace");
  for (auto _ : state) benchmark::DoNotOptimize(trace::Pyramid(file, classes));
  std::size_t rows = 0;
  for (const trace::StreamEntry& stream : file.directory().streams)
    rows += file.rows(stream).size();
  report_rate(state, static_cast<double>(rows), 1e6, "M intervals/s");
}

BENCHMARK_CAPTURE(record, summary, trace::Detail::summary)->Name("trace: record the summary");
BENCHMARK_CAPTURE(record, full, trace::Detail::full)->Name("trace: record everything");
BENCHMARK(read_back)->Name("trace: read all intervals");
BENCHMARK(sum_up)->Name("trace: sums of a long trace");

}  // namespace
}  // namespace trainyard::benchmarks
