// Does a .tytrace file give back what was recorded, and does every gap have a reason?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "example.h"
#include "trace/timeline.h"
#include "trace/trace_file.h"

namespace trainyard::trace {
namespace {

constexpr std::uint32_t instructions = 64;

TraceFile written(const Example& run) {
  Metadata metadata{"attention", "trn3", "0.1.0", 11, 22, {{"grid", "2"}}};
  return TraceFile::parse(write_trace(run.recorder, example_labels(instructions), metadata),
                          "test");
}

TEST(TraceFile, RowsLabelsSummaryAndMetadataReadBack) {
  const Example run = example_run(Detail::full, 10000);
  const TraceFile file = written(run);
  Timeline line = timeline_of(file);
  for (std::uint32_t t = 0; t < 3; ++t) {
    std::erase_if(line.rows[t], [](const Interval& row) { return row.reason == Reason::idle; });
    EXPECT_EQ(line.rows[t], run.rows[t]);
    EXPECT_EQ(line.tracks[t], run.recorder.tracks()[t]);
  }
  EXPECT_TRUE(file.labels() == example_labels(instructions));
  EXPECT_TRUE(file.summary() == run.recorder.summary());
  EXPECT_EQ(file.metadata(), (Metadata{"attention", "trn3", "0.1.0", 11, 22, {{"grid", "2"}}}));
  EXPECT_EQ(file.content_hash(), run.recorder.content_hash());
}

TEST(TraceFile, EveryDamagedByteOfTheHeaderIsRefused) {
  const Example run = example_run(Detail::full, 100);
  const std::string bytes = write_trace(run.recorder, example_labels(instructions), {});
  for (std::size_t at = 0; at < file_header_bytes; ++at) {
    std::string torn = bytes;
    torn[at] = static_cast<char>(torn[at] ^ 0x20);
    EXPECT_THROW(static_cast<void>(TraceFile::parse(torn, "torn")), base::InputError) << at;
  }
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

TEST(TraceFile, IntervalsTileTheRun) {
  const Example run = example_run(Detail::full, 9000);
  const TraceFile file = written(run);
  const Timeline line = timeline_of(file);
  EXPECT_EQ(line.rows, timeline_of(run.recorder).rows);
  for (std::size_t t = 0; t < line.rows.size(); ++t) {
    const std::vector<Interval>& rows = line.rows[t];
    ReasonTotals sum;
    for (const Interval& row : rows) sum.ticks[index(row.reason)] += (row.end - row.begin).value;
    EXPECT_EQ(sum, run.recorder.summary().totals(TrackId{static_cast<std::uint32_t>(t)}));
    EXPECT_EQ(rows.front().begin, base::Ticks{0});
    EXPECT_EQ(rows.back().end, file.end());
    for (std::size_t r = 1; r < rows.size(); ++r) ASSERT_EQ(rows[r - 1].end, rows[r].begin);
  }
}

// Sets of tracks, more of them than are kept as sets, and single tracks in between.
TEST(TraceFile, SetsReadBackAsTheirTracks) {
  constexpr std::uint32_t tracks = 12;
  Recorder recorder(std::vector<Track>(tracks, {"dma", TrackKind::dma_engine, 0}), 8, Detail::full);
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
  Timeline line = timeline_of(file);
  for (std::uint32_t t = 0; t < tracks; ++t) {
    std::vector<Interval>& rows = line.rows[t];
    for (std::size_t r = 1; r < rows.size(); ++r) ASSERT_EQ(rows[r - 1].end, rows[r].begin);
    std::erase_if(rows, [](const Interval& row) { return row.reason == Reason::idle; });
    ASSERT_EQ(rows, expected[t]) << t;
  }
}

TEST(TraceFile, EqualRunsHaveEqualBytesAndOtherRunsOtherHashes) {
  const Example a = example_run(Detail::full, 5000), b = example_run(Detail::full, 5000),
                c = example_run(Detail::full, 5000, instructions, 2);
  EXPECT_EQ(write_trace(a.recorder, {}, {}), write_trace(b.recorder, {}, {}));
  EXPECT_NE(a.recorder.content_hash(), c.recorder.content_hash());
}

TEST(TraceFile, AnEmptyRunIsAFile) {
  Recorder recorder({{"tensor", TrackKind::engine, 0}}, 0, Detail::full);
  recorder.finish({0});
  const TraceFile file = TraceFile::parse(write_trace(recorder, {}, {}), "test");
  EXPECT_TRUE(timeline_of(file).rows[index(tensor)].empty());
}

TEST(Recorder, AFullRecordingAndASummaryAgree) {
  EXPECT_TRUE(example_run(Detail::full, 5000).recorder.summary() ==
              example_run(Detail::summary, 5000).recorder.summary());
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
