// Does a .tytrace file give back what was recorded, at every zoom, and does every gap have a
// reason?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "example.h"
#include "trace/trace_file.h"

namespace trainyard::trace {
namespace {

constexpr std::uint32_t instructions = 64;

TraceFile written(const Example& run) {
  Metadata metadata{"attention", "trn3", "0.1.0", 11, 22, {{"grid", "2"}}};
  return TraceFile::parse(write_trace(run.recorder, example_labels(instructions), metadata),
                          "test");
}

TEST(TraceFile, RowsSamplesLabelsSummaryAndMetadataReadBack) {
  const Example run = example_run(Detail::full, 10000);
  const TraceFile file = written(run);
  for (std::uint32_t t = 0; t < 3; ++t) {
    std::vector<Interval> rows = file.intervals(TrackId{t}, {0}, file.end());
    std::erase_if(rows, [](const Interval& row) { return row.reason == Reason::idle; });
    EXPECT_EQ(rows, run.rows[t]);
    EXPECT_EQ(file.track(TrackId{t}), run.recorder.tracks()[t]);
  }
  EXPECT_EQ(file.samples(banks, {0}, file.end()), run.samples);
  EXPECT_TRUE(file.labels() == example_labels(instructions));
  EXPECT_TRUE(file.summary() == run.recorder.summary());
  EXPECT_EQ(file.metadata(), (Metadata{"attention", "trn3", "0.1.0", 11, 22, {{"grid", "2"}}}));
  EXPECT_EQ(file.content_hash(), run.recorder.content_hash());
}

TEST(TraceFile, NamesThatAreNoTextAreRefused) {
  const Example run = example_run(Detail::full, 100);
  const auto refusal = [&](const char* name, const char* setting) {
    const Metadata metadata{name, "trn3", "0.1.0", 11, 22, {{"set", setting}}};
    try {
      const std::string bytes = write_trace(run.recorder, example_labels(instructions), metadata);
      static_cast<void>(TraceFile::parse(bytes, "x.tytrace"));
    } catch (const base::InputError& error) {
      const base::Violation& broken = error.violations().front();
      return fmt::format("{}: {}: {}", broken.label, broken.place, broken.found);
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("caf\xE9", ""),
              testing::AllOf(testing::StartsWith("trace.file: x.tytrace"),
                             testing::HasSubstr("offset 0: a text that is not UTF-8")));
  EXPECT_THAT(refusal("", "\xFF"), testing::HasSubstr("not UTF-8"));
}

TEST(TraceFile, IntervalsTileEveryWindow) {
  const TraceFile file = written(example_run(Detail::full, 9000));
  base::Random random(7);
  for (int i = 0; i < 200; ++i) {
    const base::Ticks begin{
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(file.end().value)))};
    const base::Ticks end = std::min(
        file.end(), begin + base::Ticks{1 + static_cast<std::int64_t>(random.below(900000))});
    const std::vector<Interval> rows =
        file.intervals(TrackId{static_cast<std::uint32_t>(i % 3)}, begin, end);
    ASSERT_FALSE(rows.empty());
    EXPECT_LE(rows.front().begin, begin);
    EXPECT_GE(rows.back().end, end);
    for (std::size_t r = 1; r < rows.size(); ++r) ASSERT_EQ(rows[r - 1].end, rows[r].begin);
  }
}

TEST(TraceFile, EveryZoomIsExact) {
  const TraceFile file = written(example_run(Detail::full, 9000));
  base::Random random(8);
  for (int i = 0; i < 300; ++i) {
    const TrackId track{static_cast<std::uint32_t>(i % 3)};
    const base::Ticks begin{
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(file.end().value)))};
    const base::Ticks end =
        std::min(file.end(), begin + base::Ticks{1 + (std::int64_t{1} << random.below(25))});
    const std::size_t wanted = 1 + random.below(2000);
    const Zoom zoom = file.zoom(track, begin, end, wanted);
    const std::int64_t width = std::int64_t{1} << zoom.width_log2;
    EXPECT_LE(zoom.begin, begin);
    EXPECT_GE(static_cast<std::int64_t>(zoom.buckets.size()) + 1,
              std::min<std::int64_t>(static_cast<std::int64_t>(wanted), end.value - begin.value));
    std::vector<ReasonTotals> expected(zoom.buckets.size());
    for (std::size_t b = 0; b < zoom.buckets.size(); ++b) {
      const base::Ticks from = zoom.begin + base::Ticks{static_cast<std::int64_t>(b) * width};
      const base::Ticks to = std::min(from + base::Ticks{width}, file.end());
      ASSERT_EQ(zoom.buckets[b].total(), to - from);
      if (b % 64 != 0) continue;
      for (const Interval& row : file.intervals(track, from, to)) {
        expected[b].ticks[index(row.reason)] +=
            (std::min(row.end, to) - std::max(row.begin, from)).value;
      }
      ASSERT_EQ(zoom.buckets[b], expected[b]) << "bucket " << b << " of width " << width;
    }
  }
}

TEST(TraceFile, ALongRunIsZoomedWithoutReadingItsRows) {
  const Example run = example_run(Detail::full, 200000);
  const TraceFile file = written(run);
  const StreamEntry& track = file.directory().streams[0];
  EXPECT_GT(track.chunks.size(), 40u);
  EXPECT_LE(track.levels.back().buckets, Pyramid::buckets_min / 4);
  EXPECT_GE(track.levels.front().buckets, run.rows[0].size() / Pyramid::rows_per_bucket / 2);
  ReasonTotals all;
  for (const ReasonTotals& bucket : file.zoom(tensor, {0}, file.end(), 1).buckets) all += bucket;
  EXPECT_EQ(all, run.recorder.summary().totals(tensor));
}

