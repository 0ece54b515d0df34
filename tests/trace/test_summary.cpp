#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "trace/recorder.h"

namespace trainyard::trace {
namespace {

constexpr TrackId tensor{0}, queue{1};

Recorder two_tracks(Detail detail = Detail::summary) {
  return Recorder({{"tensor", TrackKind::engine, 0}, {"q0", TrackKind::dma_queue, 0}}, 4, detail);
}

TEST(Reason, EveryNameIsUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const Reason reason : all_reasons()) {
    EXPECT_TRUE(names.insert(name(reason)).second) << name(reason);
    EXPECT_FALSE(prose(reason).empty());
  }
}

TEST(Summary, ReasonsOfEveryTrackAddUpToTheRun) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::overhead, {5}, {7}, 0, 0);
  recorder.interval(tensor, Reason::working, {10}, {30}, 0, 0);
  recorder.interval(queue, Reason::working, {2}, {3}, 1, 0);
  recorder.finish({50});
  for (const TrackId track : {tensor, queue}) {
    EXPECT_EQ(recorder.summary().totals(track).total(), base::Ticks{50});
  }
  EXPECT_EQ(recorder.summary().totals(tensor).of(Reason::idle), base::Ticks{5 + 3 + 20});
}

TEST(Summary, InstructionTimeIsKeptBySide) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::overhead, {0}, {2}, 3, 0);
  recorder.interval(queue, Reason::working, {2}, {9}, 3, 0);
  recorder.interval(tensor, Reason::overhead, {9}, {10}, 3, 4);
  recorder.finish({10});
  const Summary& summary = recorder.summary();
  EXPECT_EQ(summary.of_instruction(Side::engine, Reason::overhead, 3), base::Ticks{3});
  EXPECT_EQ(summary.of_instruction(Side::service, Reason::working, 3), base::Ticks{7});
  EXPECT_EQ(summary.of_instruction(Side::engine, Reason::working, 0), base::Ticks{0});
}

TEST(Summary, ExecutionsAreThoseThatTheEnginesCounted) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::working, {0}, {2}, 1, 2);
  recorder.count_executions(std::vector<std::uint32_t>{4, 3, 0, 0});
  recorder.finish({10});
  EXPECT_EQ(recorder.summary().executions(0), 4u);
  EXPECT_EQ(recorder.summary().executions(1), 3u);
  EXPECT_EQ(recorder.summary().executions(2), 0u);
}

Recorder eight_tracks(Detail detail) {
  return Recorder(std::vector<Track>(8, {"dma", TrackKind::dma_engine, 0}), 4, detail);
}

TEST(Sets, TellOfEachMember) {
  Recorder recorder = eight_tracks(Detail::summary);
  recorder.intervals({TrackId{2}, 0b101}, Reason::working, {0}, {5}, 3, 0);
  recorder.interval(TrackId{4}, Reason::overhead, {5}, {6}, 3, 0);
  recorder.intervals({TrackId{0}, 0xFF}, Reason::waiting_link, {10}, {20}, 3, 0, TrackId{7});
  recorder.finish({30});
  const Summary& summary = recorder.summary();
  const auto track = [&](std::uint32_t t, Reason reason) {
    return summary.totals(TrackId{t}).of(reason).value;
  };
  EXPECT_EQ(track(2, Reason::working), 5);
  EXPECT_EQ(track(4, Reason::working), 5);
  EXPECT_EQ(track(3, Reason::working), 0);
  EXPECT_EQ(track(4, Reason::overhead), 1);
  EXPECT_EQ(track(3, Reason::waiting_link), 10);
  for (std::uint32_t t = 0; t < 8; ++t)
    EXPECT_EQ(summary.totals(TrackId{t}).total(), base::Ticks{30});
  EXPECT_EQ(summary.waited_for(TrackId{0}, TrackId{7}), base::Ticks{10});
  EXPECT_EQ(summary.of_instruction(Side::service, Reason::working, 3), base::Ticks{10});
  EXPECT_EQ(summary.of_instruction(Side::service, Reason::waiting_link, 3), base::Ticks{80});
}

TEST(Sets, OverlapsAreFoundAcrossSetsAndTracks) {
  Recorder recorder = eight_tracks(Detail::summary);
  const auto tell = [&](TrackSet set, std::int64_t begin) {
    recorder.intervals(set, Reason::working, {begin}, {begin + 10}, 0, 0);
  };
  tell({TrackId{0}, 0b0111}, 0);
  tell({TrackId{3}, 0b11}, 0);  // others
  EXPECT_THROW(tell({TrackId{1}, 0b111}, 9), std::logic_error);
  EXPECT_THROW(tell({TrackId{2}, 0b1}, 9), std::logic_error);
  EXPECT_NO_THROW(tell({TrackId{2}, 0b1}, 10));
  EXPECT_THROW(tell({TrackId{0}, 0b0111}, 19), std::logic_error);
  EXPECT_THROW(tell({TrackId{7}, 0b11}, 50), std::logic_error);  // there is no track 8
}

TEST(Sets, KnowTheirMembers) {
  const TrackSet set{TrackId{3}, 0b1001};
  for (std::uint32_t t = 0; t < 100; ++t)
    EXPECT_EQ(set.contains(TrackId{t}), t == 3 || t == 6) << t;
  EXPECT_TRUE(set.overlaps({TrackId{0}, 0b1000000}));
  EXPECT_TRUE((TrackSet{TrackId{6}, 1}.overlaps(set)));
  EXPECT_FALSE(set.overlaps({TrackId{4}, 0b11}));
  EXPECT_FALSE((TrackSet{TrackId{99}, 1}.overlaps(set)));
}

TEST(Summary, WaitsAreChargedToTheirCause) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::waiting_dma, {0}, {6}, 0, 0, queue);
  recorder.interval(tensor, Reason::waiting_dma, {8}, {9}, 1, 0, queue);
  recorder.finish({9});
  EXPECT_EQ(recorder.summary().waited_for(tensor, queue), base::Ticks{7});
  EXPECT_EQ(recorder.summary().waited_for(queue, tensor), base::Ticks{0});
}

TEST(Summary, AnOverlapIsOurBug) {
  Recorder recorder = two_tracks();
  recorder.interval(tensor, Reason::working, {0}, {6}, 0, 0);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {5}, {7}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {9}, {8}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(tensor, Reason::working, {9}, {10}, 4, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(TrackId{2}, Reason::working, {9}, {10}, 0, 0), std::logic_error);
  EXPECT_THROW(recorder.interval(queue, Reason::working, {9}, {10}, 0, 0, TrackId{7}),
               std::logic_error);
  EXPECT_THROW(recorder.finish({5}), std::logic_error);
}

}  // namespace
}  // namespace trainyard::trace