// Sets of tracks, more of them than are kept as sets, and single tracks in between.
TEST(TraceFile, SetsReadBackAsTheirTracks) {
  constexpr std::uint32_t tracks = 12;
  Recorder recorder(std::vector<Track>(tracks, {"dma", TrackKind::dma_engine, 0}), {}, 8,
                    Detail::full);
  std::vector<std::vector<Interval>> expected(tracks);
  base::Random random(5);
  base::Ticks now;
  for (int i = 0; i < 9000; ++i) {
    const std::uint32_t members =
        i % 3 == 0 ? 0xFFFu : 1 + static_cast<std::uint32_t>(random.below(0xFFF));
    const base::Ticks end = now + base::Ticks{1 + static_cast<std::int64_t>(random.below(2000))};
    const Interval row{now,
                       end,
                       static_cast<std::uint32_t>(i % 8),
                       static_cast<std::uint32_t>(i / 8),
                       Reason::working,
                       no_track};
    recorder.intervals({TrackId{0}, members}, row.reason, row.begin, row.end, row.instruction,
                       row.iteration);
    for (std::uint32_t t = 0; t < tracks; ++t) {
      if (((members >> t) & 1u) != 0) expected[t].push_back(row);
    }
    now = end;
  }
  recorder.finish(now + base::Ticks{5});
  const TraceFile file = TraceFile::parse(write_trace(recorder, {}, {}), "test");
  EXPECT_LE(file.directory().streams.size(), tracks + Accumulator::sets_max);
  for (std::uint32_t t = 0; t < tracks; ++t) {
    std::vector<Interval> rows = file.intervals(TrackId{t}, {0}, file.end());
    for (std::size_t r = 1; r < rows.size(); ++r) ASSERT_EQ(rows[r - 1].end, rows[r].begin);
    std::erase_if(rows, [](const Interval& row) { return row.reason == Reason::idle; });
    ASSERT_EQ(rows, expected[t]) << t;
    for (const std::size_t buckets : {1u, 300u, 20000u}) {
      ReasonTotals sum;
      for (const ReasonTotals& bucket : file.zoom(TrackId{t}, {0}, file.end(), buckets).buckets)
        sum += bucket;
      ASSERT_EQ(sum, recorder.summary().totals(TrackId{t})) << t << " in " << buckets;
    }
  }
}

TEST(TraceFile, SamplesOfAWindowBeginWithTheValueThatHolds) {
  const Example run = example_run(Detail::full, 9000);
  const TraceFile file = written(run);
  const std::vector<Sample> window = file.samples(banks, {7 * 5000 + 3}, {7 * 5003});
  ASSERT_EQ(window.size(), 3u);
  EXPECT_EQ(window.front(), run.samples[5000]);
  EXPECT_EQ(window.back(), run.samples[5002]);
}

TEST(TraceFile, EqualRunsHaveEqualBytesAndOtherRunsOtherHashes) {
  const Example a = example_run(Detail::full, 5000), b = example_run(Detail::full, 5000),
                c = example_run(Detail::full, 5000, instructions, 2);
  EXPECT_EQ(write_trace(a.recorder, {}, {}), write_trace(b.recorder, {}, {}));
  EXPECT_NE(a.recorder.content_hash(), c.recorder.content_hash());
}

TEST(TraceFile, AnEmptyRunIsAFile) {
  Recorder recorder({{"tensor", TrackKind::engine, 0}}, {}, 0, Detail::full);
  recorder.finish({0});
  const TraceFile file = TraceFile::parse(write_trace(recorder, {}, {}), "test");
  EXPECT_TRUE(file.intervals(tensor, {0}, {10}).empty());
  EXPECT_TRUE(file.zoom(tensor, {0}, {10}, 5).buckets.empty());
}

TEST(Recorder, AFullRecordingAndASummaryAgree) {
  EXPECT_TRUE(example_run(Detail::full, 5000).recorder.summary() ==
              example_run(Detail::summary, 5000).recorder.summary());
}

TEST(Recorder, ACounterThatStepsBackIsOurBug) {
  Recorder recorder({}, {{"c", "B", 0}}, 0, Detail::full);
  recorder.counter(banks, {5}, 1);
  EXPECT_THROW(recorder.counter(banks, {4}, 1), std::logic_error);
}

TEST(Labels, LoopIndicesFollowTheIteration) {
  Labels labels;
  const Loop loops[] = {{labels.add_string("i"), 10, 5, 0},
                        {labels.add_string("j"), 3, 1, 1},
                        {labels.add_string("k"), 0, 2, 4}};
  labels.add({.nest = labels.add_nest(loops)});
  EXPECT_EQ(labels.indices(0, 9), (std::vector<LoopIndex>{{"i", 20}, {"j", 3}, {"k", 2}}));
}

TEST(Labels, EqualStringsAndFramesAreStoredOnce) {
  Labels labels = example_labels(64);
  EXPECT_EQ(labels.add_frame(labels.frame(2)), 2u);
  EXPECT_EQ(labels.place(6), "kernel.py:12");
  EXPECT_EQ(labels.string(labels[6].mnemonic), "nc_matmul");
}

}  // namespace
}  // namespace trainyard::trace
